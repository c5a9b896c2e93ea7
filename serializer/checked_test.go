package serializer_test

import (
	"testing"

	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/serializer"
)

// TestCheckedTextWriter: what a database without a JSON type lets a JSON column hold.
func TestCheckedTextWriter(t *testing.T) {
	t.Parallel()
	tests := []struct {
		typ  resource.Type
		raw  string
		want string
	}{
		{plain(resource.JSON), `{"n": 1.10}`, `{"n": 1.10}`},
		{plain(resource.JSON), "[1,\n2]", `[1, 2]`},
		{plain(resource.JSON), `{"n": 1.10`, `"{\"n\": 1.10"`},
		{plain(resource.JSON), `1, "admin": true`, `"1, \"admin\": true"`},
		{plain(resource.JSONB), `{a: 1}`, `"{a: 1}"`},
		{plain(resource.JSONB), ``, `""`},
		{plain(resource.JSONB), "\"\xff\"", "\"\uFFFD\""},
		{resource.ArrayOf(plain(resource.JSON)), `{"{",1}`, `["{",1]`},
		{plain(resource.Integer), `12`, `12`},
	}
	for _, tt := range tests {
		out := serializer.CheckedTextWriter(tt.typ)(nil, []byte(tt.raw))
		mustBeOneLine(t, out)
		if string(out) != tt.want {
			t.Errorf("%s %q became %s, want %s", tt.typ.Name, tt.raw, out, tt.want)
		}
	}
}
