package tenant_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/tenantry/tenantry/tenant"
)

const uuidText = "6f1f2c9e-3b1a-4f0e-9a52-1f7f4c0d2b11"

func TestParse(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name string
		kind tenant.Kind
		in   string
		want string // "": refused
	}{
		{"integer", tenant.KindInt, "42", "42"},
		{"negative integer", tenant.KindInt, "-7", "-7"},
		{"largest integer", tenant.KindInt, "9223372036854775807", "9223372036854775807"},
		{"smallest integer", tenant.KindInt, "-9223372036854775808", "-9223372036854775808"},
		{"zero", tenant.KindInt, "0", ""},
		{"minus zero", tenant.KindInt, "-0", ""},
		{"leading zero", tenant.KindInt, "042", ""},
		{"plus", tenant.KindInt, "+42", ""},
		{"blank", tenant.KindInt, " 42", ""},
		{"underscore", tenant.KindInt, "4_2", ""},
		{"hexadecimal", tenant.KindInt, "0x2a", ""},
		{"fraction", tenant.KindInt, "42.0", ""},
		{"beyond 64 bits", tenant.KindInt, "9223372036854775808", ""},
		{"other digits", tenant.KindInt, "٤٢", ""},
		{"no integer", tenant.KindInt, "", ""},
		{"uuid", tenant.KindUUID, uuidText, uuidText},
		{"uuid in capitals", tenant.KindUUID, strings.ToUpper(uuidText), uuidText},
		{"nil uuid", tenant.KindUUID, "00000000-0000-0000-0000-000000000000", ""},
		{"uuid without dashes", tenant.KindUUID, strings.ReplaceAll(uuidText, "-", ""), ""},
		{"uuid in braces", tenant.KindUUID, "{" + uuidText + "}", ""},
		{"uuid with misplaced dashes", tenant.KindUUID, "6f1f2c9-e3b1a-4f0e-9a52-1f7f4c0d2b11", ""},
		{"uuid with a letter beyond f", tenant.KindUUID, "6f1f2c9e-3b1a-4f0e-9a52-1f7f4c0d2b1g", ""},
		{"no uuid", tenant.KindUUID, "", ""},
		{"text", tenant.KindText, "acme", "acme"},
		{"text with inner blanks and letters of any script", tenant.KindText, "Ünïted 株式会社", "Ünïted 株式会社"},
		{"text of quotes", tenant.KindText, `' OR ''='`, `' OR ''='`},
		{"longest text", tenant.KindText, strings.Repeat("a", 256), strings.Repeat("a", 256)},
		{"too long text", tenant.KindText, strings.Repeat("a", 257), ""},
		{"empty text", tenant.KindText, "", ""},
		{"blank before", tenant.KindText, " acme", ""},
		{"blank behind", tenant.KindText, "acme\u00a0", ""},
		{"NUL", tenant.KindText, "ac\x00me", ""},
		{"newline", tenant.KindText, "ac\nme", ""},
		{"not UTF-8", tenant.KindText, "ac\xffme", ""},
		{"no kind", "", "42", ""},
		{"unknown kind", "serial", "42", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			id, err := tenant.Parse(tc.kind, tc.in)
			if (err == nil) != (tc.want != "") {
				t.Fatalf("Parse(%q, %q) = %v, %v; want %q", tc.kind, tc.in, id, err, tc.want)
			}
			if id.Key() != tc.want || id.Valid() != (tc.want != "") {
				t.Errorf("Key() = %q, Valid() = %v; want %q", id.Key(), id.Valid(), tc.want)
			}
			if err == nil && id.Kind() != tc.kind {
				t.Errorf("Kind() = %q, want %q", id.Kind(), tc.kind)
			}
			if err != nil && id != (tenant.ID{}) {
				t.Error("an ID came with an error")
			}
		})
	}
}

// Errors of Parse go to logs: the key, which may be a whole claim of a token, is not in them.
func TestErrorsNameNoKey(t *testing.T) {
	t.Parallel()
	for _, kind := range []tenant.Kind{tenant.KindInt, tenant.KindUUID, tenant.KindText} {
		if _, err := tenant.Parse(kind, " secret-key"); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", kind, err)
		}
	}
}

