package auth

import (
	"context"
	"errors"
	"net/http"
)

// Verifier turns a bearer token into the principal it stands for. Implementations are safe for
// concurrent use. The request is nil on stdio.
//
// An error that wraps ErrUnavailable says that the token could not be judged (HTTP 503); every other
// error says that it is not good (HTTP 401). Neither text reaches the client.
type Verifier interface {
	Verify(ctx context.Context, token string, r *http.Request) (*Principal, error)
}

// Errors of a Verifier.
var (
	ErrInvalid     = errors.New("auth: the token is not valid")
	ErrUnavailable = errors.New("auth: the token cannot be verified now")
)

// VerifierFunc is a host's own verification as a function.
//
//	auth.VerifierFunc(func(ctx context.Context, token string, r *http.Request) (*auth.Principal, error) {
//		return principalOf(sessions.Find(ctx, token))
//	})
type VerifierFunc func(ctx context.Context, token string, r *http.Request) (*Principal, error)

// Verify calls f. A nil principal without an error is an invalid token, a principal beside an error does
// not count, and a panic in f means that the token cannot be verified: host code must not decide by
// crashing.
func (f VerifierFunc) Verify(ctx context.Context, token string, r *http.Request) (p *Principal, err error) {
	defer func() {
		if recover() != nil {
			p, err = nil, ErrUnavailable
		}
	}()
	p, err = f(ctx, token, r)
	switch {
	case err != nil:
		return nil, err
	case p == nil:
		return nil, ErrInvalid
	default:
		return p, nil
	}
}
