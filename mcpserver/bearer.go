package mcpserver

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/resource"
)

// maxToken bounds what a verifier is asked to look at.
const maxToken = 8 << 10

// authenticate turns the one Authorization header into a principal. A token anywhere else is ignored.
func (f *front) authenticate(r *http.Request) (*auth.Principal, *fault) {
	given := r.Header.Values("Authorization")
	if len(given) == 0 {
		return nil, f.challenge("", "send a token: Authorization: Bearer TOKEN")
	}
	if len(given) > 1 {
		return nil, f.challenge("invalid_request", "send exactly one Authorization header")
	}
	scheme, token, _ := strings.Cut(given[0], " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return nil, f.challenge("", "send a bearer token: Authorization: Bearer TOKEN")
	}
	token = strings.Trim(token, " ")
	if token == "" || len(token) > maxToken || strings.ContainsAny(token, " \t,") {
		return nil, f.challenge("invalid_token", "the token is not valid")
	}
	p, err := f.verify(r.Context(), token, r)
	switch {
	case err == nil && expired(p):
		return nil, f.challenge("invalid_token", "the token is not valid")
	case err == nil:
		return p, nil
	case errors.Is(err, auth.ErrUnavailable), r.Context().Err() != nil, errors.Is(err, context.DeadlineExceeded):
		f.opts.Logger.LogAttrs(r.Context(), slog.LevelWarn, "a token could not be verified", slog.String("cause", err.Error()))
		return nil, refusal(http.StatusServiceUnavailable, resource.Unavailable,
			"tokens cannot be verified now: send the same request again later").with("Retry-After", "5")
	}
	return nil, f.challenge("invalid_token", "the token is not valid")
}

// verify asks the host's verifier, which may crash or forget to answer; neither lets anybody in.
func (f *front) verify(ctx context.Context, token string, r *http.Request) (p *auth.Principal, err error) {
	defer func() {
		if recover() != nil {
			p, err = nil, auth.ErrUnavailable
		}
	}()
	p, err = f.verifier.Verify(ctx, token, r)
	if err == nil && p == nil {
		err = auth.ErrInvalid
	}
	return p, err
}

func expired(p *auth.Principal) bool {
	return !p.Expires().IsZero() && !time.Now().Before(p.Expires())
}

// challenge is the 401 of RFC 6750, with the metadata document of RFC 9728 when there is one.
func (f *front) challenge(code, message string) *fault {
	var params []string
	if code != "" {
		params = append(params, `error="`+code+`"`)
	}
	if f.opts.ResourceMetadata != "" {
		params = append(params, `resource_metadata="`+f.opts.ResourceMetadata+`"`)
	}
	value := "Bearer"
	if len(params) > 0 {
		value += " " + strings.Join(params, ", ")
	}
	return refusal(http.StatusUnauthorized, resource.Unauthenticated, message).with("WWW-Authenticate", value)
}
