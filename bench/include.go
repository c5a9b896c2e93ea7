package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/executors"
)

// parents is the size of the page whose parts are included.
const parents = 100

// include measures a page with embedded rows against the page alone, and beside it what a client does without:
// one more list for each row.
func (b *bench) include(ctx context.Context, r *report) error {
	plain, whole := page(parents), page(parents)
	plain.Fields, whole.Fields = columns, columns
	whole.Include = []string{"parts"}
	if err := b.oneMore(ctx, plain, whole); err != nil {
		return err
	}
	s, err := b.measure(ctx, r, []way{
		{"page-of-100", func(ctx context.Context, r *rand.Rand) error { return list(ctx, b.related, b.owner(r), plain) }},
		{"include", func(ctx context.Context, r *rand.Rand) error { return list(ctx, b.related, b.owner(r), whole) }},
		{"n-plus-1", func(ctx context.Context, r *rand.Rand) error { return b.nPlusOne(ctx, b.owner(r), plain) }},
	})
	if err != nil {
		return err
	}
	r.atMost("include-cpu", ratio(s["include"], s["page-of-100"], cpu), 3)
	r.figure("n-plus-1-cpu", ratio(s["n-plus-1"], s["page-of-100"], cpu), "of page-of-100")
	return nil
}

// nPlusOne lists the widgets, and then the parts of each.
func (b *bench) nPlusOne(ctx context.Context, p *auth.Principal, plain executors.ListRequest) error {
	answer, err := b.related.List(ctx, p, plain)
	if err != nil {
		return err
	}
	var doc struct{ Rows []struct{ ID int64 } }
	if err := json.Unmarshal(answer.JSON, &doc); err != nil {
		return err
	}
	for _, row := range doc.Rows {
		req := executors.ListRequest{Resource: "parts", Filter: fmt.Appendf(nil, `{"widget_id":%d}`, row.ID)}
		if err := list(ctx, b.related, p, req); err != nil {
			return err
		}
	}
	return nil
}

// counter counts the calls and the statements that an executor sends.
type counter struct {
	executors.DB
	calls, statements int
}

// Run counts, and passes the call on.
func (c *counter) Run(ctx context.Context, call *executors.Call) error {
	c.calls++
	c.statements += len(call.Statements)
	return c.DB.Run(ctx, call)
}

// oneMore makes sure that the two pages differ by one statement in the same call and by all the parts.
func (b *bench) oneMore(ctx context.Context, plain, whole executors.ListRequest) error {
	count := &counter{DB: b.db}
	exec, err := serving(ctx, count, related()...)
	if err != nil {
		return err
	}
	var sent [2]counter
	var got [2]int
	for i, req := range []executors.ListRequest{plain, whole} {
		count.calls, count.statements = 0, 0
		answer, err := exec.List(ctx, b.small[0], req)
		if err != nil {
			return err
		}
		if answer.Rows != parents || answer.Truncated {
			return fmt.Errorf("bench: the page of %d rows has %d, or less of each", parents, answer.Rows)
		}
		sent[i] = *count
		if got[i], err = embedded(answer.JSON); err != nil {
			return err
		}
	}
	if sent[0].calls != 1 || sent[1].calls != 1 || sent[1].statements != sent[0].statements+1 || got[0] != 0 || got[1] < parents {
		return fmt.Errorf("bench: an included relation takes %d statements in %d calls for %d rows, and the page without %d in %d",
			sent[1].statements, sent[1].calls, got[1], sent[0].statements, sent[0].calls)
	}
	return nil
}

// embedded counts the parts in an answer.
func embedded(answer []byte) (n int, err error) {
	var doc struct {
		Rows []struct {
			Included struct {
				Parts struct{ Rows []json.RawMessage }
			}
		}
	}
	err = json.Unmarshal(answer, &doc)
	for _, row := range doc.Rows {
		n += len(row.Included.Parts.Rows)
	}
	return n, err
}
