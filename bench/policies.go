package bench

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net/url"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/executors/postgres"
	"github.com/tenantry/tenantry/migrations"
	"github.com/tenantry/tenantry/registry"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/scope"
	"github.com/tenantry/tenantry/serializer"
)

const policiesSQL = `CALL tenantry.protect('widgets', 'account_id'); CALL tenantry.protect('parts', 'account_id')`

// Indexes for what is measured with policies alone: one by a numeric, whose comparisons are not leakproof, and those
// that make a widget a parent, and a part a row of its own.
const (
	priced = "CREATE INDEX IF NOT EXISTS widgets_price ON widgets (account_id, price, id)"
	parent = "CREATE UNIQUE INDEX IF NOT EXISTS widgets_id ON widgets (id)"
	child  = "CREATE UNIQUE INDEX IF NOT EXISTS parts_id ON parts (id)"
)

// pieces are the parts once more, which here reach their tenant through their widget.
var pieces = resource.Spec{
	Name:       "pieces",
	Table:      "parts",
	Key:        []string{"id"},
	Scope:      scope.Via("widgets", "widget_id"),
	Serializer: serializer.Columns("id", "widget_id", "name", "quantity"),
}

// Roles that read the same rows: one that row policies bind, and one that goes by them. Both are ordinary roles
// otherwise, as the administrator is not, whose rights nobody looks at.
const (
	boundRole = "_bound"
	freeRole  = "_free"
)

// roleSQL makes the role %[2]s, which may read in the database %[1]s. A kept database has it already.
const roleSQL = `DO $$ BEGIN
	IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '%[2]s') THEN CREATE ROLE %[2]s; END IF;
	ALTER ROLE %[2]s LOGIN PASSWORD '%[3]s' %[4]s;
	GRANT tenantry_reader TO %[2]s;
	REVOKE ALL ON DATABASE %[1]s FROM PUBLIC;
	GRANT CONNECT ON DATABASE %[1]s TO %[2]s;
END $$`

// protect makes the policies. They bind nobody who is here already: the administrator is a superuser.
func (db *database) protect(ctx context.Context) error {
	if err := migrations.Up(ctx, db.url, migrations.Framework); err != nil {
		return err
	}
	return run(ctx, db.url, policiesSQL, priced, parent, child)
}

// as makes a role and opens the database as it.
func (b *bench) as(ctx context.Context, role, attribute string) (*postgres.DB, error) {
	name, password := b.data.name+role, rand.Text()
	if err := run(ctx, b.data.url, fmt.Sprintf(roleSQL, b.data.name, name, password, attribute)); err != nil {
		return nil, err
	}
	u, err := url.Parse(b.data.url)
	if err != nil {
		return nil, errors.New("bench: the server's address is not a URL")
	}
	u.User = url.UserPassword(name, password)
	cfg, err := pgxpool.ParseConfig(u.String())
	if err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	cfg.MaxConns, cfg.MinConns = int32(b.opts.Workers), int32(b.opts.Workers)
	db, err := postgres.Open(ctx, cfg)
	if err == nil {
		b.others = append(b.others, db)
	}
	return db, err
}

// reading are the resources as a role reads them. A start that requires row policies has found all walls.
func (b *bench) reading(ctx context.Context, role, attribute string, walls bool) (*executors.Executor, error) {
	db, err := b.as(ctx, role, attribute)
	if err != nil {
		return nil, err
	}
	reg, err := registry.New(nil, append(related(), pieces)...)
	if err != nil {
		return nil, err
	}
	return executors.New(ctx, db, reg, &executors.Options{Logger: slog.New(slog.DiscardHandler), RequireRLS: walls})
}
