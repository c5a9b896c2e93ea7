package filtering_test

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/tenantry/tenantry/filtering"
	"github.com/tenantry/tenantry/resource"
)

func keys() *filtering.Keys {
	return filtering.NewKeys([]filtering.Key{
		{Name: "state", Column: filtering.Column{
			Name: "state", Expr: `t."state"`,
			Type: resource.Type{Kind: resource.Enum, Name: "enum", Labels: []string{"draft", "paid", "void"}},
		}},
		{Name: "total", Column: filtering.Column{
			Name: "total", Expr: `t."total"`, Type: resource.Plain(resource.Numeric),
		}},
	})
}

func ExampleParse() {
	raw := json.RawMessage(`{"total": {"op": "gteq", "value": "19.90"}, "state": ["paid", null]}`)
	filter, err := filtering.Parse(raw, keys())
	if err != nil {
		fmt.Println(err)
		return
	}
	text, args, err := filter.SQL(fake{}).ToSql()
	fmt.Println(text)
	fmt.Println(args, err)
	// Output:
	// (((t."state" = ANY (?)) OR (t."state" IS NULL)) AND (t."total" >= ?))
	// [[paid] 19.90] <nil>
}

func ExampleParse_mistakes() {
	_, err := filtering.Parse(json.RawMessage(`{"state": "payd", "totl": 5}`), keys())
	mistakes, _ := errors.AsType[resource.Errors](err)
	for _, m := range mistakes {
		fmt.Println(m.Path, m.Code, m.Suggestions)
		fmt.Println(" ", m.Message)
	}
	// Output:
	// /filter/state invalid_filter [paid]
	//   state: "payd" is not one of the values; send one of the allowed ones
	// /filter/totl unknown_filter [total]
	//   there is no filter "totl"; send one of the allowed ones, which any and not can join
}

func ExampleValue() {
	id, mistake := filtering.Value(json.RawMessage(`9007199254740993`), resource.Plain(resource.BigInt), "/id")
	fmt.Println(id, mistake == nil)
	_, mistake = filtering.Value(json.RawMessage(`"abc"`), resource.Plain(resource.BigInt), "/id")
	fmt.Println(mistake.Message)
	// Output:
	// 9007199254740993 true
	// "abc" is not an integer; send a whole number such as 10
}

func ExampleInstant() {
	fmt.Println(filtering.Instant("2026-07-01T11:30:00+02:00", "/updated_since"))
	// Output:
	// 2026-07-01T09:30:00.000000Z <nil>
}
