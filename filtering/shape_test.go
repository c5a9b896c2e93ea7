package filtering_test

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/filtering"
)

func shape(f filtering.Filter) string  { return string(f.AppendShape(nil)) }
func digest(f filtering.Filter) string { return string(f.AppendDigest(nil)) }

func TestShapeIgnoresValues(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, a, b string }{
		{"a value", `{"note":"a"}`, `{"note":"b"}`},
		{"the length of a set", `{"qty":[1]}`, `{"qty":[1,2,3]}`},
		{"the length of a set of days", `{"placed_at":["2026-07-01"]}`, `{"placed_at":["2026-07-02","2026-07-03"]}`},
		{"a document", `{"extra":{"op":"eq","value":1}}`, `{"extra":{"op":"eq","value":{"a":[]}}}`},
		{"an array", `{"grid":{"op":"eq","value":[]}}`, `{"grid":{"op":"eq","value":[[1,2],[3,4]]}}`},
		{"the host's value", `{"sku":"a"}`, `{"sku":"b"}`},
		{"a special value", `{"total":"NaN"}`, `{"total":1}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			a, b := parse(t, tt.a), parse(t, tt.b)
			if shape(a) != shape(b) {
				t.Errorf("shapes %q and %q", shape(a), shape(b))
			}
			if digest(a) == digest(b) {
				t.Errorf("both digests are %q", digest(a))
			}
			textA, _ := sqlOf(t, a)
			textB, _ := sqlOf(t, b)
			if diff := cmp.Diff(textA, textB); diff != "" {
				t.Errorf("texts differ:\n%s", diff)
			}
		})
	}
}

// Filters that mean the same are the same: a client may send its keys in another order on every page.
func TestSameFilter(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, a, b string }{
		{"bare and eq", `{"note":"a"}`, `{"note":{"value":"a","op":"eq"}}`},
		{"order of keys", `{"qty":1,"note":"a","not":{"id":1}}`, `{"not":{"id":1},"note":"a","qty":1}`},
		{"forms of an integer", `{"qty":10}`, `{"qty":"10"}`},
		{"forms of an instant", `{"placed_at":"2026-07-01T00:00:00Z"}`, `{"placed_at":"2026-07-01T02:00:00.0+02:00"}`},
		{"letter case of a uuid", `{"ref":"7D444840-9DC0-41D5-9F0A-1E0F5E2C8B11"}`, `{"ref":"7d444840-9dc0-41d5-9f0a-1e0f5e2c8b11"}`},
		{"null", `{"note":null}`, `{"note":{"op":"is_null","value":true}}`},
		{"blanks in a document", `{"extra":{"op":"eq","value":{"a": 1}}}`, `{"extra":{"op":"eq","value":{"a":1}}}`},
		{"nothing", `{}`, `null`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if a, b := digest(parse(t, tt.a)), digest(parse(t, tt.b)); a != b {
				t.Errorf("digests %q and %q", a, b)
			}
		})
	}
}

// Every pair of good filters with one digest has one condition with one list of arguments, and the
// other way round.
func TestDigestIsInjective(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	meant := map[string]string{}
	filters := append(lines(t, "good.txt"),
		`{"note":["ab","c"]}`, `{"note":["a","bc"]}`, `{"note":["=1:a"]}`, `{"note":["a=1:"]}`,
		`{"any":[{"note":"a"},{"qty":1},{"id":1}]}`, `{"any":[{"note":"a"},{"any":[{"qty":1},{"id":1}]}]}`,
		`{"any":[{"note":"a"},{"qty":1}]}`, `{"note":"a","qty":1}`, `{"not":{"note":"a","qty":1}}`,
		`{"tags":{"op":"eq","value":[null]}}`, `{"tags":{"op":"eq","value":["-"]}}`,
		`{"tags":{"op":"eq","value":[["a"]]}}`, `{"tags":{"op":"eq","value":["a"]}}`,
	)
	for _, line := range filters {
		f := parse(t, line)
		text, args := sqlOf(t, f)
		d, m := digest(f), text+asJSON(t, args)
		if other, ok := seen[d]; ok && other != m {
			t.Errorf("%s: the digest of another filter", line)
		}
		if other, ok := meant[m]; ok && other != d {
			t.Errorf("%s: two digests of one filter", line)
		}
		seen[d], meant[m] = m, d
	}
}

// What stands behind a shape or a digest cannot be taken for a part of it.
func TestDelimited(t *testing.T) {
	t.Parallel()
	var all [][]byte
	longer := []string{
		`{"note":["a"]}`, `{"note":["a","b"]}`, `{"tags":{"op":"eq","value":["a"]}}`, `{"tags":{"op":"eq","value":["a","b"]}}`,
	}
	for _, line := range append(longer, lines(t, "good.txt")...) {
		f := parse(t, line)
		all = append(all, f.AppendShape(nil), f.AppendDigest(nil))
	}
	for i := 0; i < len(all); i += 2 {
		for j := 0; j < len(all); j += 2 {
			for k := range 2 {
				a, b := all[i+k], all[j+k]
				if bytes.HasPrefix(b, a) && len(b) > len(a) {
					t.Errorf("%q is the beginning of %q", a, b)
				}
			}
		}
	}
}

func TestAppendKeepsWhatIsThere(t *testing.T) {
	t.Parallel()
	f := parse(t, `{"note":"a"}`)
	if got := string(f.AppendShape([]byte("x"))); got != "x"+shape(f) {
		t.Errorf("shape %q", got)
	}
	if got := f.AppendArgs([]any{1}, fake{}); len(got) != 2 || got[0] != 1 {
		t.Errorf("args %v", got)
	}
	if got := (filtering.Filter{}).AppendArgs([]any{1}, fake{}); len(got) != 1 {
		t.Errorf("args of the empty filter %v", got)
	}
}
