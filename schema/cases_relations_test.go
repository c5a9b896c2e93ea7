package schema_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/schema"
)

// Fields that depend on others, and unions.
var relationBehaviour = []behaviour{
	{"a field required with another is so in any order of declaration", requiredWithLater},
	{"a dependency with a hidden end goes, and what needs a hidden field goes with it", hiddenDependency},
	{"required with what is always required is a build error", alwaysRequiredWith},
	{"a union is anyOf of closed variants, and only the chosen one is checked", unionOfTwo},
	{"the one visible variant stands alone, and a hidden one is no value of its discriminator", unionOfOne},
	{"a union without visible variants takes its field or its whole plan along", unionOfNone},
}

func requiredWithLater(t *testing.T) {
	type body struct {
		F *string `json:"f" mcp:"requiredWith=p"`
		P *string `json:"p"`
	}
	v := inputOf[body](t)
	same(t, `{"p":["f"]}`, keyword(t, emitted(t, v), "dependentRequired"))
	wantCodes[body](t, v, `{}`)
	wantCodes[body](t, v, `{"f":"x"}`)
	wantCodes[body](t, v, `{"f":"x","p":"x"}`)
	wantCodes[body](t, v, `{"p":"x"}`, "required_with /f")
	if errs := refused[body](t, v, `{"p":"x"}`); len(errs) != 1 || !strings.Contains(errs[0].Msg, "p") {
		t.Errorf("the other field is not named: %v", errs)
	}
}

func hiddenDependency(t *testing.T) {
	type body struct {
		F *string `json:"f" mcp:"requiredWith=p"`
		P *string `json:"p" gate:"requires(admin)"`
		G *string `json:"g" mcp:"needs=p"`
		H *string `json:"h" mcp:"needs=g"`
	}
	p := planOf[body](t, schema.Input)
	without, with := viewOf(t, p), viewOf(t, p, "requires(admin)")
	same(t, `{"type":"object","properties":{"f":{"type":"string"}},"additionalProperties":false}`, emitted(t, without))
	wantCodes[body](t, without, `{"f":"x"}`)
	wantCodes[body](t, without, `{"g":"x","h":"x"}`, "unknown /g", "unknown /h")
	if diff := cmp.Diff([]string{"f", "p", "g", "h"}, keys(t, keyword(t, emitted(t, with), "properties"))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	dependent := keyword(t, emitted(t, with), "dependentRequired")
	same(t, `["f"]`, keyword(t, dependent, "p"))
	same(t, `["p"]`, keyword(t, dependent, "g"))
	same(t, `["g"]`, keyword(t, dependent, "h"))
	wantCodes[body](t, with, `{"g":"x"}`, "needs /p")
}

func alwaysRequiredWith(t *testing.T) {
	type body struct {
		Extra *string `json:"f" mcp:"requiredWith=q"`
		Q     string  `json:"q"`
	}
	type unknown struct {
		Extra *string `json:"f" mcp:"needs=nothing"`
	}
	wantMistake[body](t, "body.Extra", "just mark it required")
	wantMistake[unknown](t, "unknown.Extra", "nothing")
}

// method is how an order is paid.
type method interface{ pay() }

type Card struct {
	Last4 string `json:"last4"`
}

type Bank struct {
	IBAN string `json:"iban"`
}

func (Card) pay() {}
func (Bank) pay() {}

// The objects of the two variants.
const (
	cardObject = `{"type":"object","properties":{"type":{"type":"string","const":"card"},"last4":{"type":"string"}},"required":["type","last4"],"additionalProperties":false}`
	bankObject = `{"type":"object","properties":{"type":{"type":"string","const":"bank"},"iban":{"type":"string"}},"required":["type","iban"],"additionalProperties":false}`
)

type order struct {
	Method method `json:"method"`
}

func unionOfTwo(t *testing.T) {
	v := inputOf[order](t, schema.Union[method]("type", schema.Variant[Card]("card"), schema.Variant[Bank]("bank")))
	same(t, `{"anyOf":[`+cardObject+`,`+bankObject+`]}`, property(t, v, "method"))
	wantCodes[order](t, v, `{"method":{"type":"bank"}}`, "missing /method/iban")
	wantCodes[order](t, v, `{"method":{"last4":"1"}}`, "missing /method/type")
	wantCodes[order](t, v, `{"method":{"type":"cash"}}`, "enum /method/type")
	got := decoded[order](t, v, `{"method":{"iban":"DE1","type":"bank"}}`)
	if diff := cmp.Diff(order{Method: Bank{IBAN: "DE1"}}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func unionOfOne(t *testing.T) {
	p := planOf[order](t, schema.Input, schema.Union[method]("type",
		schema.Variant[Card]("card"), schema.Variant[Bank]("bank", schema.Gate{Pred: "requires", Arg: "bank"})))
	v := viewOf(t, p)
	same(t, cardObject, property(t, v, "method"))
	wantCodes[order](t, v, `{"method":{"type":"bank","iban":"DE1"}}`, "enum /method/type")
	errs := refused[order](t, v, `{"method":{"type":"bank"}}`)
	if diff := cmp.Diff([]string{"card"}, errs[0].Limit); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	same(t, `{"anyOf":[`+cardObject+`,`+bankObject+`]}`, property(t, viewOf(t, p, "requires(bank)"), "method"))
}

func unionOfNone(t *testing.T) {
	type choice struct {
		Note   string `json:"note"`
		Method method `json:"method" mcp:"optional"`
	}
	both := schema.Union[method]("type",
		schema.Variant[Card]("card", schema.Gate{Pred: "requires", Arg: "card"}),
		schema.Variant[Bank]("bank", schema.Gate{Pred: "requires", Arg: "bank"}))
	same(t, `{"type":"object","properties":{"note":{"type":"string"}},"required":["note"],"additionalProperties":false}`,
		emitted(t, viewOf(t, planOf[choice](t, schema.Input, both))))
	required := planOf[order](t, schema.Input, both)
	if _, ok := required.View(decide(t, required)); ok {
		t.Error("a plan is seen whose required field has no value left")
	}
	if _, ok := required.View(decide(t, required, "requires(card)")); !ok {
		t.Error("a plan is hidden whose required field has a value left")
	}
}
