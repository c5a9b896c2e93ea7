package nearest_test

import (
	"testing"

	"github.com/tenantry/tenantry/internal/nearest"
)

func TestDistance(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		from, to   string
		most, want int
	}{
		{"", "", 2, 0},
		{"state", "state", 2, 0},
		{"statee", "state", 2, 1},
		{"sate", "state", 2, 1},
		{"stste", "state", 2, 1},
		{"satte", "state", 2, 1},
		{"größe", "grösse", 2, 2},
		{"ä", "a", 2, 1},
		{"", "abc", 2, 3},
		{"abcdef", "ghijkl", 2, 3},
		{"abcdef", "ghijkl", 9, 6},
		{"kitten", "sitting", 5, 3},
	} {
		if got := nearest.Distance([]rune(tt.from), []rune(tt.to), tt.most); got != tt.want {
			t.Errorf("from %q to %q is %d, want %d", tt.from, tt.to, got, tt.want)
		}
	}
}
