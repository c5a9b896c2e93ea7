package schema

import (
	"encoding"
	"encoding/base64"
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/tenantry/tenantry/schema/internal/decimal"
	"github.com/tenantry/tenantry/schema/internal/lex"
	"github.com/tenantry/tenantry/schema/internal/match"
)

func (d *decoder) boolean(n *node, i int, target reflect.Value) {
	value, ok := false, d.doc.Kind(i) == lex.Bool
	switch {
	case ok:
		value = d.doc.True(i)
	case d.lenient && d.doc.Kind(i) == lex.String:
		text := d.doc.Text(i)
		value, ok = text == "true", text == "true" || text == "false"
	}
	if !ok {
		d.wrongType(n)
		return
	}
	if !d.known(n, strconv.FormatBool(value)) || !target.IsValid() {
		return
	}
	if n.codec == codecLoose {
		target.Set(reflect.ValueOf(value))
		return
	}
	target.SetBool(value)
}

// known checks enum and const. Equal values have equal keys.
func (d *decoder) known(n *node, key string) bool {
	if n.enum != nil && indexOf(n.enum, key) < 0 {
		choices := n.values()
		d.fail(FieldError{Code: NotInEnum, Keyword: "enum", Limit: choices, Msg: "must be " + listed(choices)})
		return false
	}
	if n.only != nil && n.only.key != key {
		d.fail(FieldError{Code: NotConst, Keyword: "const", Limit: n.only.raw, Msg: "must be " + n.only.raw})
		return false
	}
	return true
}

// values lists an enum as a message shows it.
func (n *node) values() []string {
	out := make([]string, len(n.enum))
	for i, v := range n.enum {
		out[i] = v.text
	}
	return out
}

func (d *decoder) str(n *node, i int, target reflect.Value) {
	if d.doc.Kind(i) != lex.String {
		d.wrongType(n)
		return
	}
	if text := d.doc.Text(i); d.text(n, text) {
		d.assignText(n, text, target)
	}
}

// text checks a string, and reports whether nothing is wrong with it.
func (d *decoder) text(n *node, text string) bool {
	before := len(d.errs)
	if n.only != nil || n.enum != nil && !slices.ContainsFunc(n.enum, func(v enumValue) bool { return v.text == text }) {
		d.known(n, stringLiteral(text).key)
	}
	if n.minLen >= 0 || n.maxLen >= 0 || n.pattern != nil {
		d.length(n, text)
	}
	if n.check != nil && !n.check(text) {
		d.fail(FieldError{Code: BadFormat, Keyword: "format", Limit: n.format, Msg: "must be " + formatNoun(n.format)})
	}
	return len(d.errs) == before
}

// length checks how long a string is, and what it matches unless it is too long for that.
func (d *decoder) length(n *node, text string) {
	count := utf8.RuneCountInString(text)
	longest := n.maxLen
	if n.pattern != nil && !d.trusted {
		longest = n.longest()
	}
	switch {
	case n.minLen >= 0 && count < n.minLen:
		d.fail(limited(BadLength, "minLength", n.minLen, "needs at least %d character%s"))
	case longest >= 0 && count > longest:
		d.fail(limited(BadLength, "maxLength", longest, "takes at most %d character%s"))
		return
	}
	switch {
	case n.pattern == nil:
	case d.ctx != nil && d.ctx.Err() != nil:
		d.gone = true // nobody waits for what matching costs
	case !d.trusted && !d.budget.Spend(n.pattern, text):
		d.fail(FieldError{Code: PatternBudget, Keyword: "pattern", Msg: "cannot be checked together with the rest: send fewer or shorter texts"})
	case !n.pattern.Match(text):
		d.fail(FieldError{Code: BadPattern, Keyword: "pattern", Limit: n.pattern.Source(), Msg: "must match " + n.pattern.Source()})
	case n.typ == typeDecimal:
		d.bounded(n, decimal.Parse(text))
	}
}

// assignText puts a good string where it belongs. What a string says may still be out of the range of Go.
func (d *decoder) assignText(n *node, text string, target reflect.Value) {
	if n.base64 {
		raw, err := base64.StdEncoding.Strict().DecodeString(text)
		if err != nil {
			d.fail(FieldError{Code: BadFormat, Keyword: "contentEncoding", Limit: "base64", Msg: "must be base64 with its padding"})
		} else if target.IsValid() {
			target.Set(reflect.ValueOf(raw))
		}
		return
	}
	switch n.codec {
	case codecIntText, codecUintText:
		d.integer(n, decimal.Parse(text), target)
	case codecTime:
		// The format allows small letters, which time.Parse does not.
		t, err := time.Parse(time.RFC3339Nano, upper(text))
		if err != nil {
			d.fail(FieldError{Code: BadFormat, Keyword: "format", Limit: n.format, Msg: "must be " + formatNoun(n.format)})
		} else if target.IsValid() {
			target.Set(reflect.ValueOf(t))
		}
	case codecText:
		d.unmarshal(n, text, target)
	case codecLoose:
		if target.IsValid() {
			target.Set(reflect.ValueOf(text))
		}
	default:
		if target.IsValid() {
			target.SetString(text)
		}
	}
}

// unmarshal has a type of the host read its own text.
func (d *decoder) unmarshal(n *node, text string, target reflect.Value) {
	p := reflect.New(n.typ)
	if err := p.Interface().(encoding.TextUnmarshaler).UnmarshalText([]byte(text)); err != nil {
		d.fail(FieldError{Code: BadFormat, Keyword: "type", Msg: "must be the text of a " + n.typ.Name()})
		return
	}
	if target.IsValid() {
		target.Set(p.Elem())
	}
}

