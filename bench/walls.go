package bench

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/tenantry/tenantry/executors"
)

// walls measures a page behind all walls against the same page without row policies, and what policies do to
// filters: some of them lose their index.
func (b *bench) walls(ctx context.Context, r *report) error {
	if err := b.data.protect(ctx); err != nil {
		return err
	}
	walled, err := b.reading(ctx, boundRole, "NOBYPASSRLS", true)
	if err != nil {
		return err
	}
	open, err := b.reading(ctx, freeRole, "BYPASSRLS", false)
	if err != nil {
		return err
	}
	with, without := b.lists(walled, page(pageRows)), b.lists(open, page(pageRows))
	s, err := b.measure(ctx, r, []way{{"walled", with}, {"unwalled", without}, {"unwalled-superuser", b.lists(b.exec, page(pageRows))}})
	if err != nil {
		return err
	}
	r.atMost("walls-cpu", ratio(s["walled"], s["unwalled"], cpu), 1.25)
	r.figure("walls-of-superuser-cpu", ratio(s["walled"], s["unwalled-superuser"], cpu), "of unwalled-superuser")
	r.figure("walls-throughput", ratio(s["walled"], s["unwalled"], throughput), "of unwalled")
	for _, f := range filters {
		req := page(pageRows)
		req.Filter, req.Sort = []byte(f.filter), f.sort
		if err := b.against(ctx, r, "policies-"+f.name, b.lists(walled, req), b.lists(open, req)); err != nil {
			return err
		}
	}
	return b.witnesses(ctx, r)
}

// filters are what is measured with policies. Their indexes begin with the tenant: (account_id, status, id),
// (account_id, created_at, id) and (account_id, price, id). None serves a text that stands somewhere in another.
var filters = []struct {
	name, filter string
	sort         []string
}{
	{"equality", `{"status":"active"}`, nil},
	{"range", `{"created_at":{"op":"gteq","value":"2020-08-01"}}`, []string{"created_at"}},
	{"numeric-range", `{"price":{"op":"gteq","value":"990"}}`, []string{"price"}},
	{"text-search", `{"name":{"op":"matches","value":"number 7"}}`, []string{"created_at"}},
}

// witnesses measures statements against the same without the column of the witness, drained: what the server does
// for it and what travels. What the executor does with it is counted in bench/instructions.
func (b *bench) witnesses(ctx context.Context, r *report) error {
	for _, w := range []struct{ name, of string }{{"column-witness", "parts"}, {"via-witness", "pieces"}} {
		with, err := b.sent(ctx, w.of)
		if err != nil {
			return err
		}
		without := query{strings.Replace(with.sql, witness, "", 1), with.args}
		if with.sql == without.sql {
			return fmt.Errorf("bench: no witness is selected by %s", with.sql)
		}
		if err := b.against(ctx, r, w.name, b.drains(with), b.drains(without)); err != nil {
			return err
		}
	}
	return nil
}

// witness is how a statement selects the witness, behind all else.
const witness = `, t."tenantry:w0"`

// sent is the statement of a page of parts.
func (b *bench) sent(ctx context.Context, name string) (query, error) {
	rec := &recorder{DB: b.db}
	x, err := serving(ctx, rec, append(related(), pieces)...)
	if err != nil {
		return query{}, err
	}
	limit := pageRows
	if err := list(ctx, x, b.small[0], executors.ListRequest{Resource: name, Limit: &limit}); err != nil {
		return query{}, err
	}
	return rec.query()
}

// against shows what one way costs of another. These are figures to look at: fewer rounds do.
func (b *bench) against(ctx context.Context, r *report, name string, of, to func(context.Context, *rand.Rand) error) error {
	s, err := b.meter.rounds(ctx, max(b.opts.Rounds/3, 1), []way{{"of", of}, {"to", to}})
	if err != nil {
		return err
	}
	r.figure(name+"-cpu", ratio(s["of"], s["to"], cpu), "of the same without")
	return nil
}

// lists is a way to spend a call on a page of a random small tenant.
func (b *bench) lists(x *executors.Executor, req executors.ListRequest) func(context.Context, *rand.Rand) error {
	return func(ctx context.Context, r *rand.Rand) error { return list(ctx, x, b.anyone(r), req) }
}

// drains is a way to spend a call on a statement of a tenant that has parts.
func (b *bench) drains(q query) func(context.Context, *rand.Rand) error {
	return func(ctx context.Context, r *rand.Rand) error { return q.drain(ctx, b.raw, b.owner(r)) }
}
