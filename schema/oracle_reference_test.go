package schema_test

import (
	"encoding/json"
	"errors"
	"math/big"
	"net/mail"
	"net/netip"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/tenantry/tenantry/schema"
)

// reference is the emitted schema as another implementation understands it.
type reference struct{ compiled *jsonschema.Schema }

func referenceTo(t testing.TB, emitted string) reference {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(emitted))
	if err != nil {
		t.Fatalf("%v: %s", err, emitted)
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.AssertFormat()
	c.AssertContent()
	for name, check := range formats {
		c.RegisterFormat(&jsonschema.Format{Name: name, Validate: func(v any) error {
			if s, ok := v.(string); ok && !check(s) {
				return errors.New("not of the format")
			}
			return nil
		}})
	}
	if err := c.AddResource("mem:///schema.json", doc); err != nil {
		t.Fatalf("%v: %s", err, emitted)
	}
	compiled, err := c.Compile("mem:///schema.json")
	if err != nil {
		t.Fatalf("%v: %s", err, emitted)
	}
	return reference{compiled}
}

// refuses returns why the schema does not accept a document, or nil.
func (r reference) refuses(t testing.TB, raw string) error {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(raw))
	if err != nil {
		t.Fatalf("%v: %s", err, raw)
	}
	return r.compiled.Validate(doc)
}

// Where Decode refuses what the emitted schema accepts, on purpose:
//
//   - documents that are malformed for more reasons than JSON Schema knows: keys given twice, lone
//     surrogates, NUL, invalid UTF-8, too large, too deep or with too many nodes;
//   - numbers that the Go type cannot hold, since 64-bit integers, their digits as text and floats advertise
//     no bounds;
//   - bounds and steps of a Decimal, which is a string in JSON;
//   - texts that a type's own UnmarshalText refuses;
//   - values that exceed the budget of the patterns;
//   - what a Validate method says, and the default of a caller that cannot be had, or that has none to give
//     where there is no static one.
//
// The generator makes no key twice, no document beyond the limits, no value beyond the budget and no type
// that validates itself. Of the others, this says whether these mistakes are ones.
func excused(raw string, errs schema.Errors) bool {
	for _, e := range errs {
		switch e.Code {
		case schema.Malformed:
			if !beyondJSON.MatchString(raw) {
				return false
			}
		case schema.TooSmall, schema.TooLarge:
			if !beyondGo(at(raw, e.Path)) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// beyondJSON finds what the decoder may call malformed.
var beyondJSON = regexp.MustCompile(`\\u[dD][89a-fA-F]|\\u0000`)

// beyondGo reports whether a number is out of the range of some type of 64 bits, or a fraction that no float is.
func beyondGo(number json.Number) bool {
	f, _, err := big.ParseFloat(number.String(), 10, 128, big.ToNearestEven)
	if err != nil {
		return false
	}
	if f64, _ := f.Float64(); !f.IsInt() {
		f32, _ := f.Float32()
		shortest, _, err := big.ParseFloat(strconv.FormatFloat(f64, 'g', -1, 64), 10, 128, big.ToNearestEven)
		return f32 == 0 || err != nil || shortest.Cmp(f) != 0
	}
	low, high := new(big.Float).SetInt64(-1<<63), new(big.Float).SetInt64(1<<63-1)
	return f.Cmp(low) < 0 || f.Cmp(high) > 0
}

// at returns the number at a JSON Pointer, or "".
func at(raw, pointer string) json.Number {
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(raw))
	if err != nil {
		return ""
	}
	unescape := strings.NewReplacer("~1", "/", "~0", "~")
	for _, token := range strings.Split(pointer, "/")[1:] {
		switch v := doc.(type) {
		case map[string]any:
			doc = v[unescape.Replace(token)]
		case []any:
			i := 0
			for _, c := range token {
				i = i*10 + int(c-'0')
			}
			doc = v[i]
		}
	}
	number, _ := doc.(json.Number)
	return number
}

// The formats, written down once more from their definitions.
var formats = map[string]func(string) bool{
	"email":     isEmail,
	"uri":       isURI,
	"date":      isDate,
	"date-time": isDateTime,
	"uuid":      regexp.MustCompile(`^[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$`).MatchString,
	"ipv4":      func(s string) bool { a, err := netip.ParseAddr(s); return err == nil && a.Is4() },
	"ipv6":      func(s string) bool { a, err := netip.ParseAddr(s); return err == nil && a.Is6() },
	"hostname":  isHostname,
}

func isEmail(s string) bool {
	a, err := mail.ParseAddress(s)
	return err == nil && a.Address == s && len(s) <= 254 && !strings.ContainsFunc(s, func(r rune) bool { return r > unicode.MaxASCII || unicode.IsControl(r) })
}

// RFC 3986 has no other characters.
var uriText = regexp.MustCompile(`^[-A-Za-z0-9._~:/?#\[\]@!$&'()*+,;=%]+$`)

func isURI(s string) bool {
	u, err := url.Parse(s)
	return err == nil && u.IsAbs() && uriText.MatchString(s)
}

func isDate(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return err == nil
}

var dateTime = regexp.MustCompile(`^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$`)

func isDateTime(s string) bool {
	_, err := time.Parse(time.RFC3339Nano, strings.ToUpper(s))
	return err == nil && dateTime.MatchString(s)
}

var label = regexp.MustCompile(`^[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?$`)

func isHostname(s string) bool {
	for l := range strings.SplitSeq(s, ".") {
		if !label.MatchString(l) {
			return false
		}
	}
	return len(s) <= 253
}