func (d *decoder) number(n *node, i int, target reflect.Value) {
	raw, ok := "", d.doc.Kind(i) == lex.Number
	switch {
	case ok:
		raw = string(d.doc.Raw(i))
	case d.lenient && d.doc.Kind(i) == lex.String:
		raw = d.doc.Text(i)
		ok = decimal.Valid(raw) && len(raw) <= lex.MaxNumber
	}
	if !ok {
		d.wrongType(n)
		return
	}
	at := decimal.Parse(raw)
	if n.kind == kindInteger && !at.Whole() {
		d.wrongType(n)
		return
	}
	before := len(d.errs)
	if n.enum != nil || n.only != nil {
		d.known(n, at.Text())
	}
	d.bounded(n, at)
	if len(d.errs) > before {
		return
	}
	switch n.codec {
	case codecInt, codecUint:
		d.integer(n, at, target)
	case codecFloat:
		d.float(n, raw, at, target)
	default:
		if target.IsValid() {
			setNumber(n, raw, target)
		}
	}
}

func setNumber(n *node, raw string, target reflect.Value) {
	if n.codec == codecLoose {
		target.Set(reflect.ValueOf(json.Number(raw)))
		return
	}
	target.SetString(raw)
}

// bounded checks the value of a number.
func (d *decoder) bounded(n *node, at decimal.Number) {
	if n.min != nil && at.Compare(n.min.at) < 0 {
		d.fail(FieldError{Code: TooSmall, Keyword: "minimum", Limit: n.min.raw, Msg: "must be at least " + n.min.raw})
	}
	if n.max != nil && at.Compare(n.max.at) > 0 {
		d.fail(FieldError{Code: TooLarge, Keyword: "maximum", Limit: n.max.raw, Msg: "must be at most " + n.max.raw})
	}
	if n.xmin != nil && at.Compare(n.xmin.at) <= 0 {
		d.fail(FieldError{Code: TooSmall, Keyword: "exclusiveMinimum", Limit: n.xmin.raw, Msg: "must be above " + n.xmin.raw})
	}
	if n.xmax != nil && at.Compare(n.xmax.at) >= 0 {
		d.fail(FieldError{Code: TooLarge, Keyword: "exclusiveMaximum", Limit: n.xmax.raw, Msg: "must be below " + n.xmax.raw})
	}
	if n.step != nil && !at.MultipleOf(n.step.at) {
		d.fail(FieldError{Code: OffStep, Keyword: "multipleOf", Limit: n.step.raw, Msg: "must be a multiple of " + n.step.raw})
	}
}

// integer assigns a whole number to an integer of Go, if it is in its range.
func (d *decoder) integer(n *node, at decimal.Number, target reflect.Value) {
	if n.codec == codecUint || n.codec == codecUintText {
		v, ok := at.Uint64()
		if !ok || n.typ.OverflowUint(v) {
			d.outOfRange(at)
		} else if target.IsValid() {
			target.SetUint(v)
		}
		return
	}
	v, ok := at.Int64()
	if !ok || n.typ.OverflowInt(v) {
		d.outOfRange(at)
	} else if target.IsValid() {
		target.SetInt(v)
	}
}

func (d *decoder) outOfRange(at decimal.Number) {
	if at.Negative() {
		d.fail(FieldError{Code: TooSmall, Keyword: "minimum", Msg: "is below the range of this number"})
		return
	}
	d.fail(FieldError{Code: TooLarge, Keyword: "maximum", Msg: "is above the range of this number"})
}

func (d *decoder) float(n *node, raw string, at decimal.Number, target reflect.Value) {
	v, err := strconv.ParseFloat(raw, n.typ.Bits())
	if err != nil {
		d.outOfRange(at)
	} else if target.IsValid() {
		target.SetFloat(v)
	}
}

// either is a number, or the text of one that JSON has no number for.
func (d *decoder) either(n *node, i int, target reflect.Value) {
	switch d.doc.Kind(i) {
	case lex.Number:
		d.value(n.either[0], i, target)
	case lex.String:
		d.value(n.either[1], i, target)
	default:
		d.wrongType(n)
	}
}

// assignAny takes whatever is there.
func (d *decoder) assignAny(n *node, i int, target reflect.Value) {
	switch {
	case !target.IsValid():
	case n.codec == codecRaw:
		target.SetBytes(append([]byte(nil), d.doc.Raw(i)...))
	default:
		target.Set(valueOrNil(d.loose(i)))
	}
}

// loose returns value i as encoding/json would, but for numbers, which keep their text.
func (d *decoder) loose(i int) any {
	switch d.doc.Kind(i) {
	case lex.Bool:
		return d.doc.True(i)
	case lex.Number:
		return json.Number(d.doc.Raw(i))
	case lex.String:
		return d.doc.Text(i)
	case lex.Array:
		out := make([]any, 0, d.doc.Len(i))
		for _, e := range d.doc.Elements(i) {
			out = append(out, d.loose(e))
		}
		return out
	case lex.Object:
		out := make(map[string]any, d.doc.Len(i))
		for key, e := range d.doc.Members(i) {
			out[key] = d.loose(e)
		}
		return out
	default:
		return nil
	}
}

// longest returns how many code points a value under a pattern may have.
func (n *node) longest() int {
	if n.maxLen >= 0 {
		return n.maxLen
	}
	return match.MaxLength
}
