package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/executors/postgres"
	"github.com/tenantry/tenantry/registry"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/scope"
	"github.com/tenantry/tenantry/serializer"
	"github.com/tenantry/tenantry/tenant"
)

// stride is how many rows a page may have here, so that a cursor gets deep into a large tenant in few pages.
const stride = 500

var columns = []string{"id", "account_id", "name", "status", "price", "active", "tags", "settings", "created_at", "updated_at"}

// widgets is the one resource that is measured.
var widgets = resource.Spec{
	Name:       "widgets",
	Table:      "widgets",
	Key:        []string{"id"},
	Scope:      scope.Column("account_id"),
	Serializer: serializer.Columns(columns...),
	Sortable:   []string{"created_at", "status", "name", "price"},
	Limits:     resource.Limits{Max: stride},
	Filterable: resource.Columns{
		"id": "id", "name": "name", "status": "status", "price": "price", "active": "active",
		"tags": "tags", "settings": "settings", "created_at": "created_at", "updated_at": "updated_at",
	},
	UpdatedAt: "updated_at",
}

// bench is what the parts of the report share.
type bench struct {
	opts  Options
	data  *database
	meter *meter

	raw, unset *pgxpool.Pool
	db         *postgres.DB
	others     []*postgres.DB      // the same, as other roles
	conns      *conns              // those of db
	exec       *executors.Executor // on db
	bare       *executors.Executor // on unset
	related    *executors.Executor // on db, with the parts of widgets

	small []*auth.Principal
	large *auth.Principal
}

func newBench(ctx context.Context, data *database, o Options) (*bench, error) {
	b := &bench{opts: o, data: data, meter: newMeter(data, o), conns: &conns{}}
	if err := errors.Join(b.connect(ctx), b.callers()); err != nil {
		b.close()
		return nil, err
	}
	return b, nil
}

func (b *bench) connect(ctx context.Context) error {
	cfg, err := b.config()
	if err != nil {
		return err
	}
	for _, pool := range []**pgxpool.Pool{&b.raw, &b.unset} {
		if *pool, err = pgxpool.NewWithConfig(ctx, cfg.Copy()); err != nil {
			return err
		}
	}
	cfg.AfterConnect = b.conns.add
	if b.db, err = postgres.Open(ctx, cfg); err != nil {
		return err
	}
	if b.exec, err = serving(ctx, b.db, widgets); err != nil {
		return err
	}
	if b.related, err = serving(ctx, b.db, related()...); err != nil {
		return err
	}
	b.bare, err = serving(ctx, &bare{b.db, b.unset}, widgets)
	return err
}

// config gives every pool as many connections as there are workers, so that no call waits for one.
func (b *bench) config() (*pgxpool.Config, error) {
	cfg, err := pgxpool.ParseConfig(b.data.url)
	if err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	cfg.MaxConns, cfg.MinConns = int32(b.opts.Workers), int32(b.opts.Workers)
	return cfg, nil
}

// serving builds an executor as a host does.
func serving(ctx context.Context, db executors.DB, specs ...resource.Spec) (*executors.Executor, error) {
	reg, err := registry.New(nil, specs...)
	if err != nil {
		return nil, err
	}
	return executors.New(ctx, db, reg, &executors.Options{Logger: slog.New(slog.DiscardHandler)})
}

// callers makes one principal for each tenant.
func (b *bench) callers() error {
	for i := range b.data.tenants + 1 {
		p, err := caller(int64(i + 1))
		if err != nil {
			return err
		}
		b.small = append(b.small, p)
	}
	b.large, b.small = b.small[b.data.tenants], b.small[:b.data.tenants]
	return nil
}

func caller(of int64) (*auth.Principal, error) {
	id, err := tenant.Int(of)
	if err != nil {
		return nil, err
	}
	return auth.NewPrincipal(auth.Grant{Issuer: "https://id.example.com", Subject: "user-" + id.Key(), Tenants: []tenant.ID{id}})
}

func (b *bench) close() {
	for _, pool := range []*pgxpool.Pool{b.raw, b.unset} {
		if pool != nil {
			pool.Close()
		}
	}
	for _, db := range append(b.others, b.db) {
		if db != nil {
			db.Close()
		}
	}
}

// page is a list of the given size in an order that an index serves.
func page(limit int) executors.ListRequest {
	return executors.ListRequest{Resource: "widgets", Sort: []string{"created_at"}, Limit: &limit}
}

// cursorAt walks the large tenant to a depth and returns the cursor that leads on.
func (b *bench) cursorAt(ctx context.Context, depth int) (string, error) {
	req := page(min(stride, depth))
	req.Fields = []string{"id"}
	for at := 0; at < depth; {
		answer, err := b.exec.List(ctx, b.large, req)
		if err != nil {
			return "", err
		}
		if req.Cursor, err = nextCursor(answer.JSON); err != nil {
			return "", err
		}
		at += answer.Rows
	}
	return req.Cursor, nil
}

// nextCursor reads the cursor of an answer; it is empty behind the last page.
func nextCursor(answer []byte) (string, error) {
	var doc struct {
		Meta struct {
			Cursor string `json:"next_cursor"`
		} `json:"meta"`
	}
	err := json.Unmarshal(answer, &doc)
	return doc.Meta.Cursor, err
}

// head says what is measured on, and makes sure that the server's processes can be seen from here.
func (b *bench) head(ctx context.Context, r *report) error {
	conn, err := pgx.Connect(ctx, b.data.url)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }() // it has only read
	var version, buffers string
	var clients int
	err = conn.QueryRow(ctx, `SELECT current_setting('server_version'), current_setting('shared_buffers'),
		(SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend')`).
		Scan(&version, &buffers, &clients)
	if err != nil {
		return err
	}
	pids, err := backends(b.data.name)
	if err != nil {
		return err
	}
	if len(pids) == 0 {
		return fmt.Errorf("bench: the server has %d connections to %s and none of their processes runs here: "+
			"their CPU can only be read on the server's own machine", clients, b.data.name)
	}
	how, _, _ := strings.Cut(b.data.server.How, "\n")
	r.note("PostgreSQL %s, shared_buffers %s, found by %s", version, buffers, how)
	r.note("%d tenants of %d rows and one of %d, in the database %s, loaded in %v",
		b.data.tenants, b.data.rows, b.data.large, b.data.name, b.data.loading.Round(time.Millisecond))
	r.note("%d workers; %d rounds of %v; seed %d", b.opts.Workers, b.opts.Rounds, b.opts.Slice, b.opts.Seed)
	return nil
}
