package postgres

import "testing"

func TestLeakyVersion(t *testing.T) {
	t.Parallel()
	for num, leaks := range map[int]bool{
		90624: true, 120022: true, 130021: true, 130022: false, 140018: true, 140019: false, 150013: true, 150014: false,
		160009: true, 160010: false, 170005: true, 170006: false, 180000: false, 190000: false,
	} {
		if why := leakyVersion(num); (why != "") != leaks {
			t.Errorf("%d: %q", num, why)
		}
	}
}
