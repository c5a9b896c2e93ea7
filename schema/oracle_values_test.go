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
	if step := number(s["multipleOf"]); step > 0 && (a.wrong == 0 || a.chance(60)) {
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
