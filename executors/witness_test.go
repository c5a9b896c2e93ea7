package executors_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/resource"
)

func TestWitness(t *testing.T) {
	t.Parallel()
	const secret = "SECRET-OF-43"
	ours := row{"id": "1", "name": "ours", "price": "1", "sku": "ours", "quantity": "1", "device": "ours"}
	theirs := row{"id": "2", "name": secret, "price": "2", "sku": secret, "quantity": "1", "device": secret}
	with := func(r row, pairs ...string) row {
		out := row{}
		maps.Copy(out, r)
		for i := 0; i < len(pairs); i += 2 {
			out[pairs[i]] = pairs[i+1]
		}
		return out
	}
	for _, tc := range []struct {
		name, resource string
		rows           []row
		good           bool
	}{
		{"own rows", "catalogue", []row{ours, ours}, true},
		{"a foreign row", "catalogue", []row{with(theirs, "w0", "43")}, false},
		{"a foreign row behind own ones", "catalogue", []row{ours, ours, with(theirs, "w0", "43")}, false},
		{"a foreign row that only shows that there is more", "catalogue", append(many(ours, 25), with(theirs, "w0", "43")), false},
		{"a row of nobody", "catalogue", []row{with(theirs, "w0", "-")}, false},
		{"a row of nobody that is not shared", "catalogue", []row{with(theirs, "w0", "-", "w1", "f")}, false},
		{"a row of nobody whose flag is null", "catalogue", []row{with(theirs, "w0", "-", "w1", "-")}, false},
		{"a shared row of nobody", "catalogue", []row{with(ours, "w0", "-", "w1", "t")}, true},
		{"a shared row of another", "catalogue", []row{with(ours, "w0", "43", "w1", "t")}, true},
		{"a key that begins like the caller's", "catalogue", []row{with(theirs, "w0", "421")}, false},
		{"a key that the caller's begins like", "catalogue", []row{with(theirs, "w0", "4")}, false},
		{"an empty key", "catalogue", []row{with(theirs, "w0", "")}, false},
		{"a deal bought", "deals", []row{with(ours, "w0", "42", "w1", "43")}, true},
		{"a deal sold", "deals", []row{with(ours, "w0", "43", "w1", "42")}, true},
		{"a deal of others", "deals", []row{with(theirs, "w0", "43", "w1", "44")}, false},
		{"a line of an order of another", "lines", []row{with(theirs, "w0", "43")}, false},
		{"a line of no order", "lines", []row{with(theirs, "w0", "-")}, false},
		{"a free scope that is true too often", "readings", []row{with(theirs, "w0", "43", "id", "6f1f2c9e-3b1a-4f0e-9a52-1f7f4c0d2b11")}, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			var logged bytes.Buffer
			opts := quiet()
			opts.Logger = slog.New(slog.NewTextHandler(&logged, nil))
			db := &fakeDB{tables: shopTables()}
			x := open(t, db, opts, shop()...)
			p := caller(t, 42)
			db.rows = tc.rows
			req := executors.ListRequest{Resource: tc.resource}
			if tc.good {
				list(t, x, p, req)
				return
			}
			a, err := x.List(t.Context(), p, req)
			blocked(t, a, err)
			if !errors.Is(err, executors.ErrForeign) {
				t.Errorf("the log does not learn why: %v", err)
			}
			if out := logged.String(); !strings.Contains(out, "isolation_blocked") || strings.Contains(out, secret) {
				t.Errorf("logged: %s", out)
			}
			outOfService(t, x, db, tc.resource)
			if tc.resource != "documents" {
				db.rows = []row{{"region": "north", "no": "1"}}
				list(t, x, p, executors.ListRequest{Resource: "documents"}) // the others are served
			}
		})
	}
}

func many(r row, n int) []row {
	out := make([]row, n)
	for i := range out {
		out[i] = r
	}
	return out
}

// blocked wants the fixed internal error and nothing else.
func blocked(t *testing.T, a *executors.Answer, err error) {
	t.Helper()
	own, ok := errors.AsType[*resource.Error](err)
	if !ok || a != nil {
		t.Fatalf("%s, %v; want an internal error", a.JSON, err)
	}
	body, err := json.Marshal(own)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(`{"code":"internal","message":"internal error"}`, string(body)); diff != "" {
		t.Error(diff)
	}
}

// outOfService wants the resource to answer nothing more, to anybody.
func outOfService(t *testing.T, x *executors.Executor, db *fakeDB, name string) {
	t.Helper()
	db.rows, db.calls = nil, nil
	for _, key := range []int64{42, 43} {
		p := caller(t, key, staff...)
		_, listed := x.List(context.Background(), p, executors.ListRequest{Resource: name})
		_, got := x.Get(context.Background(), p, executors.GetRequest{Resource: name, ID: json.RawMessage(`1`)})
		_, schema := x.Schema(context.Background(), p, name, nil)
		for _, err := range []error{listed, got, schema} {
			if diff := cmp.Diff([]string{"unavailable /resource"}, codes(err)); diff != "" {
				t.Error(diff)
			}
		}
		if names := string(x.Resources(p).JSON); strings.Contains(names, `"`+name+`"`) {
			t.Errorf("%s is listed: %s", name, names)
		}
	}
	db.silent(t)
}

func TestWitnessOfGet(t *testing.T) {
	t.Parallel()
	x, db := openShop(t)
	db.rows = []row{{"id": "1", "name": "SECRET", "w0": "43"}}
	a, err := x.Get(t.Context(), caller(t, 42), executors.GetRequest{Resource: "catalogue", ID: json.RawMessage(`1`)})
	blocked(t, a, err)
	outOfService(t, x, db, "catalogue")
}

// A row that is refused is not handed to the host's serializer either.
func TestWitnessComesBeforeTheHost(t *testing.T) {
	t.Parallel()
	x, db := openShop(t)
	r := row{"w0": "43"}
	maps.Copy(r, oneRow)
	r["number"] = "" // what the serializer would join
	db.rows = []row{r}
	_, err := x.List(t.Context(), caller(t, 42), executors.ListRequest{Resource: "orders", Fields: []string{"headline"}})
	if !errors.Is(err, executors.ErrForeign) {
		t.Error(err)
	}
}
