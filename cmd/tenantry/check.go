package main

import (
	"context"
	"errors"
	"fmt"
	"io"
)

// check builds everything a server would and prints what it finds, one line for each finding.
func check(ctx context.Context, t *terminal, f *flags) error {
	f.file("error")
	if err := f.parse(t, 0, 0); err != nil {
		return err
	}
	log, err := f.logger(t.err)
	if err != nil {
		return err
	}
	file, err := load(t, f)
	if err != nil {
		return err
	}
	db, err := database(ctx, file)
	if err != nil {
		return err
	}
	a, err := openOn(ctx, db, file, log)
	if bad, ok := errors.AsType[*failure](err); ok && bad.status == statusBadFile {
		for _, one := range leaves(err) {
			finding(t.out, "error", one.Error())
		}
		return &failure{status: statusFailed}
	}
	if err != nil {
		return err
	}
	defer a.close()
	a.findings(t.out)
	advice, err := a.exec.Advice(ctx)
	if err != nil {
		return a.refused(ctx, err)
	}
	for _, one := range advice {
		finding(t.out, "advice", one.Error())
	}
	printf(t.out, "ok: resources checked: %d; tenant key: %s\n", len(a.reg.All()), a.exec.TenantKind())
	return nil
}

// findings prints the warnings of a file that can be served.
func (a *app) findings(w io.Writer) {
	for _, err := range a.exec.Findings() {
		finding(w, "warning", scrub(a.file, err.Error()))
	}
	for _, res := range a.reg.All() {
		if res.Requires() == "" && !res.Internal() {
			finding(w, "warning", fmt.Sprintf("resource %s: no permission scope: every authenticated caller of the tenant may read it; write requires: in it, or defaults: {requires: …}", res.Name()))
		}
	}
	if len(a.file.CursorKeys) == 0 {
		finding(w, "warning", "cursor_keys: a random key for each process: cursors end with it, and do not work across replicas")
	}
	if len(a.file.Auth.Static) == 0 {
		finding(w, "warning", "auth: nobody could call: write a token under auth.static")
	}
}

func finding(w io.Writer, kind, text string) { printf(w, "%s: %s\n", kind, oneLine(text)) }
