package descriptor_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/tenantry/tenantry/descriptor"
)

const secretFile = `database: postgres://u:hunter2@db/acme
auth: {static: [{token: hunter2, subject: alice, tenant: 1}]}
cursor_keys: [hunter2-hunter2-hunter2]
` + tail

func TestSecretsAreNotPrinted(t *testing.T) {
	t.Parallel()
	f, err := descriptor.Parse("acme.yaml", []byte(secretFile), nil)
	if err != nil {
		t.Fatal(err)
	}
	asJSON, err := json.Marshal(f)
	if err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	for _, h := range []slog.Handler{slog.NewJSONHandler(&log, nil), slog.NewTextHandler(&log, nil)} {
		slog.New(h).Info("file", "file", f, "database", f.Database, "auth", f.Auth)
	}
	for _, shown := range []string{
		fmt.Sprintf("%v", f), fmt.Sprintf("%+v", *f), fmt.Sprintf("%#v", *f), fmt.Sprintf("%s %q %x %v", f.Database, f.CursorKeys, f.Database, f.Auth),
		fmt.Sprint(f.Auth.Static), string(asJSON), log.String(),
	} {
		if strings.Contains(shown, "hunter2") || strings.Contains(shown, fmt.Sprintf("%x", "hunter2")) {
			t.Errorf("a secret is shown: %s", shown)
		}
	}
	if string(f.Database) != "postgres://u:hunter2@db/acme" {
		t.Error("the text of a secret is lost")
	}
}
