package descriptor_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/descriptor"
	"github.com/tenantry/tenantry/registry"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/scope"
	"github.com/tenantry/tenantry/serializer"
)

// everything compares unexported members too: a scope and a serializer have no others.
var everything = cmp.Exporter(func(reflect.Type) bool { return true })

func environment(pairs ...string) func(string) (string, bool) {
	vars := map[string]string{}
	for i := 0; i < len(pairs); i += 2 {
		vars[pairs[i]] = pairs[i+1]
	}
	return func(name string) (string, bool) {
		value, ok := vars[name]
		return value, ok
	}
}

var acmeEnv = environment(
	"DATABASE_URL", "postgres://acme:hunter2@db/acme",
	"TOKEN", "many-${not again}",
	"CURSOR_KEY", "0123456789abcdef0123456789abcdef",
)

func acme(t *testing.T) *descriptor.File {
	t.Helper()
	f, err := descriptor.Load(filepath.Join("testdata", "acme.yaml"), acmeEnv)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestLoad(t *testing.T) {
	t.Parallel()
	no := false
	want := &descriptor.File{
		Name:       filepath.Join("testdata", "acme.yaml"),
		Database:   "postgres://acme:hunter2@db/acme",
		RequireRLS: &no,
		Server: descriptor.Server{
			Name: "acme", Listen: "127.0.0.1:8400", Path: "/mcp/v1", Prefix: "acme_",
			PublicURL:      "https://mcp.acme.example",
			AllowedOrigins: []string{"https://app.acme.example", "http://localhost:3000"},
			Content:        descriptor.ContentStructured,
		},
		Auth: descriptor.Auth{Static: []descriptor.StaticToken{
			{
				Token: "one", Subject: "alice", Tenants: []descriptor.TenantKey{{Text: "1", Number: true}},
				Scopes: []string{"orders:read", "customers:read"},
			},
			{
				Token: "many-${not again}", Subject: "carol", Scopes: []string{"orders:read"},
				Tenants: []descriptor.TenantKey{{Text: "1", Number: true}, {Text: "2", Number: true}, {Text: "3"}},
			},
		}},
		CursorKeys: []descriptor.Secret{"0123456789abcdef0123456789abcdef", "an-older-key-of-bytes"},
		Defaults:   descriptor.Defaults{Requires: "any:read"},
		Limits: descriptor.Limits{
			Default: 10, Max: 50, PageBytes: 32768, StatementTimeout: 2500 * time.Millisecond,
		},
	}
	unexported := cmp.FilterPath(func(p cmp.Path) bool {
		field, ok := p.Last().(cmp.StructField)
		return ok && (field.Name() == "specs" || field.Name() == "mistake")
	}, cmp.Ignore())
	if diff := cmp.Diff(want, acme(t), everything, unexported); diff != "" {
		t.Error(diff)
	}
}

func TestSpecs(t *testing.T) {
	t.Parallel()
	want := []resource.Spec{
		{
			Name:        "orders",
			Description: "Orders placed by customers.",
			Note:        "Drafts are included,\nand cost ${NOTHING}.\n",
			Table:       "sales.orders",
			Key:         []string{"tenant_id", "number"},
			Scope:       scope.AnyOf(scope.Column("tenant_id"), scope.Via("customers", "tenant_id", "bill_to")),
			Narrow: resource.Conditions{
				"deleted_at": nil,
				"state":      resource.Conditions{"op": "not_in", "value": []any{"void", "7"}},
				"total": []any{
					resource.Conditions{"op": "gteq", "value": json.Number("0.10")},
					resource.Conditions{"op": "lt", "value": json.Number("12345678901234567890")},
				},
				"open":      true,
				"placed_at": resource.Conditions{"op": "gt", "value": "2020-01-01"},
				"any": []any{
					resource.Conditions{"a": json.Number("1")},
					resource.Conditions{"not": resource.Conditions{"b": json.Number("2")}},
				},
			},
			Requires: "orders:read",
			Filterable: resource.Columns{
				"id": "id", "number": "number", "state": "state", "subject_id": "subject_id",
				"subject_type": "subject_type", "customer_id": "bill_to", "hidden_column": "hidden_column",
			},
			Companions: map[string]string{"subject_id": "subject_type"},
			Sortable:   []string{"id", "placed_at", "total"},
			Groupable:  []string{"state", "placed_at"},
			Measures:   []string{"total", "customer_id"},
			UpdatedAt:  "changed_at",
			Serializer: serializer.Fields(
				resource.Field{Name: "id", Column: "id"},
				resource.Field{Name: "number", Column: "number"},
				resource.Field{Name: "state", Column: "state"},
				resource.Field{Name: "placed_at", Column: "placed_at"},
				resource.Field{Name: "total", Column: "total"},
				resource.Field{Name: "subject_type", Column: "subject_type"},
				resource.Field{Name: "subject_id", Column: "subject_id"},
				resource.Field{Name: "customer_id", Column: "bill_to"},
				resource.Field{Name: "margin", Column: "margin", Requires: "finance:read", Description: "Gross margin."},
			),
			Relations: []resource.Relation{
				resource.BelongsTo("customer", "customers", "bill_to"),
				resource.HasMany("lines", "order_lines", "tenant_id", "order_number"),
				resource.HasOne("invoice", "order_lines", "order_id"),
				resource.ManyToMany("tags", "customers", "order_tags", []string{"order_id"}, []string{"tenant_id", "tag_id"}),
				resource.Polymorphic("subject", "subject_type", "subject_id"),
			},
			Limits: resource.Limits{Default: 5, Max: 500},
		},
		{
			Name:       "customers",
			Table:      "customers",
			Scope:      scope.SharedOr(scope.Column("tenant_id"), "is_shared", "Demo customers, for all."),
			Filterable: resource.Columns{"who": "full_name", "mail": "email"},
			Serializer: serializer.Fields(
				resource.Field{Name: "id", Column: "id"},
				resource.Field{Name: "name", Column: "full_name"},
			),
		},
		{
			Name:       "order_lines",
			Table:      "order_lines",
			Internal:   true,
			Scope:      scope.Via("orders", "tenant_id", "order_id"),
			Serializer: serializer.Fields(resource.Field{Name: "id", Column: "id"}),
		},
	}
	got := acme(t).Specs()
	if diff := cmp.Diff(want, got, everything); diff != "" {
		t.Error(diff)
	}
	if _, err := registry.New(nil, got...); err != nil {
		t.Error(err)
	}
}

func TestDefaults(t *testing.T) {
	t.Parallel()
	f, err := descriptor.Parse("small.yaml", []byte(small), nil)
	if err != nil {
		t.Fatal(err)
	}
	want := descriptor.Server{Name: "tenantry", Listen: "127.0.0.1:8377", Path: "/mcp", Content: descriptor.ContentBoth}
	if diff := cmp.Diff(want, f.Server); diff != "" {
		t.Error(diff)
	}
	if f.RLS() || f.Limits != (descriptor.Limits{}) || f.Database != "" || len(f.CursorKeys) > 0 {
		t.Errorf("a file without settings has some: %+v", f)
	}
}

// small is the least a file can hold.
const small = `resources:
  orders: {table: orders, scope: {column: tenant_id}, fields: {id: }}
`

func TestLoadErrors(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if _, err := descriptor.Load(filepath.Join(dir, "none.yaml"), nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
	large := filepath.Join(dir, "large.yaml")
	if err := os.WriteFile(large, []byte(small+strings.Repeat("#", 1<<20)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := descriptor.Load(large, nil); err == nil || !strings.Contains(err.Error(), "larger than 1048576 bytes") {
		t.Errorf("a large file: %v", err)
	}
}
