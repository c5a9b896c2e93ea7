package descriptor_test

import (
	"testing"

	"github.com/tenantry/tenantry/descriptor"
)

func TestExpansion(t *testing.T) {
	t.Parallel()
	env := environment("A", "one", "_b2", "${A}", "EMPTY", "")
	for _, tc := range []struct{ name, in, want string }{
		{"plain", `${A}`, "one"},
		{"inside", `a-${A}-${A}z`, "a-one-onez"},
		{"not expanded again", `${_b2}`, "${A}"},
		{"empty but set", `x${EMPTY}`, "x"},
		{"literal", `$${A}`, "${A}"},
		{"literal after a dollar", `$$${A}`, "$${A}"},
		{"literal after a variable", `${A}$${A}`, "one${A}"},
		{"without braces", `$A $ { $} $$`, "$A $ { $} $$"},
		{"single quotes", `'${A}'`, "one"},
		{"double quotes", `"\x24{A}"`, "one"},
		{"a value that looks like YAML", `"${A}: [${_b2}"`, "one: [${A}"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			f, err := descriptor.Parse("a.yaml", []byte("server:\n  name: "+tc.in+"\n"+tail), env)
			if err != nil {
				t.Fatal(err)
			}
			if f.Server.Name != tc.want {
				t.Errorf("got %q, want %q", f.Server.Name, tc.want)
			}
		})
	}
}
