package filtering_test

import (
	"strings"
	"testing"

	"github.com/tenantry/tenantry/resource"
)

// The values of all sets of a filter are counted together, in whatever way they are sent. A list under eq is
// one value, since rows show arrays of any length.
func TestValuesAreCountedTogether(t *testing.T) {
	t.Parallel()
	list := func(n int) string { return "[" + strings.Repeat(`"a",`, n-1) + `"a"]` }
	pairs := func(n int) string { return "[" + strings.Repeat(`[1,2],`, n-1) + `[1,2]]` }
	for _, good := range []string{
		`{"note":` + list(500) + `}`, `{"tags":{"op":"contains","value":` + list(500) + `}}`, `{"tags":{"op":"eq","value":` + list(5000) + `}}`,
		`{"note":` + list(250) + `,"lines.note":` + list(250) + `}`,
	} {
		parse(t, good)
	}
	for _, bad := range []string{
		`{"note":` + list(501) + `}`, `{"note":{"op":"not_in","value":` + list(501) + `}}`, `{"tags":{"op":"contains","value":` + list(501) + `}}`,
		`{"tags":{"op":"overlaps","value":` + list(501) + `}}`, `{"grid":{"op":"contains","value":` + pairs(251) + `}}`,
		`{"note":` + list(250) + `,"not":{"lines.note":` + list(251) + `}}`,
		`{"any":[{"note":` + list(300) + `},{"tags":{"op":"overlaps","value":` + list(300) + `}}]}`,
	} {
		if errs := mistakes(t, bad); errs[0].Code != resource.LimitExceeded {
			t.Errorf("%.60s…: %v", bad, errs)
		}
	}
}
