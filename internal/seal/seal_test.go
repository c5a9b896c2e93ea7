package seal_test

import (
	"bytes"
	"encoding/base64"
	"strings"
	"testing"

	"github.com/tenantry/tenantry/internal/seal"
)

var (
	oldSecret = bytes.Repeat([]byte("o"), 16)
	newSecret = bytes.Repeat([]byte("n"), 32)
)

func ring(t testing.TB, label string, secrets ...[]byte) *seal.Ring {
	t.Helper()
	r, err := seal.New(label, secrets)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func bound(to string) []byte { return append(make([]byte, seal.HeadRoom), to...) }

func TestSeal(t *testing.T) {
	t.Parallel()
	r := ring(t, "a", newSecret, oldSecret)
	text := string(r.Append([]byte("x"), []byte("secret"), bound("alice")))[1:]
	if len(text) != r.Size(len("secret")) || strings.Contains(text, "secret") {
		t.Errorf("%q has %d bytes, not %d", text, len(text), r.Size(6))
	}
	if again := string(r.Append(nil, []byte("secret"), bound("alice"))); again == text {
		t.Error("two texts are equal")
	}
	for _, tt := range []struct {
		name string
		ring *seal.Ring
		text string
		to   string
		ok   bool
	}{
		{"the same", r, text, "alice", true},
		{"a replica", ring(t, "a", newSecret), text, "alice", true},
		{"after a rotation", ring(t, "a", []byte("a newer key of bytes"), newSecret), text, "alice", true},
		{"an old key's", r, string(ring(t, "a", oldSecret).Append(nil, []byte("secret"), bound("alice"))), "alice", true},
		{"a key that is gone", ring(t, "a", oldSecret), text, "alice", false},
		{"another use", ring(t, "b", newSecret), text, "alice", false},
		{"another caller", r, text, "bob", false},
		{"a random ring", ring(t, "a"), text, "alice", false},
		{"cut", r, text[:len(text)-1], "alice", false},
		{"nothing", r, "", "alice", false},
		{"its head alone", r, text[:3], "alice", false},
		{"with a line end", r, text[:8] + "\n" + text[8:], "alice", false},
		{"with padding", r, text + "=", "alice", false},
		{"very long", r, strings.Repeat("A", seal.Max+1), "alice", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			plain, err := tt.ring.Open(tt.text, bound(tt.to))
			if (err == nil) != tt.ok || tt.ok && string(plain) != "secret" {
				t.Errorf("%q, %v", plain, err)
			}
		})
	}
}

// No bit of a text may change.
func TestEveryBitCounts(t *testing.T) {
	t.Parallel()
	r := ring(t, "a", newSecret)
	raw, err := base64.RawURLEncoding.DecodeString(string(r.Append(nil, []byte("secret"), bound("alice"))))
	if err != nil {
		t.Fatal(err)
	}
	for i := range raw {
		for bit := range 8 {
			raw[i] ^= 1 << bit
			if _, err := r.Open(base64.RawURLEncoding.EncodeToString(raw), bound("alice")); err == nil {
				t.Fatalf("bit %d of byte %d does not count", bit, i)
			}
			raw[i] ^= 1 << bit
		}
	}
}

func TestShortSecrets(t *testing.T) {
	t.Parallel()
	_, err := seal.New("a", [][]byte{[]byte("short"), newSecret, nil})
	if err == nil || !strings.Contains(err.Error(), "key 1 has 5 bytes") || !strings.Contains(err.Error(), "key 3 has 0 bytes") || strings.Contains(err.Error(), "key 2") {
		t.Error(err)
	}
}
