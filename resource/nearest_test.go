package resource_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/resource"
)

func TestNearest(t *testing.T) {
	t.Parallel()
	names := []string{"status", "state", "total", "customer_id", "größe"}
	for _, tc := range []struct {
		name, in string
		want     []string
	}{
		{"the same", "status", []string{"status", "state"}},
		{"a letter missing", "statu", []string{"status", "state"}},
		{"a letter too many", "statuss", []string{"status"}},
		{"neighbours swapped", "sattus", []string{"status"}},
		{"another case", "Status", []string{"status"}},
		{"two mistakes", "customerids", []string{"customer_id"}},
		{"three mistakes", "custmerids", nil},
		{"characters, not bytes", "grösse", []string{"größe"}},
		{"nothing", "", nil},
		{"far away", "payroll", nil},
		{"enormous", strings.Repeat("a", 1<<20), nil},
		{"not UTF-8", "statu\xff", []string{"status", "state"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tc.want, resource.Nearest(tc.in, names)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestNearestOrder(t *testing.T) {
	t.Parallel()
	got := resource.Nearest("ab", []string{"abcd", "abx", "b", "aby", "ab"})
	if diff := cmp.Diff([]string{"ab", "abx", "b"}, got); diff != "" {
		t.Error("nearest first, then as given, three at most:", diff)
	}
}

// A name that is too long to be near any is not even looked at, however long it is and however many names
// there are. The longest one that is looked at costs a few allocations per name.
func TestNearestCost(t *testing.T) {
	names := make([]string, 500)
	for i := range names {
		names[i] = strings.Repeat("n", 64)
	}
	for in, most := range map[string]float64{
		strings.Repeat("n", 1<<20):     0,
		strings.Repeat("é", 1<<20):     0,
		strings.Repeat("n", 65):        0,
		strings.Repeat("m", 64):        4*500 + 20,
		strings.Repeat("\xff", 1<<20):  0,
		strings.Repeat("\u00a0", 1<<9): 0,
	} {
		if got := testing.AllocsPerRun(1, func() { resource.Nearest(in, names) }); got > most {
			t.Errorf("%.4q of %d bytes: %v allocations, want at most %v", in, len(in), got, most)
		}
	}
}

func FuzzNearest(f *testing.F) {
	for _, in := range []string{"", "status", "sttus", "x", "größe", "\xff", strings.Repeat("a", 65)} {
		f.Add(in, "status,state,total,größe,a,ab,,x\xff")
	}
	f.Fuzz(func(t *testing.T, in, list string) {
		names := strings.Split(list, ",")
		got := resource.Nearest(in, names)
		if len(got) > 3 {
			t.Fatalf("%d suggestions", len(got))
		}
		last := 0
		for _, g := range got {
			d := distance([]rune(in), []rune(g))
			if !slices.Contains(names, g) || d > 2 || d < last {
				t.Fatalf("%q for %q: distance %d after %d", g, in, d, last)
			}
			last = d
		}
		if len([]rune(in)) > 64 {
			return
		}
		near := 0
		for _, n := range names {
			if distance([]rune(in), []rune(n)) <= 2 {
				near++
			}
		}
		if want := min(near, 3); len(got) != want {
			t.Fatalf("%d suggestions for %q, and %d names are near", len(got), in, near)
		}
	})
}

// distance is the optimal string alignment distance, as its definition has it.
func distance(a, b []rune) int {
	d := make([][]int, len(a)+1)
	for i := range d {
		d[i] = make([]int, len(b)+1)
		d[i][0] = i
	}
	for j := range d[0] {
		d[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			d[i][j] = min(d[i-1][j], d[i][j-1], d[i-1][j-1]) + 1
			if a[i-1] == b[j-1] {
				d[i][j] = min(d[i][j], d[i-1][j-1])
			}
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+1)
			}
		}
	}
	return d[len(a)][len(b)]
}
