package schema_test

import (
	"context"
	"fmt"

	"github.com/tenantry/tenantry/schema"
)

type refund struct {
	Order  string         `json:"order" mcp:"format=uuid"`
	Amount schema.Decimal `json:"amount" mcp:"xmin=0"`
	Silent *bool          `json:"silent" gate:"requires(refunds:silent)" desc:"Without a letter."`
}

// staff is who may do what: a caller is a name here.
func staff() *schema.Policy[string] {
	p := schema.NewPolicy[string]()
	err := p.Register("requires", func(_ context.Context, caller, scope string) (bool, error) {
		return caller == "berta" && scope == "refunds:silent", nil
	})
	if err != nil {
		panic(err)
	}
	return p
}

func Example() {
	ctx := context.Background()
	plan, err := schema.For[refund](schema.Input)
	if err != nil {
		panic(err)
	}
	policy := staff()
	if err := policy.Seal(plan); err != nil {
		panic(err)
	}
	for _, caller := range []string{"alice", "berta"} {
		view, ok := plan.View(policy.Decide(ctx, caller, plan.Gates()))
		if !ok {
			continue // nothing of it is for this caller
		}
		advertised, err := view.JSON(ctx, schema.Full, nil)
		if err != nil {
			panic(err)
		}
		fmt.Printf("%s: %s\n", caller, advertised)
		var r refund
		fmt.Println(view.Decode(ctx, []byte(`{"order":"7","amount":"0","silent":true}`), &r, nil))
	}
	// Output:
	// alice: {"type":"object","properties":{"order":{"type":"string","format":"uuid"},"amount":{"type":"string","pattern":"^-?[0-9]+(\\.[0-9]+)?$"}},"required":["order","amount"],"additionalProperties":false}
	// /order: must be a UUID such as 6ba7b810-9dad-11d1-80b4-00c04fd430c8
	// /amount: must be above 0
	// /silent: is no member here: leave it out; it takes order, amount
	// berta: {"type":"object","properties":{"order":{"type":"string","format":"uuid"},"amount":{"type":"string","pattern":"^-?[0-9]+(\\.[0-9]+)?$"},"silent":{"type":"boolean","description":"Without a letter."}},"required":["order","amount"],"additionalProperties":false}
	// /order: must be a UUID such as 6ba7b810-9dad-11d1-80b4-00c04fd430c8
	// /amount: must be above 0
}

type payment interface{ pays() }

type card struct {
	Last4 string `json:"last4" mcp:"len=4"`
}

type transfer struct {
	IBAN string `json:"iban"`
}

func (card) pays()     {}
func (transfer) pays() {}

func ExampleUnion() {
	plan, err := schema.For[struct {
		By payment `json:"by"`
	}](schema.Input, schema.Union[payment]("type", schema.Variant[card]("card"), schema.Variant[transfer]("transfer")))
	if err != nil {
		panic(err)
	}
	view, _ := plan.View(schema.Decision{})
	var in struct {
		By payment `json:"by"`
	}
	err = view.Decode(context.Background(), []byte(`{"by":{"type":"card","last4":"4242"}}`), &in, nil)
	fmt.Printf("%#v %v\n", in.By, err)
	fmt.Println(view.Decode(context.Background(), []byte(`{"by":{"type":"cash"}}`), &in, nil))
	// Output:
	// schema_test.card{Last4:"4242"} <nil>
	// /by/type: must be card or transfer
}

func ExampleOpt() {
	type change struct {
		Note schema.Opt[string] `json:"note" mcp:"nullable;max=200"`
	}
	plan, err := schema.For[change](schema.Input)
	if err != nil {
		panic(err)
	}
	view, _ := plan.View(schema.Decision{})
	for _, body := range []string{`{}`, `{"note":null}`, `{"note":"Ring twice."}`} {
		var c change
		if err := view.Decode(context.Background(), []byte(body), &c, nil); err != nil {
			panic(err)
		}
		text, ok := c.Note.Get()
		fmt.Printf("absent %v, null %v, given %v %q\n", c.Note.Absent(), c.Note.Null(), ok, text)
	}
	// Output:
	// absent true, null false, given false ""
	// absent false, null true, given false ""
	// absent false, null false, given true "Ring twice."
}

func ExampleView_Project() {
	type shown struct {
		Total schema.Decimal `json:"total"`
		Cost  schema.Decimal `json:"cost" gate:"requires(refunds:silent)"`
	}
	plan, err := schema.For[shown](schema.Output)
	if err != nil {
		panic(err)
	}
	view, _ := plan.View(schema.Decision{}) // a caller without a single permission
	out, err := view.Project(shown{Total: "19.90", Cost: "7.00"})
	fmt.Println(string(out), err)
	// Output: {"total":"19.90"} <nil>
}

func ExampleFromColumns() {
	plan, err := schema.FromColumns("orders", []schema.Column{
		{Name: "id", Type: "bigint", Key: true, ReadOnly: true},
		{Name: "total", Column: "total_amount", Type: "numeric", Precision: 10, Scale: 2},
		{Name: "note", Type: "varchar", Length: 200, Nullable: true},
	}, schema.Input)
	if err != nil {
		panic(err)
	}
	view, _ := plan.View(schema.Decision{})
	row := map[string]any{}
	err = view.Decode(context.Background(), []byte(`{"total":"19.90"}`), &row, nil)
	fmt.Println(row, err, view.Columns())
	// Output: map[total:19.90] <nil> [total_amount note]
}

func ExampleParseGates() {
	gates, err := schema.ParseGates("requires(orders:write)&tier(pro)")
	fmt.Println(gates, err)
	// Output: [requires(orders:write) tier(pro)] <nil>
}
