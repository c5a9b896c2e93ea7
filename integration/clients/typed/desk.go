package main

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/mcpserver"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/schema"
)

// tools are those of the desk, which the clients call.
func tools() *mcpserver.Toolset {
	policy := mcpserver.NewPolicy()
	err := policy.Register("tier", func(_ context.Context, p *auth.Principal, tier string) (bool, error) {
		return tier == "gold" && p.Subject() == "ben", nil
	})
	set := must(mcpserver.NewToolset(policy), err)
	audit := schema.Gate{Pred: "requires", Arg: "audit"}
	mcpserver.AddTool(set, mcpserver.ToolSpec{Name: "scalars", Description: "Says every single value again.", ReadOnly: true, ClosedWorld: true}, again[scalars])
	mcpserver.AddTool(set, mcpserver.ToolSpec{Name: "shapes", Description: "Says every shape again.", Idempotent: true, NonDestructive: true}, again[shapes])
	mcpserver.AddTool(set, mcpserver.ToolSpec{
		Name: "amend", Title: "Amend a ticket", Description: "Changes what is given.",
		Options:  []schema.Option{schema.Format("ticket", func(s string) bool { return strings.HasPrefix(s, "T-") })},
		Defaults: localeOf,
	}, amend)
	mcpserver.AddTool(set, mcpserver.ToolSpec{
		Name: "pay", Description: "Pays.",
		Options: []schema.Option{
			schema.Union[method]("type", schema.Variant[card]("card"), schema.Variant[voucher]("voucher"),
				schema.Variant[transfer]("transfer", schema.Gate{Pred: "requires", Arg: "pay:bank"})),
			schema.Union[outcome]("ok", schema.Variant[paid](true), schema.Variant[unpaid](false)),
		},
	}, pay)
	mcpserver.AddTool(set, mcpserver.ToolSpec{
		Name: "refund", Description: "Pays back, once a person agrees.", Gate: "requires(refunds:write)",
		Forms: []mcpserver.FormDef{mcpserver.FormOf[consent]()},
	}, refund)
	mcpserver.AddTool(set, mcpserver.ToolSpec{Name: "audit", Description: "Tells what only some may know.", Gate: audit.Pred + "(" + audit.Arg + ")&tier(gold)"}, again[struct{}])
	mcpserver.AddTool(set, mcpserver.ToolSpec{Name: "recount", Description: "Takes its time.", AnyTenant: true, ReadOnly: true}, recount)
	mcpserver.AddTool(set, mcpserver.ToolSpec{Name: "balance", Description: "Sums up the books.", ReadOnly: true, ClosedWorld: true}, balance)
	return set
}

// again answers with what it was asked.
func again[T any](_ context.Context, _ *mcpserver.Call, in T) (T, error) { return in, nil }

// localeOf is the default of one caller.
func localeOf(_ context.Context, p *auth.Principal, key string) (any, bool, error) {
	return "de", key == "locale" && p.Subject() == "ben", nil
}

func amend(_ context.Context, _ *mcpserver.Call, in amendment) (amended, error) {
	return amended{
		ID: in.ID, Title: in.Title, Note: in.Note, Rank: in.Rank, Until: in.Until, Where: in.Where, Status: in.Status,
		Currency: in.Currency, Locale: in.Locale, Limit: in.Limit, Options: in.Options, Reason: in.Reason, Level: in.Level,
		Revision: 2, Cost: "12.50",
	}, nil
}

func pay(_ context.Context, _ *mcpserver.Call, in payment) (outcome, error) {
	by := in.Method.pays()
	for _, m := range in.Also {
		by += "+" + m.pays()
	}
	if by == "voucher" {
		return unpaid{Reason: "the voucher is used up"}, nil
	}
	return paid{By: by, Fee: "0.30"}, nil
}

type order struct {
	Order string `json:"order" mcp:"min=1;max=20"`
}

type refunded struct {
	Tenant string   `json:"tenant"`
	Action string   `json:"action"`
	Form   *consent `json:"form" desc:"What the person sent."`
}

func refund(ctx context.Context, c *mcpserver.Call, in order) (refunded, error) {
	c.Progress(ctx, 1, 2, "Asking.")
	answer, err := mcpserver.Ask[consent](ctx, c, "consent", "Pay back "+in.Order+"?")
	if err != nil {
		return refunded{}, err
	}
	out := refunded{Tenant: c.Principal().Tenant().Key(), Action: string(answer.Action)}
	if answer.Accepted() {
		out.Form = &answer.Value
	}
	return out, nil
}

type steps struct {
	Steps int `json:"steps" mcp:"min=1;max=10"`
}

func recount(ctx context.Context, c *mcpserver.Call, in steps) (steps, error) {
	for i := range in.Steps {
		c.Progress(ctx, float64(i+1), float64(in.Steps), "Counting.")
	}
	return in, nil
}

type entry struct {
	ID     int64   `json:"id" mcp:"as=string"`
	Amount int64   `json:"amount" mcp:"as=string"`
	Memo   *string `json:"memo" mcp:"nullable"`
}

type balanceSheet struct {
	Entries []entry `json:"entries"`
	Sum     int64   `json:"sum" mcp:"as=string"`
}

// balance reads through the tools' own rules: large numbers come as texts.
func balance(ctx context.Context, c *mcpserver.Call, in struct {
	Memo *string `json:"memo"`
},
) (balanceSheet, error) {
	req := executors.ListRequest{Resource: "entries", Sort: []string{"-amount"}}
	if in.Memo != nil {
		filter, err := json.Marshal(map[string]string{"memo": *in.Memo})
		if err != nil {
			return balanceSheet{}, err
		}
		req.Filter = filter
	}
	answer, err := c.Reader().List(ctx, req)
	if err != nil {
		return balanceSheet{}, err
	}
	return summed(answer.JSON)
}

func summed(page []byte) (balanceSheet, error) {
	var read struct {
		Rows []struct {
			ID, Amount json.Number
			Memo       *string
		}
	}
	if err := json.Unmarshal(page, &read); err != nil {
		return balanceSheet{}, resource.Internal(err)
	}
	out := balanceSheet{Entries: []entry{}}
	for _, row := range read.Rows {
		id, err := row.ID.Int64()
		if err != nil {
			return balanceSheet{}, err
		}
		amount, err := row.Amount.Int64()
		if err != nil {
			return balanceSheet{}, err
		}
		out.Entries = append(out.Entries, entry{id, amount, row.Memo})
		out.Sum += amount
	}
	return out, nil
}
