package bench

// Internal: how samples become ratios has no other door than a whole run.

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestRatio(t *testing.T) {
	t.Parallel()
	fast := []sample{
		{calls: 10, wall: time.Second, app: 10, server: 90},
		{calls: 10, wall: time.Second, app: 100, server: 900},
		{calls: 10, wall: time.Second, app: 10, server: 90},
	}
	slow := []sample{
		{calls: 10, wall: 2 * time.Second, app: 20, server: 130},  // 1.5 times the CPU, half the calls
		{calls: 10, wall: 2 * time.Second, app: 100, server: 900}, // a busy round: as much
		{calls: 5, wall: 2 * time.Second, app: 20, server: 80},    // twice, and a quarter
	}
	if diff := cmp.Diff([]float64{1.5, 0.5}, []float64{ratio(slow, fast, cpu), ratio(slow, fast, throughput)}); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestMedian(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		values []float64
		want   float64
	}{
		{"one", []float64{3}, 3},
		{"odd", []float64{9, 1, 2}, 2},
		{"even", []float64{4, 1, 9, 2}, 3},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := median(test.values); got != test.want {
				t.Errorf("median(%v) = %v, want %v", test.values, got, test.want)
			}
		})
	}
}

func TestReport(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	r := &report{out: &out}
	r.atMost("cpu", 1.4, 1.4)
	r.atMost("cpu", 1.41, 1.4)
	r.atLeast("calls", 0.7, 0.7)
	r.atLeast("calls", 0.6999999, 0.7)
	r.figure("size", 12345678, "B")
	r.note("%d workers", 8)
	want := "bar cpu 1.4 <=1.4 ok\nbar cpu 1.41 <=1.4 short\nbar calls 0.7 >=0.7 ok\nbar calls 0.7 >=0.7 short\n" +
		"figure size 1.235e+07 B\n# 8 workers\n"
	if diff := cmp.Diff(want, out.String()); diff != "" || r.short != 2 || r.err != nil {
		t.Errorf("short %d, error %v, text (-want +got):\n%s", r.short, r.err, diff)
	}
}

// TestAnyRequest makes sure that random calls differ in what statements may not depend on, and that a seed repeats.
func TestAnyRequest(t *testing.T) {
	t.Parallel()
	one, two := rand.New(rand.NewPCG(1, 1)), rand.New(rand.NewPCG(1, 1))
	limits, lengths := map[int]bool{}, map[int]bool{}
	for range 2000 {
		a, b := anyRequest(one), anyRequest(two)
		if diff := cmp.Diff(a, b); diff != "" {
			t.Fatalf("one seed makes two calls:\n%s", diff)
		}
		limits[*a.Limit] = true
		var f struct {
			ID []int `json:"id"`
		}
		if json.Unmarshal(a.Filter, &f) == nil {
			lengths[len(f.ID)] = true
		}
	}
	if len(limits) < 50 || len(lengths) < 8 {
		t.Errorf("%d limits and %d lengths of a set in 2,000 calls", len(limits), len(lengths))
	}
}