func TestConstructorsAgreeWithParse(t *testing.T) {
	t.Parallel()
	byInt, err := tenant.Int(42)
	mustSame(t, byInt, err, tenant.KindInt, "42")
	byUUID, err := tenant.UUID([16]byte{0x6f, 0x1f, 0x2c, 0x9e, 0x3b, 0x1a, 0x4f, 0x0e, 0x9a, 0x52, 0x1f, 0x7f, 0x4c, 0x0d, 0x2b, 0x11})
	mustSame(t, byUUID, err, tenant.KindUUID, uuidText)
	byText, err := tenant.Text("42")
	mustSame(t, byText, err, tenant.KindText, "42")
	if byText == byInt {
		t.Error("an integer and a text of the same digits are one tenant")
	}
}

func mustSame(t *testing.T, got tenant.ID, err error, kind tenant.Kind, key string) {
	t.Helper()
	want, parseErr := tenant.Parse(kind, key)
	if err != nil || parseErr != nil {
		t.Fatal(err, parseErr)
	}
	if got != want {
		t.Errorf("%s %q: two IDs of one key differ", kind, key)
	}
}

func TestForgottenValuesAreRefused(t *testing.T) {
	t.Parallel()
	if _, err := tenant.Int(0); err == nil {
		t.Error("0 is a tenant")
	}
	if _, err := tenant.UUID([16]byte{}); err == nil {
		t.Error("the nil UUID is a tenant")
	}
	if _, err := tenant.Text(""); err == nil {
		t.Error("the empty text is a tenant")
	}
	var zero tenant.ID
	if zero.Valid() || zero.Key() != "" || zero.Kind() != "" {
		t.Error("the zero ID looks like a tenant")
	}
}

func TestIDNeverPrints(t *testing.T) {
	t.Parallel()
	id, err := tenant.Text("secret-key")
	if err != nil {
		t.Fatal(err)
	}
	type hidden struct{ id tenant.ID }
	type shown struct{ ID tenant.ID }
	values := []any{id, &id, []tenant.ID{id}, map[string]tenant.ID{"a": id}, hidden{id}, &hidden{id}, shown{id}, []hidden{{id}}}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d", "%T"} {
		for _, v := range values {
			if got := fmt.Sprintf(verb, v); strings.Contains(got, "secret") || strings.Contains(got, "736563726574") {
				t.Errorf("%s of %T prints %s", verb, v, got)
			}
		}
	}
	if got := fmt.Sprint(tenant.ID{}); got != "tenant.ID(invalid)" {
		t.Errorf("the zero ID prints %q", got)
	}
}

func TestIDNeverMarshals(t *testing.T) {
	t.Parallel()
	id, err := tenant.Int(42)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []any{id, struct{ ID tenant.ID }{id}, []tenant.ID{{}}} {
		if body, err := json.Marshal(v); err == nil {
			t.Errorf("%T marshals as %s", v, body)
		}
	}
}

func FuzzParse(f *testing.F) {
	kinds := []tenant.Kind{tenant.KindInt, tenant.KindUUID, tenant.KindText, ""}
	for i, in := range []string{"42", uuidText, "acme", "", "-1", "007", " x", "\xff", "９"} {
		f.Add(i%len(kinds), in)
	}
	f.Fuzz(func(t *testing.T, k int, in string) {
		kind := kinds[uint(k)%uint(len(kinds))]
		id, err := tenant.Parse(kind, in)
		if err != nil {
			if id.Valid() {
				t.Fatal("a valid ID came with an error")
			}
			return
		}
		again, err := tenant.Parse(kind, id.Key())
		if err != nil || again != id {
			t.Fatalf("the canonical key %q of %q is another tenant: %v", id.Key(), in, err)
		}
		if kind != tenant.KindUUID && id.Key() != in {
			t.Fatalf("two spellings of one tenant: %q and %q", in, id.Key())
		}
	})
}
