package serializer_test

import (
	"bytes"
	"encoding/json"
	"testing"
	"unicode/utf8"
)

// mustBeOneLine checks what every answer needs: valid JSON, valid UTF-8, no line break.
func mustBeOneLine(t *testing.T, out []byte) {
	t.Helper()
	if !json.Valid(out) || !utf8.Valid(out) || bytes.ContainsAny(out, "\r\n") {
		t.Fatalf("not one line of valid JSON: %q", out)
	}
}
