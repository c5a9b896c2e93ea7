package elicit

import (
	"encoding/json"
	"errors"

	"github.com/tenantry/tenantry/schema/internal/words"
)

// revision is a version of the protocol in which forms changed.
type revision string

const (
	firstForms  revision = "2025-06-18" // before it there are none
	choiceForms revision = "2025-11-25" // choices of several, titles in JSON Schema's own words, defaults of all kinds
	exactForms  revision = "2026-07-28" // bounds of numbers need not be whole
)

var errSeveral = errors.New("elicit: before revision 2025-11-25 a form has no choice of several")

// wire writes the schema as a revision has it.
func (s *sheet) wire(r revision) (json.RawMessage, error) {
	w := &written{}
	w.open()
	w.key("type").raw(`"object"`)
	w.key("properties").open()
	var required []string
	for _, p := range s.properties {
		if p.kind == listKind && r < choiceForms {
			return nil, errSeveral
		}
		w.key(p.name).property(p, r)
		if p.required {
			required = append(required, words.Quote(p.name))
		}
	}
	w.close()
	if required != nil {
		w.list("required", required)
	}
	w.close()
	return w.out, nil
}

func (w *written) property(p *property, r revision) {
	w.open()
	w.text("type", string(p.kind))
	w.text("title", p.title)
	w.text("description", p.description)
	switch {
	case p.kind == listKind:
		w.several(p)
	case p.choices != nil:
		w.one(p, r)
	case p.kind == textKind:
		w.freeText(p)
	default:
		w.bounds(p, r)
	}
	if p.fallback != "" && p.tells(r) {
		w.key("default").raw(p.fallback)
	}
	w.close()
}

// tells reports whether the revision has a word for this default. Before 2026-07-28 the published schema has
// whole numbers alone, and clients take fractions all the same.
func (p *property) tells(r revision) bool { return p.kind == booleanKind || r >= choiceForms }

func (w *written) freeText(p *property) {
	w.count("minLength", p.least)
	w.count("maxLength", p.most)
	if p.pattern != nil {
		w.text("pattern", p.pattern.Source())
	}
	w.text("format", p.format)
}

// bounds writes those of a number. Where they must be whole they become wider, never narrower.
func (w *written) bounds(p *property, r revision) {
	for _, b := range []struct {
		keyword string
		at      *bound
		up      bool
	}{{"minimum", p.min, false}, {"maximum", p.max, true}} {
		switch {
		case b.at == nil:
		case r >= exactForms:
			w.key(b.keyword).raw(b.at.raw)
		default:
			w.key(b.keyword).raw(b.at.rounded(b.up))
		}
	}
}

// one writes a choice of one.
func (w *written) one(p *property, r revision) {
	switch {
	case !p.titled:
		w.list("enum", p.quotedValues())
	case r >= choiceForms:
		w.list("oneOf", p.entries())
	default:
		w.list("enum", p.quotedValues())
		titles := make([]string, len(p.choices))
		for i, c := range p.choices {
			titles[i] = words.Quote(c.title)
		}
		w.list("enumNames", titles)
	}
}

// several writes a choice of several.
func (w *written) several(p *property) {
	w.count("minItems", p.least)
	w.count("maxItems", p.most)
	w.key("items").open()
	if p.titled {
		w.list("anyOf", p.entries())
	} else {
		w.text("type", string(textKind))
		w.list("enum", p.quotedValues())
	}
	w.close()
}

func (p *property) quotedValues() []string {
	values := make([]string, len(p.choices))
	for i, c := range p.choices {
		values[i] = words.Quote(c.value)
	}
	return values
}

// entries are the choices with their titles.
func (p *property) entries() []string {
	entries := make([]string, len(p.choices))
	for i, c := range p.choices {
		entries[i] = `{"const":` + words.Quote(c.value) + `,"title":` + words.Quote(c.title) + `}`
	}
	return entries
}
