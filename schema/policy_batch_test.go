package schema_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/schema"
)

func TestBatchAnswersAllOrNothing(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		batch func(ctx context.Context, caller string, gs []schema.Gate) ([]bool, error)
		want  []string
		fails int
	}{
		{"answers", func(context.Context, string, []schema.Gate) ([]bool, error) { return []bool{true, false, true}, nil }, []string{"name", "a", "c"}, 0},
		{"an error, with answers", func(context.Context, string, []schema.Gate) ([]bool, error) {
			return []bool{true, true, true}, errors.New("down")
		}, []string{"name"}, 3},
		{"too few answers", func(context.Context, string, []schema.Gate) ([]bool, error) { return []bool{true, true}, nil }, []string{"name"}, 3},
		{"too many answers", func(context.Context, string, []schema.Gate) ([]bool, error) {
			return []bool{true, true, true, true}, nil
		}, []string{"name"}, 3},
		{"none", func(context.Context, string, []schema.Gate) ([]bool, error) { return nil, nil }, []string{"name"}, 3},
		{"a panic", func(context.Context, string, []schema.Gate) ([]bool, error) { panic("lost") }, []string{"name"}, 3},
		{"too slow", func(context.Context, string, []schema.Gate) ([]bool, error) {
			time.Sleep(time.Minute)
			return []bool{true, true, true}, nil
		}, []string{"name"}, 3},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				policy, p := schema.NewPolicy[string](), planOf[door](t, schema.Input)
				register(t, policy, "may", yes)
				register(t, policy, "tier", yes)
				err := policy.Batch(func(ctx context.Context, caller string, gs []schema.Gate) ([]bool, error) {
					if diff := cmp.Diff(doorGates, gs); diff != "" || caller != "alice" {
						t.Errorf("asked for %q (-want +got):\n%s", caller, diff)
					}
					return tt.batch(ctx, caller, gs)
				})
				if err := errors.Join(err, policy.Seal(p)); err != nil {
					t.Fatal(err)
				}
				d := policy.Decide(t.Context(), "alice", p.Gates())
				if diff := cmp.Diff(tt.want, seen(t, p, d)); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
				if len(d.Failures()) != tt.fails {
					t.Errorf("the failures are %v", d.Failures())
				}
				nobody := policy.Decide(t.Context(), "", p.Gates()) // not even asked
				if diff := cmp.Diff([]string{"name"}, seen(t, p, nobody)); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
				time.Sleep(time.Hour)
			})
		})
	}
}
