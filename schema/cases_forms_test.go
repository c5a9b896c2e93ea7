package schema_test

import (
	"encoding/json"
	"testing"
	"time"
)

// From a Go type to its schema.
var formBehaviour = []behaviour{
	{"a struct is a closed object, and a pointer is optional", structIsClosed},
	{"slices and maps hold their elements and admit no null", slicesAndMaps},
	{"any, bytes and times", anyBytesTimes},
	{"a nullable enum has null among its types and its values", nullableEnum},
	{"a constant boolean", constantBool},
	{"a type used twice is defined once, and descriptions stand beside the reference", usedTwice},
	{"a type used once stays inline", usedOnce},
	{"a recursive root refers to itself and stays an object", recursiveRoot},
	{"min and max are the keywords of each kind", boundsOfEachKind},
	{"a bound on the wrong kind, no number, and a misspelt key are build errors", misusedTags},
}

func structIsClosed(t *testing.T) {
	type person struct {
		Name string `json:"name"`
		Age  *int8  `json:"age"`
	}
	same(t, `{"type":"object","properties":{"name":{"type":"string"},"age":{"type":"integer","minimum":-128,"maximum":127}},"required":["name"],"additionalProperties":false}`,
		emitted(t, inputOf[person](t)))
}

func slicesAndMaps(t *testing.T) {
	type body struct {
		Tags   []string       `json:"tags"`
		Counts map[string]int `json:"counts"`
	}
	v := inputOf[body](t)
	same(t, `{"type":"array","items":{"type":"string"}}`, property(t, v, "tags"))
	same(t, `{"type":"object","additionalProperties":{"type":"integer"}}`, property(t, v, "counts"))
	wantCodes[body](t, v, `{"tags":null,"counts":null}`, "null /tags", "null /counts")
	wantCodes[body](t, v, `{"tags":["a"],"counts":{"a":1}}`)
}

func anyBytesTimes(t *testing.T) {
	type body struct {
		Any   any             `json:"any"`
		Raw   json.RawMessage `json:"raw"`
		Bytes []byte          `json:"bytes"`
		Time  time.Time       `json:"time"`
	}
	v := inputOf[body](t)
	same(t, `{}`, property(t, v, "any"))
	same(t, `{}`, property(t, v, "raw"))
	same(t, `{"type":"string","contentEncoding":"base64"}`, property(t, v, "bytes"))
	same(t, `{"type":"string","format":"date-time"}`, property(t, v, "time"))
}

type Status string

func nullableEnum(t *testing.T) {
	type body struct {
		Status *Status `json:"status" mcp:"enum=a|b;nullable"`
	}
	v := inputOf[body](t)
	same(t, `{"type":["string","null"],"enum":["a","b",null]}`, property(t, v, "status"))
	same(t, ``, keyword(t, emitted(t, v), "required"))
	wantCodes[body](t, v, `{"status":null}`)
	wantCodes[body](t, v, `{"status":"c"}`, "enum /status")
}

func constantBool(t *testing.T) {
	type body struct {
		Agreed bool `json:"agreed" mcp:"const=true"`
	}
	v := inputOf[body](t)
	same(t, `{"type":"boolean","const":true}`, property(t, v, "agreed"))
	wantCodes[body](t, v, `{"agreed":true}`)
	wantCodes[body](t, v, `{"agreed":false}`, "const /agreed")
}

type Addr struct {
	City string `json:"city"`
}

func usedTwice(t *testing.T) {
	type person struct {
		Home Addr `json:"home" desc:"H"`
		Work Addr `json:"work"`
	}
	same(t, `{"type":"object","properties":{"home":{"$ref":"#/$defs/Addr","description":"H"},"work":{"$ref":"#/$defs/Addr"}},"required":["home","work"],"additionalProperties":false,`+
		`"$defs":{"Addr":{"type":"object","properties":{"city":{"type":"string"}},"required":["city"],"additionalProperties":false}}}`,
		emitted(t, inputOf[person](t)))
}

func usedOnce(t *testing.T) {
	type person struct {
		Home Addr `json:"home"`
	}
	v := inputOf[person](t)
	same(t, `{"type":"object","properties":{"city":{"type":"string"}},"required":["city"],"additionalProperties":false}`, property(t, v, "home"))
	same(t, ``, keyword(t, emitted(t, v), "$defs"))
}

type Tree struct {
	Kids []Tree `json:"kids"`
}

func recursiveRoot(t *testing.T) {
	v := inputOf[Tree](t)
	same(t, `{"type":"object","properties":{"kids":{"type":"array","items":{"$ref":"#"}}},"required":["kids"],"additionalProperties":false}`, emitted(t, v))
	wantCodes[Tree](t, v, `{"kids":[{"kids":[]},{}]}`, "missing /kids/1/kids")
}

func boundsOfEachKind(t *testing.T) {
	type body struct {
		Text  string         `json:"text" mcp:"min=1;max=9"`
		Count int            `json:"count" mcp:"min=1;max=9"`
		List  []string       `json:"list" mcp:"min=1;max=9"`
		Map   map[string]int `json:"map" mcp:"min=1;max=9"`
	}
	v := inputOf[body](t)
	same(t, `{"type":"string","minLength":1,"maxLength":9}`, property(t, v, "text"))
	same(t, `{"type":"integer","minimum":1,"maximum":9}`, property(t, v, "count"))
	same(t, `{"type":"array","minItems":1,"maxItems":9,"items":{"type":"string"}}`, property(t, v, "list"))
	same(t, `{"type":"object","minProperties":1,"maxProperties":9,"additionalProperties":{"type":"integer"}}`, property(t, v, "map"))
	wantCodes[body](t, v, `{"text":"","count":0,"list":[],"map":{}}`, "length /text", "min /count", "items /list", "props /map")
}

func misusedTags(t *testing.T) {
	type kind struct {
		Flag bool `json:"flag" mcp:"min=1"`
	}
	type number struct {
		Count int `json:"count" mcp:"min=abc"`
	}
	type spelling struct {
		Total int `json:"total" mcp:"mn=1"`
	}
	wantMistake[kind](t, "kind.Flag")
	wantMistake[number](t, "number.Count")
	wantMistake[spelling](t, "spelling.Total", "mn", "min")
}
