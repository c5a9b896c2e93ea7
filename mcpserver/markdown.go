package mcpserver

import (
	"encoding/json"
	"fmt"
	"strings"
)

// described is what markdown takes from an answer of resource_schema.
type described struct {
	Name, Description, Note string
	Key                     struct {
		Fields []string
		Type   string
	}
	Attributes    []describedKey
	Relationships []describedRelation
	Filters       []describedKey
	Limits        struct {
		DefaultLimit    int `json:"default_limit"`
		MaxLimit        int `json:"max_limit"`
		MaxOffset       int `json:"max_offset"`
		MaxIDs          int `json:"max_ids"`
		MaxFilterValues int `json:"max_filter_values"`
		MaxBytes        int `json:"max_bytes"`
	}
	Grammar    string
	Examples   []json.RawMessage
	Aggregates *describedAggregates
}

// describedKey is a field or a filter key.
type describedKey struct {
	Name, Key, Type, Format, Description, Requires string
	Enum, Operators                                []string
	Nullable, Filterable, Sortable                 bool
}

type describedRelation struct {
	Name, Kind, Target      string
	Polymorphic, Includable bool
	FilterKeys              []string `json:"filter_keys"`
}

// markdown turns an answer of resource_schema into a text for people and models, who attach it to a
// conversation. It says no more than the answer does.
func markdown(schema []byte, prefix string) ([]byte, error) {
	var d described
	if err := json.Unmarshal(schema, &d); err != nil {
		return nil, fmt.Errorf("mcpserver: an answer of resource_schema: %w", err)
	}
	p := &page{}
	p.line("# %s", d.Name)
	p.paragraph(flat(d.Description))
	p.paragraph(flat(d.Note))
	p.paragraph(d.keyLine(withNames("Read one row with `{{get}}` or at `"+resourceURI(d.Name)+"/{id}`, many with `{{list}}`.", prefix)))
	p.fields(d.Attributes)
	p.filters(d)
	p.relations(d.Relationships)
	p.line("\n## Filtering\n\n%s", flat(d.Grammar))
	p.line("\n## Limits\n\n%d rows a page unless `limit` says otherwise, at most %d; `offset` to %d; %d `ids`; %d values in one filter; %d bytes a page.",
		d.Limits.DefaultLimit, d.Limits.MaxLimit, d.Limits.MaxOffset, d.Limits.MaxIDs, d.Limits.MaxFilterValues, d.Limits.MaxBytes)
	p.line("\n## Examples\n\n```")
	for _, example := range d.Examples {
		p.line("%s %s", withNames("{{list}}", prefix), compact(example))
	}
	p.line("```")
	p.aggregates(d.Aggregates, prefix)
	return []byte(p.String()), nil
}

func (d *described) keyLine(how string) string {
	key := "Key: of type " + flat(d.Key.Type) + ", not among the fields."
	if n := len(d.Key.Fields); n == 1 {
		key = "Key: " + code(d.Key.Fields[0]) + "."
	} else if n > 1 {
		key = "Key: " + codes(d.Key.Fields) + ", joined by `:`, each with `%`, `:` and `/` percent-encoded."
	}
	return key + " " + how
}

// page is Markdown being written.
type page struct{ strings.Builder }

func (p *page) line(format string, args ...any) { fmt.Fprintf(&p.Builder, format+"\n", args...) }

func (p *page) paragraph(text string) {
	if text != "" {
		p.line("\n%s", text)
	}
}

// row is a row of a table.
func (p *page) row(cells ...string) {
	for _, c := range cells {
		p.WriteString("| " + strings.ReplaceAll(c, "|", `\|`) + " ")
	}
	p.line("|")
}

func (p *page) fields(fields []describedKey) {
	p.line("\n## Fields\n\n| field | type | filter operators | sortable | about |\n|---|---|---|---|---|")
	for _, f := range fields {
		sortable, kind := "", flat(f.Type)
		if f.Sortable {
			sortable = "yes"
		}
		if f.Nullable {
			kind += ", may be null"
		}
		p.row(code(f.Name), kind, strings.Join(f.Operators, " "), sortable, f.about())
	}
}

// filters are the filter keys that are not said with the field of the same name.
func (p *page) filters(d described) {
	said := map[string]bool{}
	for _, f := range d.Attributes {
		said[f.Name] = f.Filterable
	}
	begun := false
	for _, k := range d.Filters {
		if said[k.Key] && k.Requires == "" && k.Description == "" {
			continue
		}
		if !begun {
			p.line("\n## Further filter keys\n\n| key | type | operators | about |\n|---|---|---|---|")
			begun = true
		}
		p.row(code(k.Key), flat(k.Type), strings.Join(k.Operators, " "), k.about())
	}
}

func (k *describedKey) about() string {
	var parts []string
	for _, part := range []string{k.Description, k.Format} {
		if part != "" {
			parts = append(parts, strings.TrimSuffix(flat(part), "."))
		}
	}
	if len(k.Enum) > 0 {
		parts = append(parts, "one of "+codes(k.Enum))
	}
	if k.Requires != "" {
		parts = append(parts, "needs "+code(k.Requires)+" beside it")
	}
	return strings.Join(parts, "; ")
}

func (p *page) relations(relations []describedRelation) {
	if len(relations) > 0 {
		p.line("\n## Relations\n")
	}
	for _, r := range relations {
		text := "- " + code(r.Name) + ": " + strings.ReplaceAll(flat(r.Kind), "_", " ")
		if r.Target != "" {
			text += " of " + code(r.Target)
		}
		if r.Polymorphic {
			text += " of several resources"
		}
		if len(r.FilterKeys) > 0 {
			text += "; filter by " + codes(r.FilterKeys)
		}
		if r.Includable {
			text += "; embed with `include`"
		}
		p.line("%s", text)
	}
}

// flat is a text in one line.
func flat(text string) string { return strings.Join(strings.Fields(text), " ") }

var oneLine = strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ")

// code is a name as code, whatever quotes and line breaks it holds.
func code(name string) string {
	if name = oneLine.Replace(name); strings.Contains(name, "`") {
		return "`` " + name + " ``"
	}
	return "`" + name + "`"
}

func codes(names []string) string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = code(n)
	}
	return strings.Join(out, ", ")
}
