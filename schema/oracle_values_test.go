package schema_test

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// author writes documents for an emitted schema, as raw JSON. Of a hundred values, about wrong are not what
// the schema asks for; a full document leaves out nothing that is optional.
type author struct {
	*rand.Rand
	root  map[string]any
	wrong int
	full  bool
}

func authorOf(t testing.TB, r *rand.Rand, emitted string, wrong int) *author {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(emitted))
	if err != nil {
		t.Fatal(err)
	}
	return &author{Rand: r, root: doc.(map[string]any), wrong: wrong}
}

func (a *author) document() string { return a.value(a.root, 0) }

func (a *author) chance(percent int) bool { return a.IntN(100) < percent }

// hostile are values that no schema of ours asks for, or only just.
var hostile = []string{
	`null`, `true`, `false`, `0`, `-0`, `-0.0`, `1`, `-1`, `5.0`, `5.5`, `1e3`, `1E+2`, `10e-1`, `0.07`, `0.1`, `1e400`, `-1e400`, `1e-400`,
	`127`, `128`, `-129`, `255`, `256`, `32768`, `2147483648`, `4294967296`, `9007199254740993`, `9223372036854775807`,
	`9223372036854775808`, `-9223372036854775809`, `18446744073709551615`, `18446744073709551616`, `1e39`, `12345678901234567890123.5`,
	`""`, `"a"`, `"ä"`, `"😀"`, `"😀😀😀"`, `"\ud83d\ude00\ud83d\ude00"`, `"e\u0301"`, `"\ud800"`, `"\u0000"`, `"5"`, `"true"`, `"null"`, `"{}"`, `"a\nb"`, `"ok\n"`,
	`"a b"`, `"2024-02-30"`, `"2024-02-29T23:59:60Z"`, `"2024-02-29t23:59:59.5z"`, `"2024-02-29T23:59:59,5Z"`, `"aGk="`, `"aGk"`, `"a-_="`, `"x@y.z\n"`,
	`[]`, `{}`, `[[]]`, `[null]`, `{"":1}`, `[1,1.0]`, `["a","a"]`, `[{"a":1,"b":2},{"b":2.0,"a":1}]`, `{"kind":"circle"}`, `{"city":"x","City":"x"}`, `{"type":1}`,
}

// samples are strings for formats and patterns, good and bad.
var samples = map[string][]string{
	"email":     {"a@b.c", "x.y+z@b-c.de", "a@b", "ä@b.c", "a..b@c.d", `"a b"@c.d`, "a", "A <a@b.c>", "a@b.c "},
	"uri":       {"https://a.b/c?d#e", "urn:x", "a/b", "http://a b", "//a"},
	"date":      {"2024-02-29", "2023-02-29", "2024-2-9", "20240229"},
	"date-time": {"2024-02-29T23:59:59Z", "2024-02-29t23:59:59.123456789+02:00", "2024-02-29T23:59:60Z", "2024-02-29T23:59:59", "2024-02-29 23:59:59Z", "2024-02-29T24:00:00Z"},
	"uuid":      {"123e4567-e89b-12d3-a456-426614174000", "123E4567-E89B-12D3-A456-426614174000", "123e4567e89b12d3a456426614174000", "{123e4567-e89b-12d3-a456-426614174000}"},
	"ipv4":      {"1.2.3.4", "01.2.3.4", "1.2.3", "256.1.1.1", "::1"},
	"ipv6":      {"::1", "2001:db8::1", "1.2.3.4", ":::", "::ffff:1.2.3.4"},
	"hostname":  {"a.b-c.d", "localhost", "-a.b", "a..b", "a_b", strings.Repeat("a", 64)},

	`^[a-z]+$`:        {"a", "abc", "", "A", "ab1"},
	`b`:               {"b", "abc", "B", ""},
	`^\d{1,3}$`:       {"1", "123", "1234", "", "٣"},
	`^[A-Z]{2}[0-9]$`: {"AB1", "AB12", "ab1", "AB1\n"},
	`^-?[0-9]+$`:      {"0", "-12", "9007199254740993", "+1", "1.0", "1e3", ""},
	decimalPattern:    {"0", "-1.50", "12345678901234567890.123", ".5", "5.", "1e3", "+1"},
}

const decimalPattern = `^-?[0-9]+(\.[0-9]+)?$`

func (a *author) value(s map[string]any, depth int) string {
	if ref, ok := s["$ref"].(string); ok {
		return a.value(a.resolve(ref), depth)
	}
	if a.chance(a.wrong) {
		return pick(a.Rand, hostile)
	}
	if options, ok := s["anyOf"].([]any); ok {
		return a.value(pick(a.Rand, options).(map[string]any), depth)
	}
	if value, ok := s["const"]; ok {
		return quote(value)
	}
	if values, ok := s["enum"].([]any); ok {
		return quote(pick(a.Rand, values))
	}
	switch a.typeOf(s) {
	case "object":
		return a.object(s, depth)
	case "array":
		return a.array(s, depth)
	case "string":
		return a.text(s)
	case "integer", "number":
		return a.number(s)
	case "boolean":
		return strconv.FormatBool(a.chance(50))
	case "null":
		return "null"
	}
	return pick(a.Rand, []string{`1`, `"any"`, `{"a":[1,2]}`, `[true]`, `1.50`})
}

