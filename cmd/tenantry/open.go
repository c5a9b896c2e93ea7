package main

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"net/url"
	"regexp"
	"strings"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/descriptor"
	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/executors/postgres"
	"github.com/tenantry/tenantry/executors/sqlite"
	"github.com/tenantry/tenantry/mcpserver"
	"github.com/tenantry/tenantry/registry"
	"github.com/tenantry/tenantry/resource"
)

// app is a file joined to its database.
type app struct {
	file   *descriptor.File
	reg    *registry.Registry
	db     executors.DB
	exec   *executors.Executor
	server *mcpserver.Server
	tokens *auth.Static
	log    *slog.Logger
}

func (a *app) close() { a.db.Close() }

// load reads the file that --config names.
func load(t *terminal, f *flags) (*descriptor.File, error) {
	file, err := descriptor.Load(*f.config, t.env)
	if err == nil {
		return file, nil
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, failf(statusBadFile, "%s is not there: name the file with --config", *f.config)
	}
	return nil, &failure{statusBadFile, err}
}

// open joins a file to its database. What the database refuses is a mistake of the file, unless it
// cannot be asked.
func open(ctx context.Context, file *descriptor.File, log *slog.Logger) (*app, error) {
	db, err := database(ctx, file)
	if err != nil {
		return nil, err
	}
	return openOn(ctx, db, file, log)
}

// openOn is open with a database, which it closes when it fails.
func openOn(ctx context.Context, db executors.DB, file *descriptor.File, log *slog.Logger) (*app, error) {
	a := &app{file: file, db: db, log: log}
	if err := a.build(ctx); err != nil {
		a.close()
		return nil, err
	}
	return a, nil
}

func (a *app) build(ctx context.Context) (err error) {
	a.reg, err = registry.NewWithGlobals(&registry.Options{Requires: a.file.Defaults.Requires}, a.file.Globals(), a.file.Specs()...)
	if err != nil {
		return &failure{statusBadFile, err}
	}
	a.exec, err = executors.New(ctx, a.db, a.reg, a.limits())
	if err != nil {
		return a.refused(ctx, err)
	}
	grants, err := a.file.Grants(a.exec.TenantKind())
	if err != nil {
		return &failure{statusBadFile, err}
	}
	if a.tokens, err = auth.NewStatic(grants); err != nil {
		return failf(statusBadFile, "%s: auth.static: %v", a.file.Name, err)
	}
	s := a.file.Server
	a.server, err = mcpserver.New(a.exec, &mcpserver.Options{
		Name: s.Name, Version: buildVersion(), Prefix: s.Prefix, Path: s.Path, Listen: s.Listen,
		PublicURL: s.PublicURL, AllowedOrigins: s.AllowedOrigins, Content: mcpserver.Content(s.Content), Logger: a.log,
		StateKeys: a.cursorKeys(),
	})
	if err != nil {
		return failf(statusBadFile, "%s: server: %v", a.file.Name, err)
	}
	return nil
}

func (a *app) limits() *executors.Options {
	return &executors.Options{
		DefaultLimit: a.file.Limits.Default, MaxLimit: a.file.Limits.Max, PageBytes: a.file.Limits.PageBytes,
		StatementTimeout: a.file.Limits.StatementTimeout, RequireRLS: a.file.RLS(), Logger: a.log, CursorKeys: a.cursorKeys(),
	}
}

// cursorKeys seal whatever a client keeps for a later call.
func (a *app) cursorKeys() [][]byte {
	var keys [][]byte
	for _, key := range a.file.CursorKeys {
		keys = append(keys, []byte(key))
	}
	return keys
}

// database opens what the file names. It connects when it is first asked something.
func database(ctx context.Context, file *descriptor.File) (executors.DB, error) {
	if file.Database == "" {
		return nil, failf(statusBadFile, "%s: database is missing: write database: postgres://USER@HOST/NAME or sqlite:FILE", file.Name)
	}
	if path, ok := file.SQLite(); ok {
		db, err := sqlite.Open(ctx, path)
		if err != nil {
			return nil, unreachable(file, err)
		}
		return db, nil
	}
	db, err := postgres.OpenURL(ctx, string(file.Database))
	if err != nil {
		return nil, failf(statusBadFile, "%s: database: %s", file.Name, scrub(file, err.Error()))
	}
	return db, nil
}

// refused gives what the executor found wrong its exit status. A database that does not let us in at all
// has found nothing wrong with the file.
func (a *app) refused(ctx context.Context, err error) error {
	if e, ok := errors.AsType[*resource.Error](err); ok && (e.Code == resource.Unavailable || e.Code == resource.Timeout) {
		return unreachable(a.file, cmp.Or(e.Unwrap(), err))
	}
	if a.db.Ping(ctx) != nil {
		return unreachable(a.file, err)
	}
	var out []error
	for _, one := range leaves(err) {
		out = append(out, errors.New(a.file.Name+": "+scrub(a.file, one.Error())))
	}
	return &failure{statusBadFile, errors.Join(out...)}
}

func unreachable(file *descriptor.File, cause error) error {
	return failf(statusUnreachable, "the database cannot be reached: see that it runs and that database: in %s names it and its user (%s)",
		file.Name, scrub(file, oneLine(cause.Error())))
}

// scrub takes what is secret of the database's URL out of a text that a driver wrote.
func scrub(file *descriptor.File, text string) string {
	if _, ok := file.SQLite(); ok {
		return text
	}
	return withoutSecrets(text, string(file.Database))
}

func withoutSecrets(text, address string) string {
	text = strings.ReplaceAll(text, address, "(hidden)")
	u, err := url.Parse(address)
	if err != nil || u.User == nil {
		return text
	}
	const blank = "\x00" // what stands in its place may be the password itself
	password, _ := u.User.Password()
	_, written, _ := strings.Cut(u.User.String(), ":")
	for _, p := range []string{password, written} {
		if p == "" || p == u.User.Username() || p == strings.TrimPrefix(u.Path, "/") {
			continue // nothing, or no secret by itself
		}
		// A word of its own: inside of other words it would spoil them, and the gaps would give it away.
		alone := regexp.MustCompile(`(^|[^\pL\pN_])` + regexp.QuoteMeta(p) + `($|[^\pL\pN_])`)
		for range 2 { // one character may part two of them, and belongs to the first
			text = alone.ReplaceAllString(text, "${1}"+blank+"${2}")
		}
	}
	return strings.ReplaceAll(text, blank, "(hidden)")
}
