package executors_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/tenant"
)

// oneRow is a row of orders that has everything.
var oneRow = row{
	"id": "7", "number": "N-7", "status": "open", "total": "19.90", "paid": "true", "placed_at": "2026-07-01T09:30:00.000001Z",
	"ref": "6f1f2c9e-3b1a-4f0e-9a52-1f7f4c0d2b11", "notes": "short",
}

// firstPage returns a request and the cursor behind its first row.
func firstPage(t testing.TB, x *executors.Executor, db *fakeDB, p *auth.Principal, req executors.ListRequest) executors.ListRequest {
	t.Helper()
	db.rows = []row{oneRow, oneRow}
	req.Limit = new(1)
	req.Cursor = *list(t, x, p, req).Meta.NextCursor
	db.calls = nil
	return req
}

// refusal is the answer to a cursor that is not good, whatever the reason.
func refusal(t *testing.T, x *executors.Executor, p *auth.Principal, req executors.ListRequest) string {
	t.Helper()
	a, err := x.List(context.Background(), p, req)
	own, ok := errors.AsType[*resource.Error](err)
	if !ok || a != nil {
		t.Fatalf("the cursor %s is accepted: %v", req.Cursor, err)
	}
	body, err := json.Marshal(own)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

const refused = `{"code":"invalid_cursor","message":"the cursor is not valid for this request: start again without cursor, ` +
	`and keep filter, ids, updated_since and sort the same on every page","path":"/cursor"}`

func TestCursorDamage(t *testing.T) {
	t.Parallel()
	x, db := openShop(t)
	p := caller(t, 42, staff...)
	req := firstPage(t, x, db, p, executors.ListRequest{Resource: "orders", Sort: []string{"placed_at"}})
	raw, err := base64.RawURLEncoding.DecodeString(req.Cursor)
	if err != nil {
		t.Fatal(err)
	}
	var damaged []string
	for i := range raw {
		for bit := range 8 {
			flipped := slices.Clone(raw)
			flipped[i] ^= 1 << bit
			damaged = append(damaged, base64.RawURLEncoding.EncodeToString(flipped))
		}
		damaged = append(damaged, base64.RawURLEncoding.EncodeToString(raw[:i]), base64.RawURLEncoding.EncodeToString(raw[i+1:]))
	}
	c := req.Cursor
	damaged = append(damaged, c+"A", c+"=", c+"==", c+"\n", " "+c, c+" ", c+c, c[1:], c[:len(c)-1], "AQ", "x", "é", "\x00", strings.Repeat("A", 1<<20),
		base64.RawURLEncoding.EncodeToString(append(slices.Clone(raw), 0)), base64.StdEncoding.EncodeToString(raw)+"+/")
	if len(c)%4 != 0 {
		damaged = append(damaged, otherBits(c))
	}
	for _, d := range damaged {
		if d == "" {
			continue // is no cursor at all
		}
		bad := req
		bad.Cursor = d
		if got := refusal(t, x, p, bad); got != refused {
			t.Fatalf("%q: %s", d, got)
		}
	}
	db.silent(t)
	list(t, x, p, req)
}

// otherBits changes the bits of a base64 text that stand for nothing.
func otherBits(c string) string {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	last := strings.IndexByte(alphabet, c[len(c)-1])
	return c[:len(c)-1] + string(alphabet[last^1])
}

func TestCursorIsBound(t *testing.T) {
	t.Parallel()
	one, two := tenantOf(t, 42), tenantOf(t, 43)
	own := auth.Grant{Issuer: "idp", Subject: "alice", Client: "cli", Tenants: []tenant.ID{one}, Scopes: staff}
	listing := executors.ListRequest{
		Resource: "orders", Sort: []string{"-placed_at"}, Filter: json.RawMessage(`{"paid":true,"status":["open","paid"]}`),
		IDs: json.RawMessage(`[7,8]`), UpdatedSince: "2026-07-01", Client: "s1",
	}
	for _, tc := range []struct {
		name string
		who  func(*auth.Grant)
		what func(*executors.ListRequest)
		good bool
	}{
		{"the same call", nil, nil, true},
		{"another spelling of the same", nil, func(r *executors.ListRequest) {
			r.Filter = json.RawMessage(` {"status":{"op":"in","value":["open","paid"]},"paid":{"op":"eq","value":"true"}}`)
			r.IDs, r.UpdatedSince, r.Sort = json.RawMessage(`"7,8"`), "2026-07-01T02:00:00+02:00", []string{"-placed_at"}
		}, true},
		{"another limit, other fields, a count", nil, func(r *executors.ListRequest) {
			r.Limit, r.Fields, r.Count = new(50), []string{"id"}, executors.CountExact
		}, true},
		{"other scopes that show as much", func(g *auth.Grant) { g.Scopes = append([]string{"more"}, staff...) }, nil, true},
		{"another tenant", func(g *auth.Grant) { g.Tenants = []tenant.ID{two} }, nil, false},
		{"another subject", func(g *auth.Grant) { g.Subject = "bob" }, nil, false},
		{"another issuer", func(g *auth.Grant) { g.Issuer = "other" }, nil, false},
		{"another OAuth client", func(g *auth.Grant) { g.Client = "web" }, nil, false},
		{"issuer and subject cut elsewhere", func(g *auth.Grant) { g.Issuer, g.Subject = "idpa", "lice" }, nil, false},
		{"another client", nil, func(r *executors.ListRequest) { r.Client = "s2" }, false},
		{"no client", nil, func(r *executors.ListRequest) { r.Client = "" }, false},
		{"another value in the filter", nil, func(r *executors.ListRequest) { r.Filter = json.RawMessage(`{"paid":false,"status":["open","paid"]}`) }, false},
		{"another set in the filter", nil, func(r *executors.ListRequest) { r.Filter = json.RawMessage(`{"paid":true,"status":["open"]}`) }, false},
		{"no filter", nil, func(r *executors.ListRequest) { r.Filter = nil }, false},
		{"other ids", nil, func(r *executors.ListRequest) { r.IDs = json.RawMessage(`[7]`) }, false},
		{"no ids", nil, func(r *executors.ListRequest) { r.IDs = nil }, false},
		{"another updated_since", nil, func(r *executors.ListRequest) { r.UpdatedSince = "2026-07-02" }, false},
		{"no updated_since", nil, func(r *executors.ListRequest) { r.UpdatedSince = "" }, false},
		{"another direction", nil, func(r *executors.ListRequest) { r.Sort = []string{"placed_at"} }, false},
		{"another field", nil, func(r *executors.ListRequest) { r.Sort = []string{"-shipped_at"} }, false},
		{"no sort", nil, func(r *executors.ListRequest) { r.Sort = nil }, false},
		{"another resource", nil, func(r *executors.ListRequest) {
			*r = executors.ListRequest{Resource: "customers", Cursor: r.Cursor, Client: r.Client}
		}, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			x, db := openShop(t)
			req := firstPage(t, x, db, grant(t, own), listing)
			who := own
			if tc.who != nil {
				tc.who(&who)
			}
			if tc.what != nil {
				tc.what(&req)
			}
			if tc.good {
				list(t, x, grant(t, who), req)
				return
			}
			if got := refusal(t, x, grant(t, who), req); got != refused {
				t.Error(got)
			}
			db.silent(t)
		})
	}
}

