package main

import (
	"context"
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"strings"

	"github.com/tenantry/tenantry/descriptor"
	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/executors/postgres"
	"github.com/tenantry/tenantry/executors/sqlite"
)

// surveyed is a database that can say what it holds.
type surveyed interface {
	Survey(ctx context.Context) (*executors.Survey, error)
	Close()
}

// initialize drafts a file for a database. It never writes over one.
func initialize(ctx context.Context, t *terminal, f *flags) error {
	address := f.String("database", "", "postgres://USER@HOST/NAME or sqlite:FILE, as the role that will serve it")
	column := f.String("tenant-column", "", "the column that says whose a row is, such as tenant_id")
	out := f.String("out", "", "the file to write, in place of stdout")
	if err := f.parse(t, 0, 0); err != nil {
		return err
	}
	if *column == "" {
		return f.bad("--tenant-column is missing")
	}
	db, err := f.survey(ctx, *address)
	if err != nil {
		return err
	}
	defer db.Close()
	survey, err := db.Survey(ctx)
	if err != nil {
		return cannotSurvey(*address, err)
	}
	text, err := descriptor.Starter(survey, *column, descriptor.Secret(rand.Text()))
	if none, ok := errors.AsType[*descriptor.NoTableError](err); ok {
		return failf(statusUsage, "--tenant-column: %v", none)
	}
	if err != nil {
		return err
	}
	return deliver(t, *out, text)
}

// survey opens the database that the flag names.
func (f *flags) survey(ctx context.Context, address string) (surveyed, error) {
	if path, ok := strings.CutPrefix(address, "sqlite:"); ok && path != "" && path != sqlite.Memory {
		db, err := sqlite.Open(ctx, path)
		if err != nil {
			return nil, cannotSurvey(address, err)
		}
		return db, nil
	}
	if !strings.HasPrefix(address, "postgres://") && !strings.HasPrefix(address, "postgresql://") {
		return nil, f.bad("--database is a postgres:// URL or sqlite:FILE")
	}
	db, err := postgres.OpenURL(ctx, address)
	if err != nil {
		return nil, f.bad("--database: %s", withoutSecrets(err.Error(), address))
	}
	return db, nil
}

func cannotSurvey(address string, cause error) error {
	text := oneLine(cause.Error())
	if !strings.HasPrefix(address, "sqlite:") {
		text = withoutSecrets(text, address)
	}
	return failf(statusUnreachable, "the database cannot be reached: see that it runs and that --database names it and its user (%s)", text)
}

// deliver writes the draft. The file holds a token, so that others on the machine do not read it.
func deliver(t *terminal, path string, text []byte) error {
	if path == "" {
		_, err := t.out.Write(text)
		return err
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return failf(statusUsage, "%s is there already: name another file with --out, or move it away", path)
	}
	if err != nil {
		return failf(statusFailed, "the file cannot be written: %v", err)
	}
	_, err = file.Write(text)
	if err := errors.Join(err, file.Close()); err != nil {
		return failf(statusFailed, "the file cannot be written: %v", err)
	}
	printf(t.err, "%s is written: read it, set DATABASE_URL, then run tenantry check --config %[1]s\n", path)
	return nil
}
