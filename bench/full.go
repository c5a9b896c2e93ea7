package bench

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/executors"
)

// fullList asks for all that a page can be made of without embedded rows: a filter, two sort terms, the ids of a
// to-many relation and a count. An index serves the filter and the first term, so that the server does little.
func (b *bench) fullList() executors.ListRequest {
	req := page(pageRows)
	req.Filter = b.since(b.data.tenants * b.data.rows / 2)
	req.Sort = []string{"created_at", "name"}
	req.Fields = append(slices.Clone(columns), "parts")
	req.Count = executors.CountCapped
	return req
}

// since is a filter that leaves the widgets from an id on.
func (b *bench) since(id int) json.RawMessage {
	at := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(id) * 37123457 * time.Microsecond)
	return json.RawMessage(`{"created_at":{"op":"gteq","value":"` + at.Format(time.RFC3339Nano) + `"}}`)
}

// full measures a list with everything against all that it sends, settings included, in one batch.
func (b *bench) full(ctx context.Context, r *report) error {
	req := b.fullList()
	sent, err := b.overheard(ctx, req)
	if err != nil {
		return err
	}
	s, err := b.measure(ctx, r, []way{
		{"raw-batch", func(ctx context.Context, r *rand.Rand) error { return sent.drain(ctx, b.raw, b.owner(r)) }},
		{"full-list", func(ctx context.Context, r *rand.Rand) error { return list(ctx, b.related, b.owner(r), req) }},
	})
	if err != nil {
		return err
	}
	r.atMost("full-list-cpu", ratio(s["full-list"], s["raw-batch"], cpu), 1.6)
	r.figure("full-list-throughput", ratio(s["full-list"], s["raw-batch"], throughput), "of raw-batch")
	return b.fullMemory(ctx, r, sent)
}

func (b *bench) fullMemory(ctx context.Context, r *report, sent pipeline) error {
	req, random := b.fullList(), rand.New(rand.NewPCG(b.opts.Seed, 0))
	raw, err := b.allocated(ctx, func(ctx context.Context, _ *auth.Principal) error { return sent.drain(ctx, b.raw, b.owner(random)) })
	if err != nil {
		return err
	}
	full, err := b.allocated(ctx, func(ctx context.Context, _ *auth.Principal) error { return list(ctx, b.related, b.owner(random), req) })
	if err != nil {
		return err
	}
	r.atMost("full-list-allocations", full.objects, 150)
	r.figure("raw-batch-allocations", raw.objects, "objects/call")
	r.figure("full-list-allocated", full.bytes, "B/call")
	return nil
}
