package elicit_test

import (
	"context"
	"fmt"

	"github.com/tenantry/tenantry/schema/elicit"
)

// Carrier is a choice; the titles are what the person reads.
type Carrier string

func (Carrier) EnumValues() []Carrier { return []Carrier{"sea", "air"} }

func (Carrier) EnumTitles() map[Carrier]string {
	return map[Carrier]string{"sea": "By ship, 20 days", "air": "By plane, 2 days"}
}

type shipping struct {
	Carrier Carrier `json:"carrier" mcp:"default=sea;required" desc:"How shall it travel?"`
	Copies  int     `json:"copies" mcp:"min=1;max=10"`
	Notify  *string `json:"notify" mcp:"format=email"`
}

var askShipping = elicit.MustNew[shipping]()

func ExampleForm() {
	asked, err := askShipping.Schema("2025-11-25")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(string(asked))

	for _, result := range []string{
		`{"action":"accept","content":{"copies":2}}`,
		`{"action":"accept","content":{"carrier":"rail","copies":20,"fast":true}}`,
		`{"action":"decline"}`,
	} {
		answer, action, err := askShipping.Answer(context.Background(), []byte(result))
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(action, answer.Carrier, answer.Copies)
	}
	// Output:
	// {"type":"object","properties":{"carrier":{"type":"string","description":"How shall it travel?","oneOf":[{"const":"sea","title":"By ship, 20 days"},{"const":"air","title":"By plane, 2 days"}],"default":"sea"},"copies":{"type":"integer","minimum":1,"maximum":10},"notify":{"type":"string","format":"email"}},"required":["carrier","copies"]}
	// accept sea 2
	// /carrier: must be sea or air
	// /copies: must be at most 10
	// /fast: is no member here: leave it out; it takes carrier, copies, notify
	// decline  0
}

func ExampleCheckSchema() {
	fmt.Println(elicit.CheckSchema([]byte(`{"type":"object","properties":{"id":{"type":"string","format":"uuid"},"address":{"type":"object"}},"required":["name"]}`), elicit.Client))
	// Output:
	// /properties/id/format: must be email, uri, date or date-time
	// /properties/address/type: must be string, number, integer, boolean or array
	// /required/0: there is no such property; it takes id, address
}

func ExampleCheckResult() {
	asked := []byte(`{"type":"object","properties":{"size":{"type":"string","enum":["s","m"],"default":"m"},"gift":{"type":"boolean"}},"required":["size"]}`)
	answer, err := elicit.CheckResult(asked, []byte(`{"action":"accept","content":{"gift":true}}`))
	fmt.Println(answer.Action, string(answer.Content), err)
	// Output:
	// accept {"size":"m","gift":true} <nil>
}
