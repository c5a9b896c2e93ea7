package descriptor_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tenantry/tenantry/descriptor"
	"github.com/tenantry/tenantry/registry"
)

// FuzzParse holds that no text makes Parse panic, that every failure is a list of mistakes with a line of
// the file, that what is accepted builds a registry, and that no message shows what a variable holds.
func FuzzParse(f *testing.F) {
	good, err := os.ReadFile(filepath.Join("testdata", "acme.yaml"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	f.Add([]byte(small))
	for _, tc := range badFiles {
		f.Add([]byte(tc.in))
	}
	const secret = "zq!secret:of?a[variable"
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := descriptor.Parse("f.yaml", data, func(string) (string, bool) { return secret, true })
		if err == nil {
			if _, err := registry.NewWithGlobals(nil, file.Globals(), file.Specs()...); err != nil {
				t.Errorf("an accepted file makes no registry: %v", err)
			}
			return
		}
		if strings.Contains(err.Error(), secret) && !bytes.Contains(data, []byte(secret)) {
			t.Errorf("the value of a variable is shown: %v", err)
		}
		many, ok := err.(interface{ Unwrap() []error })
		if !ok {
			t.Fatalf("an error of type %T", err)
		}
		lines := 1 + bytes.Count(data, []byte("\n")) + bytes.Count(data, []byte("\r"))
		for _, one := range many.Unwrap() {
			m, ok := one.(*descriptor.Mistake)
			if !ok || m.File != "f.yaml" || m.Line < 0 || m.Line > lines || m.Message == "" {
				t.Errorf("a mistake without its place: %#v", one)
			}
		}
	})
}
