package serializer

import (
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// These tests are internal because go vet and staticcheck refuse wrong tags in source text.

func TestParseTags(t *testing.T) {
	t.Parallel()
	tests := []struct {
		tag  string
		want tags
		err  string
	}{
		{``, tags{}, ""},
		{`json:"a" xml:"b"  db:"c:d \"e\""`, tags{"json": "a", "db": `c:d "e"`}, ""},
		{`desc:""reads:"x"`, tags{"desc": "", "reads": "x"}, ""},
		{`json:"a" desc:unquoted`, nil, `malformed at "desc:unquoted"`},
		{`json:"a" desc`, nil, `malformed at "desc"`},
		{`json:"a`, nil, "malformed at"},
		{`json:` + "`a`", nil, "malformed at"},
		{`:"a"`, nil, "malformed at"},
		{`json: "a"`, nil, "malformed at"},
		{`a b:"c"`, nil, "malformed at"},
		{`json:"a" json:"b"`, nil, "the tag json stands twice"},
		{`xml:"a" xml:"b"`, tags{}, ""},
	}
	for _, tt := range tests {
		got, err := parseTags(reflect.StructTag(tt.tag))
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.tag, diff)
		}
		if (err != nil) != (tt.err != "") || err != nil && !strings.Contains(err.Error(), tt.err) {
			t.Errorf("%s: error %v, want %q", tt.tag, err, tt.err)
		}
	}
}

func TestTagName(t *testing.T) {
	t.Parallel()
	for tag, want := range map[string]string{
		"": "", "a": "a", ",omitempty": "", "a,string,omitzero": "a", "-,": "-", "a,omitmpty": "unknown option", "a,": "a",
	} {
		got, err := tags{"json": tag}.name()
		if err != nil && strings.Contains(err.Error(), `"omitmpty"`) {
			got = "unknown option"
		}
		if got != want {
			t.Errorf("json:%q names %q, %v; want %q", tag, got, err, want)
		}
	}
}

// FuzzParseTags: what reflect finds in a tag is found, unless the tag is refused.
func FuzzParseTags(f *testing.F) {
	for _, tag := range []string{`json:"a" db:"b"`, `json:"a"db:"b"`, `desc:"a\n" reads`, `json:"\xff"`, "requires:\"\u00e4\""} {
		f.Add(tag)
	}
	f.Fuzz(func(t *testing.T, tag string) {
		got, err := parseTags(reflect.StructTag(tag))
		if err != nil {
			return
		}
		for _, key := range []string{"json", "db", "desc", "requires", "reads"} {
			value, given := reflect.StructTag(tag).Lookup(key)
			if mine, ok := got[key]; given && (!ok || mine != value) {
				t.Errorf("%q: %s is %q, want %q", tag, key, mine, value)
			}
		}
	})
}

func TestSnake(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"ID": "id", "PlacedAt": "placed_at", "CustomerID": "customer_id", "HTTPServer": "http_server", "Line2": "line2",
		"A": "a", "Already_Snake": "already_snake", "ÄpfelSaft": "äpfel_saft", "X509Cert": "x509_cert",
	} {
		if got := snake(name); got != want {
			t.Errorf("snake(%q) = %q, want %q", name, got, want)
		}
	}
}