func (a *author) resolve(ref string) map[string]any {
	if ref == "#" {
		return a.root
	}
	defs, _ := a.root["$defs"].(map[string]any)
	s, _ := defs[strings.TrimPrefix(ref, "#/$defs/")].(map[string]any)
	return s
}

func (a *author) typeOf(s map[string]any) string {
	switch typ := s["type"].(type) {
	case string:
		return typ
	case []any:
		return pick(a.Rand, typ).(string)
	}
	return ""
}

func (a *author) object(s map[string]any, depth int) string {
	properties, _ := s["properties"].(map[string]any)
	required, _ := s["required"].([]any)
	var members []string
	add := func(key, value string) { members = append(members, quote(key)+":"+value) }
	for _, key := range slices.Sorted(maps.Keys(properties)) {
		property := properties[key]
		always := slices.Contains(required, any(key))
		if always && a.chance(a.wrong/2) || !always && (depth > 5 || !a.full && a.chance(50)) {
			continue
		}
		value := a.value(property.(map[string]any), depth+1)
		if other := swapCase(key); a.chance(a.wrong/4) && properties[other] == nil {
			key = other
		}
		add(key, value)
	}
	if a.chance(a.wrong) {
		add("unknown", "1")
	}
	values, isMap := s["additionalProperties"].(map[string]any)
	if n := number(s["minProperties"]) + a.IntN(3); isMap && depth <= 5 {
		for i := range n {
			key := strings.Repeat(pick(a.Rand, []string{"k", "k", "ä", "K"}), 1+i)
			add("x"[:a.IntN(2)]+key, a.value(values, depth+1))
		}
		members = firstOfEach(members)
	}
	a.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
	return "{" + strings.Join(members, ",") + "}"
}

func (a *author) array(s map[string]any, depth int) string {
	items, _ := s["items"].(map[string]any)
	n := number(s["minItems"])
	if depth <= 5 {
		n += a.IntN(3)
	}
	if most, ok := s["maxItems"]; ok && !a.chance(a.wrong) {
		n = min(n, number(most))
	}
	elements := make([]string, n)
	for i := range elements {
		elements[i] = a.value(items, depth+1)
	}
	if s["uniqueItems"] == true && !a.chance(a.wrong) {
		slices.Sort(elements)
		elements = slices.Compact(elements)
	}
	return "[" + strings.Join(elements, ",") + "]"
}

func (a *author) text(s map[string]any) string {
	for _, name := range []string{"format", "pattern"} {
		if key, ok := s[name].(string); ok {
			good := samples[key]
			if !a.chance(2 * a.wrong) {
				good = good[:min(2, len(good))]
			}
			if good == nil {
				good = []string{"1.2", "2024-02-29T01:02:03", "1", "NaN"} // of the many patterns of columns
			}
			return quote(pick(a.Rand, good))
		}
	}
	if s["contentEncoding"] != nil {
		return pick(a.Rand, []string{`""`, `"aGk="`, `"AAAA"`})
	}
	n := number(s["minLength"]) + a.IntN(3)
	if most, ok := s["maxLength"]; ok && !a.chance(a.wrong) {
		n = min(n, number(most))
	}
	return quote(strings.Repeat(pick(a.Rand, []string{"a", "b", "ä", "😀", "\""}), n))
}

func (a *author) number(s map[string]any) string {
	low, high := -3, 12
	for _, name := range []string{"minimum", "exclusiveMinimum"} {
		if v, ok := s[name]; ok {
			low = number(v)
			high = max(high, low+5)
		}
	}
	for _, name := range []string{"maximum", "exclusiveMaximum"} {
		if v, ok := s[name]; ok {
			high = number(v)
			low = min(low, high)
		}
	}
	i := high - a.IntN(min(high/2-low/2, 20)+1)
	if step := number(s["multipleOf"]); step > 0 && !a.chance(a.wrong) {
		i -= i % step
	}
	n := strconv.Itoa(i)
	if i == 0 {
		return pick(a.Rand, []string{"0", "-0", "0.0", "0e5"})
	}
	if s["type"] == "number" && a.chance(50) {
		return n + pick(a.Rand, []string{".5", ".01", ".125", "e-1", "e0"})
	}
	return n + pick(a.Rand, []string{"", "", "", ".0", "e0", "00e-2"})
}

// number is the whole part of a bound, or 0.
func number(v any) int {
	n, _ := v.(json.Number)
	whole, _, _ := strings.Cut(n.String(), ".")
	i, _ := strconv.Atoi(whole)
	return i
}

func quote(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(raw)
}

func swapCase(s string) string {
	if upper := strings.ToUpper(s); upper != s {
		return upper
	}
	return strings.ToLower(s)
}

// firstOfEach drops members whose key was there before.
func firstOfEach(members []string) (kept []string) {
	seen := map[string]bool{}
	for _, m := range members {
		key, _, _ := strings.Cut(m, `":`)
		if !seen[key] {
			seen[key] = true
			kept = append(kept, m)
		}
	}
	return kept
}
