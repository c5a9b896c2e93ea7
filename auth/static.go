package auth

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"net/http"
	"time"
)

// Static verifies fixed tokens from a table: for development on a loopback address only, which
// mcpserver enforces. Tokens are kept as SHA-256 digests and compared in constant time.
type Static struct{ entries []staticEntry }

type staticEntry struct {
	digest    [sha256.Size]byte
	principal *Principal
}

// NewStatic returns a verifier for the given tokens. An empty or repeated token and a bad grant are errors.
func NewStatic(tokens map[string]Grant) (*Static, error) {
	s := &Static{}
	for token, g := range tokens {
		if token == "" {
			return nil, errors.New("auth: a static token is empty")
		}
		p, err := NewPrincipal(g)
		if err != nil {
			return nil, fmt.Errorf("static token of %q: %w", g.Subject, err)
		}
		s.entries = append(s.entries, staticEntry{sha256.Sum256([]byte(token)), p})
	}
	return s, nil
}

// Verify returns the principal of the token. Every entry is compared, so that time tells nothing.
func (s *Static) Verify(_ context.Context, token string, _ *http.Request) (*Principal, error) {
	digest := sha256.Sum256([]byte(token))
	var found *Principal
	for _, e := range s.entries {
		if subtle.ConstantTimeCompare(digest[:], e.digest[:]) == 1 {
			found = e.principal
		}
	}
	if found == nil || (!found.expires.IsZero() && !time.Now().Before(found.expires)) {
		return nil, ErrInvalid
	}
	return found, nil
}

// DevelopmentOnly reports true: static tokens are refused on a listener that is not loopback.
func (s *Static) DevelopmentOnly() bool { return true }
