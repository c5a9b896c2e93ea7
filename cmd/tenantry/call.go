package main

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/tenantry/tenantry/auth"
)

// caller is a command that acts for one token of the file.
type caller struct {
	*app
	principal *auth.Principal
}

// asCaller opens the file of a command that takes --token, after reading its flags.
func asCaller(ctx context.Context, t *terminal, f *flags, least int) (*caller, error) {
	f.file("error")
	token := f.String("token", "", "a token of auth.static")
	key := f.String("tenant", "", "which tenant, for a token of several")
	if err := f.parse(t, least, least+1); err != nil {
		return nil, err
	}
	if *token == "" {
		return nil, f.bad("--token is missing")
	}
	log, err := f.logger(t.err)
	if err != nil {
		return nil, err
	}
	file, err := load(t, f)
	if err != nil {
		return nil, err
	}
	a, err := open(ctx, file, log)
	if err != nil {
		return nil, err
	}
	p, err := a.identify(ctx, *token, *key)
	if err != nil {
		a.close()
		return nil, err
	}
	return &caller{a, p}, nil
}

func (a *app) identify(ctx context.Context, token, key string) (*auth.Principal, error) {
	p, err := a.tokens.Verify(ctx, token, nil)
	if err != nil {
		return nil, failf(statusUsage, "--token: %s has no such token under auth.static: write one that it has", a.file.Name)
	}
	if key == "" {
		return p, nil
	}
	if p, err = p.Activate(key); err != nil {
		return nil, failf(statusUsage, "--tenant: the token does not grant that tenant: write one that it names")
	}
	return p, nil
}

// call makes one call and prints its answer, whether good or an error of the contract.
func call(ctx context.Context, t *terminal, f *flags) error {
	c, err := asCaller(ctx, t, f, 1)
	if err != nil {
		return err
	}
	defer c.close()
	var args json.RawMessage
	if len(f.rest) > 1 {
		args = json.RawMessage(f.rest[1])
	}
	body, refused, err := c.server.Call(ctx, c.principal, f.rest[0], args)
	if err != nil {
		return f.bad("%v", err)
	}
	if _, err := fmt.Fprintf(t.out, "%s\n", body); err != nil {
		return err
	}
	if refused {
		return &failure{status: statusRefused}
	}
	return nil
}
