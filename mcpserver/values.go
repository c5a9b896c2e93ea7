package mcpserver

import (
	"encoding/json"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/resource"
)

// maxNames is how many names fields, sort and include take.
const maxNames = 500

// text returns a string argument, or "".
func (a *arguments) text(name, example string) string {
	raw := a.value(name)
	if raw == nil {
		return ""
	}
	s, ok := textOf(raw)
	if !ok {
		a.mistyped(name, "a string", "send "+example)
	}
	return s
}

// mistyped reports a value of the wrong type, with what to send instead.
func (a *arguments) mistyped(name, want, instead string) {
	a.invalid(name, "%s must be %s, not %s: %s",
		name, want, kindOf(a.value(name)), instead)
}

// integer returns a whole number, of which the least that makes sense is told: a JSON number of any spelling (10, 10.0, 1e1), or a string with
// its plain digits. Numbers beyond 32 bits are lowered to that, which every bound refuses or lowers.
func (a *arguments) integer(name string, least, example int) *int {
	raw := a.value(name)
	if raw == nil {
		return nil
	}
	n, ok := 0, false
	switch kindOf(raw) {
	case kindNumber:
		n, ok = wholeNumber(string(raw))
	case kindString:
		n, ok = plainDigits(raw)
	default:
	}
	if ok {
		return &n
	}
	err := resource.Errorf(resource.InvalidArgument, resource.Pointer("", name),
		"%s must be a whole number from %d, not %s: send %d", name, least, said(raw), example)
	err.Example = example
	a.add(err)
	return nil
}

// said is a value as a message repeats it, in one line.
func said(raw []byte) string {
	switch k := kindOf(raw); k {
	case kindString:
		s, _ := textOf(raw)
		return resource.Echo(s)
	case kindNumber:
		return resource.Clip(string(raw))
	default:
		return string(k)
	}
}

// wholeNumber reads a JSON number that is a whole number from 0.
func wholeNumber(s string) (int, bool) {
	if n, err := strconv.ParseUint(s, 10, 31); err == nil {
		return int(n), true
	}
	mantissa, exponent, scaled := strings.Cut(strings.ToLower(s), "e")
	// An exponent of a thousand digits is a number too, and would cost as much to expand.
	const maxSpelling, maxExponent = 64, 4
	if len(mantissa) > maxSpelling || (scaled && len(exponent) > maxExponent) {
		return 0, false
	}
	r, ok := new(big.Rat).SetString(s)
	if !ok || !r.IsInt() || r.Sign() < 0 {
		return 0, false
	}
	if !r.Num().IsInt64() || r.Num().Int64() > math.MaxInt32 {
		return math.MaxInt32, true
	}
	return int(r.Num().Int64()), true
}

func plainDigits(raw []byte) (int, bool) {
	s, _ := textOf(raw)
	if s == "" || strings.Trim(s, "0123456789") != "" || (len(s) > 1 && s[0] == '0') {
		return 0, false
	}
	return wholeNumber(s)
}

// nameExample is what to send for a list of names.
func nameExample(argument string) string {
	switch argument {
	case "include":
		return `a list of relations, such as ["customer"]`
	case "group_by":
		return `a list of fields, such as ["state"]`
	case "measures":
		return `["count"], or more with function:field`
	case "sort":
		return `a list of names, with "-" before one for descending, such as ["-total"]`
	default:
		return `["id"]`
	}
}

// names returns a list of names: an array of strings, one comma-separated string, or the JSON text of an
// array.
func (a *arguments) names(name string) []string {
	raw := a.value(name)
	var out []string
	switch kindOf(raw) {
	case kindAbsent:
		return nil
	case kindArray:
		out = a.nameElements(name, raw)
	case kindString:
		inner := innerJSON(raw)
		if kindOf(inner) != kindArray {
			out = splitNames(string(inner))
			break
		}
		if !wellFormed(inner) {
			a.mistyped(name, "an array of names", "its text is not JSON: send "+nameExample(name))
			return nil
		}
		out = a.nameElements(name, inner)
	default:
		a.mistyped(name, "an array of names", "send "+nameExample(name))
		return nil
	}
	if len(out) > maxNames {
		a.add(resource.Errorf(resource.LimitExceeded, resource.Pointer("", name), "%s takes at most %d names: send fewer", name, maxNames))
		return nil
	}
	return out
}

func (a *arguments) nameElements(name string, array []byte) []string {
	var out []string
	for raw := range elements(array) {
		s, ok := textOf(raw)
		if !ok || s == "" {
			a.invalid(name, `%s holds something that is no name, and names are strings: send %s`, name, nameExample(name))
			return nil
		}
		out = append(out, s)
	}
	return out
}

func splitNames(text string) []string {
	var out []string
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part != "" {
			out = append(out, part)
		}
	}
	return out
}

// object returns a JSON object, or the object that a JSON text holds.
func (a *arguments) object(name string) json.RawMessage {
	raw := a.value(name)
	switch kindOf(raw) {
	case kindAbsent:
		return nil
	case kindObject:
		return raw
	case kindString:
		if inner := innerJSON(raw); kindOf(inner) == kindObject && wellFormed(inner) {
			return inner
		}
	default:
	}
	err := resource.Errorf(resource.InvalidFilter, resource.Pointer("", name),
		`%s must be an object, not %s: send filter keys that resource_schema lists with what they must equal, such as {"key":"value"}`, name, kindOf(raw))
	a.add(err)
	return nil
}

// key returns a row key as JSON. Its type is the resource's to judge.
func (a *arguments) key(name string) json.RawMessage {
	raw := a.value(name)
	switch kindOf(raw) {
	case kindAbsent:
		return nil
	case kindString, kindNumber:
		return raw
	default:
		a.mistyped(name, "a string or a number", "send the key as a row shows it")
		return nil
	}
}

// keys returns a JSON array of row keys, or one JSON string that only the resource can take apart. A
// string that begins with [ is always JSON.
func (a *arguments) keys(name string) json.RawMessage {
	raw := a.value(name)
	switch kindOf(raw) {
	case kindAbsent:
		return nil
	case kindArray:
		return raw
	case kindString:
		inner := innerJSON(raw)
		if kindOf(inner) != kindArray {
			return raw
		}
		if wellFormed(inner) {
			return inner
		}
	default:
	}
	a.mistyped(name, "an array of keys", `send ["7","8"]`)
	return nil
}

var countModes = []string{string(executors.CountNone), string(executors.CountExact), string(executors.CountCapped)}

func (a *arguments) count(name string) executors.CountMode {
	raw := a.value(name)
	if raw == nil {
		return ""
	}
	s, ok := textOf(raw)
	if ok && slices.Contains(countModes, s) {
		return executors.CountMode(s)
	}
	err := resource.Errorf(resource.InvalidArgument, resource.Pointer("", name), "%s must be one of %s, not %s",
		name, strings.Join(countModes, ", "), said(raw))
	err.Allowed = countModes
	err.Suggestions = resource.Nearest(s, countModes)
	a.add(err)
	return ""
}