func tenantOf(t testing.TB, key int64) tenant.ID {
	t.Helper()
	id, err := tenant.Int(key)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func TestCursorAge(t *testing.T) {
	t.Parallel()
	x, db := openShop(t)
	p := caller(t, 42, staff...)
	made := time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)
	x.SetClock(func() time.Time { return made })
	req := firstPage(t, x, db, p, executors.ListRequest{Resource: "orders"})
	for age, good := range map[time.Duration]bool{
		0: true, time.Hour - time.Second: true, time.Hour: false, time.Hour + time.Second: false, 24 * 365 * time.Hour: false, -time.Minute: true,
	} {
		x.SetClock(func() time.Time { return made.Add(age) })
		if good {
			list(t, x, p, req)
		} else if got := refusal(t, x, p, req); got != refused {
			t.Errorf("after %v: %s", age, got)
		}
	}
}

func TestCursorKeyRing(t *testing.T) {
	t.Parallel()
	secret := func(s string) []byte { return []byte(strings.Repeat(s, 16)) }
	with := func(keys ...[]byte) (*executors.Executor, *fakeDB) {
		db := &fakeDB{tables: shopTables(), rows: []row{oneRow, oneRow}}
		opts := quiet()
		opts.CursorKeys = keys
		return open(t, db, opts, shop()...), db
	}
	p := caller(t, 42, staff...)
	before, db := with(secret("a"))
	old := firstPage(t, before, db, p, executors.ListRequest{Resource: "orders"})
	during, db := with(secret("b"), secret("a"))
	recent := firstPage(t, during, db, p, executors.ListRequest{Resource: "orders"})
	after, _ := with(secret("b"))
	replica, _ := with(secret("b"))
	list(t, before, p, old)
	list(t, during, p, old)
	list(t, during, p, recent)
	list(t, after, p, recent)
	list(t, replica, p, recent)
	for name, x := range map[string]*executors.Executor{"of a later key": before, "of a withdrawn key": after} {
		req := old
		if x == before {
			req = recent
		}
		if got := refusal(t, x, p, req); got != refused {
			t.Errorf("a cursor %s: %s", name, got)
		}
	}
	one, db := with()
	own := firstPage(t, one, db, p, executors.ListRequest{Resource: "orders"})
	other, _ := with()
	list(t, one, p, own)
	refusal(t, other, p, own)
}

func TestCursorKeysAreLong(t *testing.T) {
	t.Parallel()
	db := &fakeDB{tables: shopTables()}
	opts := quiet()
	opts.CursorKeys = [][]byte{[]byte("long enough, this one"), []byte("short")}
	_, err := executors.New(t.Context(), db, registryOf(t, shop()...), opts)
	if err == nil || !strings.Contains(err.Error(), "cursor key 2 has 5 bytes") || strings.Contains(err.Error(), "short") {
		t.Error(err)
	}
}

func FuzzCursor(f *testing.F) {
	db := &fakeDB{tables: shopTables()}
	opts := quiet()
	opts.CursorKeys = nil // a seed of another process is as foreign as any
	x := open(f, db, opts, shop()...)
	p := caller(f, 42, staff...)
	good := firstPage(f, x, db, p, executors.ListRequest{Resource: "orders"})
	for _, c := range []string{good.Cursor, good.Cursor[:20], "AQ", "", "====", strings.Repeat("A", 100), "\xff"} {
		f.Add(c)
	}
	f.Fuzz(func(t *testing.T, c string) {
		req := good
		req.Cursor = c
		if c == "" || c == good.Cursor {
			return
		}
		if got := refusal(t, x, p, req); got != refused {
			t.Fatalf("%q: %s", c, got)
		}
	})
}
