package descriptor_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/descriptor"
)

// tail makes a whole file of lines that say nothing of resources.
const tail = "resources: {orders: {table: orders, scope: {column: t}, fields: {id: }}}\n"

func TestMistakes(t *testing.T) {
	t.Parallel()
	env := environment("SECRET", "hunter2", "SHORT", "hunter2", "DOTTED", "hunter2.x")
	for _, tc := range badFiles {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			_, err := descriptor.Parse("acme.yaml", []byte(tc.in), env)
			if err == nil {
				t.Fatal("the file is accepted")
			}
			if diff := cmp.Diff(tc.want, strings.Split(err.Error(), "\n")); diff != "" {
				t.Error(diff)
			}
			if strings.Contains(err.Error(), "hunter2") {
				t.Error("the message shows a secret")
			}
		})
	}
}
