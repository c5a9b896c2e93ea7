package elicit_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/schema/elicit"
)

func TestChoiceSchema(t *testing.T) {
	t.Parallel()
	north := []elicit.Titled{{Value: "1", Title: `North "A"`}, {Value: "2", Title: "South"}}
	for _, tt := range []struct {
		name, revision string
		choices        []elicit.Titled
		want, mistake  string
	}{
		{"titles beside the values", "2025-06-18", north, `{"type":"object","properties":{"tenant":{"type":"string","title":"Account","enum":["1","2"],"enumNames":["North \"A\"","South"]}},"required":["tenant"]}`, ""},
		{"titles of their own", "2025-11-25", north, `{"type":"object","properties":{"tenant":{"type":"string","title":"Account","oneOf":[{"const":"1","title":"North \"A\""},{"const":"2","title":"South"}]}},"required":["tenant"]}`, ""},
		{"the newest", "2026-07-28", north[:1], `{"type":"object","properties":{"tenant":{"type":"string","title":"Account","oneOf":[{"const":"1","title":"North \"A\""}]}},"required":["tenant"]}`, ""},
		{"before there were forms", "2025-03-26", north, "", "has no forms"},
		{"a value twice", "2026-07-28", []elicit.Titled{north[0], north[0]}, "", "twice"},
		{"an empty value", "2026-07-28", []elicit.Titled{{Value: "", Title: "x"}}, "", "tenant"},
		{"no title", "2026-07-28", []elicit.Titled{{Value: "x"}}, "", "tenant"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := elicit.ChoiceSchema(tt.revision, "tenant", "Account", tt.choices)
			if (err == nil) != (tt.mistake == "") || err != nil && !strings.Contains(err.Error(), tt.mistake) {
				t.Fatalf("error %v, want one about %q", err, tt.mistake)
			}
			if diff := cmp.Diff(tt.want, string(got)); diff != "" {
				t.Error(diff)
			}
		})
	}
}
