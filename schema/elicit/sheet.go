package elicit

import (
	"slices"

	"github.com/tenantry/tenantry/schema/internal/decimal"
	"github.com/tenantry/tenantry/schema/internal/match"
)

// sheet is a schema that was read: what a person is asked.
type sheet struct {
	properties []*property
}

// find returns the property of that name, or nil.
func (s *sheet) find(name string) *property {
	i := slices.IndexFunc(s.properties, func(p *property) bool { return p.name == name })
	if i < 0 {
		return nil
	}
	return s.properties[i]
}

// names are those of the properties, as a message shows them.
func (s *sheet) names() []string {
	names := make([]string, len(s.properties))
	for i, p := range s.properties {
		names[i] = p.name
	}
	return names
}

// kind is the type of a property in the words of JSON Schema.
type kind string

const (
	textKind    kind = "string"
	integerKind kind = "integer"
	numberKind  kind = "number"
	booleanKind kind = "boolean"
	listKind    kind = "array" // of choices
)

var kinds = []string{string(textKind), string(numberKind), string(integerKind), string(booleanKind), string(listKind)}

// property is one question.
type property struct {
	name, title, description string

	kind        kind
	required    bool
	least, most int // characters of a text, choices of a list; -1: any number
	min, max    *bound
	format      string
	pattern     *match.Pattern
	choices     []choice // nil: none to choose from
	offered     map[string]bool
	titled      bool
	fallback    string // the JSON of the default; "": none
}

// bound is a limit of a number.
type bound struct {
	raw string // as it was written
	at  decimal.Number
}

func boundOf(raw string) *bound { return &bound{raw: raw, at: decimal.Parse(raw)} }

// choice is one value of an enum.
type choice struct{ value, title string }

func (p *property) offers(value string) bool { return p.offered[value] }

// offer adds a choice, unless it is there.
func (p *property) offer(c choice) bool {
	if p.offered == nil {
		p.offered = map[string]bool{}
	}
	if p.offered[c.value] {
		return false
	}
	p.offered[c.value] = true
	p.choices = append(p.choices, c)
	return true
}

// values are the choices as a message shows them.
func (p *property) values() []string {
	values := make([]string, len(p.choices))
	for i, c := range p.choices {
		values[i] = c.value
	}
	return values
}

// longest returns how many characters a text may have, or -1.
func (p *property) longest() int {
	if p.pattern != nil && p.most < 0 {
		return match.MaxLength
	}
	return p.most
}

// rounded is the nearest whole number at or above the bound, or at or below it, as JSON.
func (b *bound) rounded(up bool) string {
	if text, ok := b.at.Rounded(up); ok {
		return text
	}
	return b.raw
}
