package mcpserver_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/tenant"
)

// live makes the static tokens count as real ones.
type live struct{ v auth.Verifier }

func (l live) Verify(ctx context.Context, token string, r *http.Request) (*auth.Principal, error) {
	return l.v.Verify(ctx, token, r)
}

// rawVerifier is a host's verifier that guards against nothing.
type rawVerifier func(token string) (*auth.Principal, error)

func (f rawVerifier) Verify(_ context.Context, token string, _ *http.Request) (*auth.Principal, error) {
	return f(token)
}

func TestBearer(t *testing.T) {
	t.Parallel()
	alice := principal(t, tokenOne)
	verify := rawVerifier(func(token string) (*auth.Principal, error) {
		switch token {
		case "good":
			return alice, nil
		case "late":
			return auth.NewPrincipal(auth.Grant{Subject: "late", Tenants: []tenant.ID{intTenant(t, 1)}, Expires: time.Unix(1, 0)})
		case "nobody":
			return nil, nil
		case "crash":
			panic("SECRET")
		case "down":
			return nil, fmt.Errorf("%w: dial tcp SECRET:443", auth.ErrUnavailable)
		case "slow":
			return nil, fmt.Errorf("SECRET: %w", context.DeadlineExceeded)
		}
		return nil, errors.New("SECRET reason")
	})
	opts := quiet()
	opts.ResourceMetadata = "https://mcp.example.com/.well-known/oauth-protected-resource"
	h, err := newServer(t, newShop(), opts).HTTP(verify)
	if err != nil {
		t.Fatal(err)
	}
	const metadata = `resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource"`
	tests := []struct {
		name      string
		headers   []string // values of Authorization
		query     string
		status    int
		challenge string
	}{
		{"good", []string{"Bearer good"}, "", 200, ""},
		{"lower case", []string{"bearer good"}, "", 200, ""},
		{"two blanks", []string{"Bearer  good"}, "", 200, ""},
		{"missing", nil, "", 401, "Bearer " + metadata},
		{"in the query", nil, "?access_token=good&token=good", 401, "Bearer " + metadata},
		{"basic", []string{"Basic Z29vZA=="}, "", 401, "Bearer " + metadata},
		{"scheme alone", []string{"Bearer"}, "", 401, `Bearer error="invalid_token", ` + metadata},
		{"two headers", []string{"Bearer good", "Bearer good"}, "", 401, `Bearer error="invalid_request", ` + metadata},
		{"two tokens", []string{"Bearer good, Bearer good"}, "", 401, `Bearer error="invalid_token", ` + metadata},
		{"junk", []string{"Bearer junk"}, "", 401, `Bearer error="invalid_token", ` + metadata},
		{"expired", []string{"Bearer late"}, "", 401, `Bearer error="invalid_token", ` + metadata},
		{"too long", []string{"Bearer " + strings.Repeat("g", 9<<10)}, "", 401, `Bearer error="invalid_token", ` + metadata},
		{"nobody", []string{"Bearer nobody"}, "", 401, `Bearer error="invalid_token", ` + metadata},
		{"authority down", []string{"Bearer down"}, "", 503, ""},
		{"authority slow", []string{"Bearer slow"}, "", 503, ""},
		{"verifier crashed", []string{"Bearer crash"}, "", 503, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			req := httptest.NewRequest(http.MethodPost, "/mcp"+tt.query, strings.NewReader(request("ping", "{}")))
			req = req.WithContext(listening("127.0.0.1", "localhost").Context())
			req.Host = "localhost"
			req.Header["Authorization"] = tt.headers
			req.Header.Set("Content-Type", "application/json")
			w := httptest.NewRecorder()
			h.ServeHTTP(w, req)
			if w.Code != tt.status || w.Header().Get("WWW-Authenticate") != tt.challenge {
				t.Errorf("%d %q, want %d %q", w.Code, w.Header().Get("WWW-Authenticate"), tt.status, tt.challenge)
			}
			if strings.Contains(w.Body.String(), "SECRET") {
				t.Errorf("leaked: %s", w.Body)
			}
			if tt.status != 200 && faultOf(t, w.Body.String()).ID != "null" {
				t.Errorf("not JSON-RPC: %s", w.Body)
			}
			if (tt.status == 503) != (w.Header().Get("Retry-After") != "") {
				t.Errorf("Retry-After %q", w.Header().Get("Retry-After"))
			}
		})
	}
}

// Without a metadata document the challenge is bare.
func TestBareChallenge(t *testing.T) {
	t.Parallel()
	url := serve(t, newShop(), quiet())
	if got := post(t, url, request("ping", "{}"), "Authorization", "").Header.Get("WWW-Authenticate"); got != "Bearer" {
		t.Errorf("missing: %q", got)
	}
	if got := post(t, url, request("ping", "{}"), "Authorization", "Bearer x").Header.Get("WWW-Authenticate"); got != `Bearer error="invalid_token"` {
		t.Errorf("bad: %q", got)
	}
}
