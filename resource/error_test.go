package resource_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/resource"
)

func TestErrorHidesItsCause(t *testing.T) {
	t.Parallel()
	cause := errors.New("relation \"payroll\" does not exist")
	for name, err := range map[string]*resource.Error{
		"internal": resource.Internal(cause),
		"caused":   resource.Errorf(resource.Timeout, "", "too slow").Caused(cause),
	} {
		if !errors.Is(err, cause) {
			t.Errorf("%s: the log does not get the cause", name)
		}
		body, jsonErr := json.Marshal(err)
		if jsonErr != nil {
			t.Fatal(jsonErr)
		}
		for _, text := range []string{err.Error(), err.Message, string(body), fmt.Sprint(err)} {
			if strings.Contains(text, "payroll") {
				t.Errorf("%s shows its cause: %s", name, text)
			}
		}
	}
}

func TestCausedCopies(t *testing.T) {
	t.Parallel()
	shared := resource.Errorf(resource.InvalidCursor, "/cursor", "no")
	if caused := shared.Caused(errors.New("x")); caused.Unwrap() == nil || shared.Unwrap() != nil {
		t.Error("a shared error took a cause")
	}
}

func TestErrorJSON(t *testing.T) {
	t.Parallel()
	err := resource.Errorf(resource.UnknownField, "/sort/0", "no %s", "x")
	err.Allowed, err.Suggestions, err.Example = []string{"a"}, []string{"b"}, map[string]any{"c": 1}
	for _, tc := range []struct {
		err  *resource.Error
		want string
	}{
		{err, `{"code":"unknown_field","message":"no x","path":"/sort/0","allowed":["a"],"suggestions":["b"],"example":{"c":1}}`},
		{resource.Internal(nil), `{"code":"internal","message":"internal error"}`},
	} {
		body, jsonErr := json.Marshal(tc.err)
		if jsonErr != nil {
			t.Fatal(jsonErr)
		}
		if diff := cmp.Diff(tc.want, string(body)); diff != "" {
			t.Error(diff)
		}
	}
}

func TestErrors(t *testing.T) {
	t.Parallel()
	a, b := resource.Errorf(resource.InvalidFilter, "/a", "one"), resource.Errorf(resource.NotFound, "/b", "two")
	foreign := errors.New("secret")
	var es resource.Errors
	if es.Add(nil).Err() != nil {
		t.Error("no mistake is an error")
	}
	es = es.Add(a).Add(resource.Errors{b, a}).Add(fmt.Errorf("wrapped: %w", b)).Add(foreign)
	var codes []resource.Code
	for _, e := range es {
		codes = append(codes, e.Code)
	}
	want := []resource.Code{resource.InvalidFilter, resource.NotFound, resource.InvalidFilter, resource.NotFound, resource.CodeInternal}
	if diff := cmp.Diff(want, codes); diff != "" {
		t.Error(diff)
	}
	if !errors.Is(es.Err(), foreign) || !errors.Is(es.Err(), b) {
		t.Error("a mistake is not found in the whole")
	}
	if strings.Contains(es.Error(), "secret") {
		t.Errorf("%q shows a cause", es.Error())
	}
	if one, ok := errors.AsType[*resource.Error](es.Err()); !ok || one != a {
		t.Errorf("the first mistake is %v", one)
	}
}

func TestEchoClipPointer(t *testing.T) {
	t.Parallel()
	forty, long := strings.Repeat("é", 40), strings.Repeat("é", 41)
	for _, tc := range []struct{ name, got, want string }{
		{"echo", resource.Echo("a\"b"), `"a\"b"`},
		{"echo of control characters", resource.Echo("a\nb\x00\u202e"), `"a\nb\x00\u202e"`},
		{"echo of 40", resource.Echo(forty), `"` + forty + `"`},
		{"echo of 41", resource.Echo(long), `"` + forty + `…"`},
		{"echo of wide characters", resource.Echo(strings.Repeat("🦊", 50)), `"` + strings.Repeat("🦊", 40) + `…"`},
		{"echo of bad UTF-8", resource.Echo("\xff"), `"\xff"`},
		{"clip", resource.Clip("abc"), "abc"},
		{"clip of 40", resource.Clip(forty), forty},
		{"clip of 41", resource.Clip(long), forty + "…"},
		{"clip of bad UTF-8", resource.Clip("a\xffb"), "a\uFFFDb"},
		{"pointer", resource.Pointer("/filter", "a", "0"), "/filter/a/0"},
		{"pointer to a name with marks", resource.Pointer("", "a/b~c~1"), "/a~1b~0c~01"},
		{"pointer to nothing", resource.Pointer("/filter"), "/filter"},
		{"pointer to the empty name", resource.Pointer("/filter", ""), "/filter/"},
		{"pointer to a long name", resource.Pointer("", long), "/" + forty + "…"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tc.want, tc.got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func FuzzEcho(f *testing.F) {
	for _, s := range []string{"", "abc", "\xff", strings.Repeat("é", 41), strings.Repeat("\xf0\x9f\xa6", 60), "a\u2028b\n", `"\`, "~/~1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		const most = 41 // the last is the ellipsis
		clipped := resource.Clip(s)
		if !utf8.ValidString(clipped) || utf8.RuneCountInString(clipped) > most {
			t.Fatalf("Clip gives %q", clipped)
		}
		echoed, err := strconv.Unquote(resource.Echo(s))
		if err != nil || utf8.RuneCountInString(echoed) > most {
			t.Fatalf("Echo gives %s", resource.Echo(s))
		}
		if strings.ContainsAny(resource.Echo(s), "\n\r\x00") {
			t.Fatalf("Echo takes more than one line: %s", resource.Echo(s))
		}
		if utf8.RuneCountInString(s) <= 40 && utf8.ValidString(s) && (clipped != s || echoed != s) {
			t.Fatalf("%q was cut to %q and %q", s, clipped, echoed)
		}
		token, ok := strings.CutPrefix(resource.Pointer("/filter", s), "/filter/")
		if !ok || strings.Contains(token, "/") || !utf8.ValidString(token) {
			t.Fatalf("Pointer gives the token %q", token)
		}
		if back := strings.NewReplacer("~1", "/", "~0", "~").Replace(token); back != clipped {
			t.Fatalf("Pointer's token %q means %q, not %q", token, back, clipped)
		}
	})
}
