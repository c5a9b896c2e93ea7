package match_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/schema/internal/match"
)

// heavy has 900 instructions, and no text is read to its end before all of them were tried.
const heavy = `^(?:[𐍈a]?){448}x`

// A document of many fields is no dearer than one of a single field.
func TestBudgetOfADocument(t *testing.T) {
	t.Parallel()
	var budget match.Budget
	text := strings.Repeat("𐍈", 1000)
	p := compile(t, heavy)
	if cost := p.Cost(len(text)); cost != 3_600_000 {
		t.Fatalf("one match costs %d steps", cost)
	}
	var run []int
	for field := range 40 {
		if budget.Spend(p, text) {
			run = append(run, field)
			if p.Match(text) {
				t.Error("it matches without the x")
			}
		}
	}
	if diff := cmp.Diff([]int{0}, run); diff != "" {
		t.Error(diff)
	}
}

func TestBudget(t *testing.T) {
	t.Parallel()
	p := compile(t, "a{998}") // a thousand steps a byte
	for _, tc := range []struct {
		name  string
		bytes []int
		want  []bool
	}{
		{"all of it at once", []int{4000, 1}, []bool{true, false}},
		{"one byte too many", []int{4001}, []bool{false}},
		{"what is refused costs nothing", []int{4001, 4000, 1}, []bool{false, true, false}},
		{"a cheaper one may follow", []int{3000, 1001, 1000}, []bool{true, false, true}},
		{"an empty text costs something", []int{3999, 0, 0}, []bool{true, true, false}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			var budget match.Budget
			got := make([]bool, len(tc.bytes))
			for i, n := range tc.bytes {
				got[i] = budget.Spend(p, strings.Repeat("a", n))
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A budget can be smaller than the whole, and never greater.
func TestNewBudget(t *testing.T) {
	t.Parallel()
	p := compile(t, "a{998}") // a thousand steps a byte
	for _, tc := range []struct{ steps, bytes int }{{5_000, 5}, {999, 0}, {match.MaxSteps, 4000}, {match.MaxSteps + 1000, 4000}} {
		budget := match.NewBudget(tc.steps)
		if n := tc.bytes + 1; budget.Spend(p, strings.Repeat("a", n)) {
			t.Errorf("%d bytes for %d steps", n, tc.steps)
		}
		if n := tc.bytes; n > 0 && !budget.Spend(p, strings.Repeat("a", n)) {
			t.Errorf("not even %d bytes for %d steps", n, tc.steps)
		}
	}
}

// Empty texts run out of budget too.
func TestBudgetOfEmptyTexts(t *testing.T) {
	t.Parallel()
	var budget match.Budget
	p, run := compile(t, "a{998}"), 0
	for budget.Spend(p, "") {
		run++
	}
	if run != match.MaxSteps/1000 {
		t.Errorf("%d were matched", run)
	}
}

func ExampleBudget() {
	p, err := match.CompileOwn(`^[A-Z]{2};\d+$`)
	if err != nil {
		fmt.Println(err)
		return
	}
	var budget match.Budget
	for _, text := range []string{"AB;1", "ab;1"} {
		if !budget.Spend(p, text) {
			fmt.Println("not proven, so not accepted")
			continue
		}
		fmt.Println(text, p.Match(text))
	}
	// Output:
	// AB;1 true
	// ab;1 false
}
