package schema_test

import (
	"slices"
	"testing"
)

// behaviour is one thing that the package promises.
type behaviour struct {
	name  string
	check func(*testing.T)
}

func TestBehaviour(t *testing.T) {
	t.Parallel()
	for _, tt := range slices.Concat(formBehaviour, tagBehaviour, relationBehaviour, gateBehaviour, bodyBehaviour) {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tt.check(t)
		})
	}
}
