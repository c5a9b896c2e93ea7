package main

// Internal: a program has no other door.

import "testing"

func TestScopes(t *testing.T) {
	t.Parallel()
	for _, s := range scopes {
		if err := repeat(t.Context(), s.name, 2); err != nil {
			t.Errorf("%s: %v", s.name, err)
		}
	}
	if err := repeat(t.Context(), "none", 2); err == nil {
		t.Error("a scope that is not there was counted")
	}
}

// The witness that is counted is one that is looked at.
func TestWitnessIsLookedAt(t *testing.T) {
	t.Parallel()
	for name, fails := range map[string]bool{"global": false, "column": true, "via": true} {
		rows := recording(pageRows + 1)
		rows[3][len(columns)] = []byte("4712")
		x, err := serving(t.Context(), name, rows)
		if err != nil {
			t.Fatal(err)
		}
		p, err := caller()
		if err != nil {
			t.Fatal(err)
		}
		if err := once(t.Context(), x, p); (err != nil) != fails {
			t.Errorf("a row of another tenant, of a %s scope: %v", name, err)
		}
	}
}

func TestVerdict(t *testing.T) {
	t.Parallel()
	for n, short := range map[float64]bool{1030: false, 1031: true} {
		if err := verdict(map[string]float64{"global": 1000, "column": n, "via": 1}); (err != nil) != short {
			t.Errorf("%v of 1000 instructions: %v", n, err)
		}
	}
}
