package schema_test

import (
	"reflect"

	"github.com/tenantry/tenantry/schema"
)

func unionHolder() reflect.Type { return reflect.TypeFor[order]() }

func optionalUnion() reflect.Type {
	type Body struct {
		Name   *string `json:"name"`
		Method method  `json:"method" mcp:"optional"`
	}
	return reflect.TypeFor[Body]()
}

func noUnion() reflect.Type {
	type Body struct {
		Name *string `json:"name"`
	}
	return reflect.TypeFor[Body]()
}

var variantBodies = []string{
	`{}`, `{"method":null}`, `{"method":"bank"}`, `{"method":{}}`, `{"method":{"type":"card","last4":"1"}}`, `{"method":{"type":"bank","iban":"x"}}`,
	`{"method":{"type":"bank"}}`, `{"method":{"type":"cash","coins":1}}`, `{"method":{"type":"none"}}`, `{"method":{"iban":"x"}}`,
	`{"method":{"type":"card","iban":"x"}}`, `{"method":{"type":1}}`, `{"method":{"type":null,"coins":1}}`,
}

// Rank is an enum, one value of which is not for everyone.
type Rank string

func (Rank) EnumValues() []Rank { return []Rank{"low", "mid", "top"} }
func (Rank) EnumGates() []schema.ValueGate {
	return []schema.ValueGate{schema.EnumGate(Rank("top"), schema.Gate{Pred: "requires", Arg: "top"})}
}

// Solo has one value for everyone.
type Solo string

func (Solo) EnumValues() []Solo { return []Solo{"low", "top"} }
func (Solo) EnumGates() []schema.ValueGate {
	return []schema.ValueGate{schema.EnumGate(Solo("top"), schema.Gate{Pred: "requires", Arg: "top"})}
}

func gatedEnum() reflect.Type {
	type Body struct {
		Rank  Rank  `json:"rank"`
		Other *Rank `json:"other" mcp:"nullable"`
	}
	return reflect.TypeFor[Body]()
}

func twinEnum() reflect.Type {
	type Body struct {
		Rank  string  `json:"rank" mcp:"enum=low|mid"`
		Other *string `json:"other" mcp:"enum=low|mid;nullable"`
	}
	return reflect.TypeFor[Body]()
}

func gatedSingle() reflect.Type {
	type Body struct {
		Rank  Solo   `json:"rank"`
		Other []Solo `json:"other" mcp:"optional"`
	}
	return reflect.TypeFor[Body]()
}

func twinSingle() reflect.Type {
	type Body struct {
		Rank  string   `json:"rank" mcp:"enum=low"`
		Other []string `json:"other" mcp:"optional;items.enum=low"`
	}
	return reflect.TypeFor[Body]()
}

var enumBodies = []string{
	`{"rank":"low"}`, `{"rank":"top"}`, `{"rank":"none"}`, `{"rank":null}`, `{"rank":1}`, `{"rank":"Top","other":"top"}`, `{"other":null}`,
	`{"rank":"low","other":["low","top"]}`, `{"rank":"low","other":[]}`,
}

// Column is what a list may be sorted by.
type Column string

func (Column) EnumValues() []Column { return []Column{"name", "cost", "-name", "-cost"} }
func (Column) EnumGates() []schema.ValueGate {
	cost := schema.Gate{Pred: "requires", Arg: "cost"}
	return []schema.ValueGate{schema.EnumGate(Column("cost"), cost), schema.EnumGate(Column("-cost"), cost)}
}

func gatedColumns() reflect.Type {
	type Body struct {
		Sort   []Column `json:"sort" mcp:"max=3;unique"`
		Filter *struct {
			Field Column `json:"field"`
			Value string `json:"value"`
		} `json:"filter"`
	}
	return reflect.TypeFor[Body]()
}

func twinColumns() reflect.Type {
	type Body struct {
		Sort   []string `json:"sort" mcp:"max=3;unique;items.enum=name|-name"`
		Filter *struct {
			Field string `json:"field" mcp:"enum=name|-name"`
			Value string `json:"value"`
		} `json:"filter"`
	}
	return reflect.TypeFor[Body]()
}

var columnBodies = []string{
	`{"sort":["name"]}`, `{"sort":["cost"]}`, `{"sort":["-cost","name","nothing"]}`, `{"sort":[],"filter":{"field":"cost","value":"1"}}`,
	`{"sort":[],"filter":{"field":"none","value":"1"}}`, `{"sort":["cost","cost"]}`, `{"sort":["cost","name","-cost","-name"]}`,
}
