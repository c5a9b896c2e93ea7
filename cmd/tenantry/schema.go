package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// schema prints what the tools resources and resource_schema would answer, as text for a person.
func schema(ctx context.Context, t *terminal, f *flags) error {
	c, err := asCaller(ctx, t, f, 0)
	if err != nil {
		return err
	}
	defer c.close()
	if len(f.rest) == 0 {
		return c.printResources(ctx, t.out)
	}
	return c.printSchema(ctx, t.out, f.rest[0])
}

// ask makes a call and decodes its answer. An error of the contract is bad usage here.
func (c *caller) ask(ctx context.Context, answer any, tool string, args map[string]string) error {
	raw, err := json.Marshal(args)
	if err != nil {
		return err
	}
	body, refused, err := c.server.Call(ctx, c.principal, tool, raw)
	if err != nil {
		return err
	}
	if !refused {
		return json.Unmarshal(body, answer)
	}
	var failed struct {
		Error struct {
			Message     string
			Suggestions []string
		}
	}
	if err := json.Unmarshal(body, &failed); err != nil {
		return err
	}
	text := failed.Error.Message
	if len(failed.Error.Suggestions) > 0 {
		text += " (near: " + strings.Join(failed.Error.Suggestions, ", ") + ")"
	}
	return &failure{statusUsage, errors.New(text)}
}

func (c *caller) printResources(ctx context.Context, w io.Writer) error {
	var answer struct {
		Resources []struct{ Name, Description, Note string }
	}
	if err := c.ask(ctx, &answer, "resources", nil); err != nil {
		return err
	}
	p := newPage(w)
	for _, r := range answer.Resources {
		p.row(r.Name, strings.TrimSpace(r.Description+" "+r.Note))
	}
	if len(answer.Resources) == 0 {
		p.line("This token may read no resource.")
	}
	return p.end()
}

// description is the answer of resource_schema.
type description struct {
	Name, Description, Note string
	Key                     struct {
		Fields []string
		Type   string
	}
	Attributes []struct {
		Name, Type, Description string
		Nullable                bool
		Filterable, Sortable    bool
		Enum                    []string
	}
	Relationships []struct {
		Name, Kind, Target string
		Polymorphic        bool
		Includable         bool
	}
	Filters []struct {
		Key, Type, Description, Requires string
		Operators                        []string
	}
	Sortable []string
	Limits   struct {
		DefaultLimit int `json:"default_limit"`
		MaxLimit     int `json:"max_limit"`
		MaxBytes     int `json:"max_bytes"`
	}
	Grammar    string
	Examples   []json.RawMessage
	Aggregates *aggregates
}

func (c *caller) printSchema(ctx context.Context, w io.Writer, name string) error {
	var d description
	if err := c.ask(ctx, &d, "resource_schema", map[string]string{"resource": name}); err != nil {
		return err
	}
	return d.print(w)
}

func (d *description) print(w io.Writer) error {
	p := newPage(w)
	p.line(strings.TrimSuffix(d.Name+": "+d.Description, ": "))
	if d.Note != "" {
		p.line("Note: " + d.Note)
	}
	p.line(fmt.Sprintf("Key: %s (%s)", strings.Join(d.Key.Fields, ", "), d.Key.Type))
	d.fields(p)
	d.relations(p)
	d.filters(p)
	p.line("", "Sort by: "+strings.Join(append(d.Sortable, "the key"), ", "))
	p.line(fmt.Sprintf("A page: %d rows, at most %d, and %d bytes", d.Limits.DefaultLimit, d.Limits.MaxLimit, d.Limits.MaxBytes))
	p.line("", "Filter grammar", "  "+d.Grammar, "", "Examples")
	for _, e := range d.Examples {
		p.line("  list " + string(e))
	}
	d.Aggregates.print(p)
	return p.end()
}

func (d *description) fields(p *page) {
	p.line("", "Fields")
	for _, a := range d.Attributes {
		var marks []string
		for _, m := range []struct {
			on   bool
			word string
		}{{a.Nullable, "nullable"}, {a.Filterable, "filterable"}, {a.Sortable, "sortable"}} {
			if m.on {
				marks = append(marks, m.word)
			}
		}
		about := a.Description
		if len(a.Enum) > 0 {
			about = strings.TrimSpace(about + " One of " + strings.Join(a.Enum, ", "))
		}
		p.row("  "+a.Name, a.Type, strings.Join(marks, ", "), about)
	}
}

func (d *description) relations(p *page) {
	if len(d.Relationships) > 0 {
		p.line("", "Relations")
	}
	for _, r := range d.Relationships {
		target, use := r.Target, "link only"
		if r.Polymorphic {
			target = "any type"
		}
		if r.Includable {
			use = "can be included"
		}
		p.row("  "+r.Name, strings.ReplaceAll(r.Kind, "_", " "), target, use)
	}
}

func (d *description) filters(p *page) {
	if len(d.Filters) > 0 {
		p.line("", "Filter keys")
	}
	for _, f := range d.Filters {
		about := f.Description
		if f.Requires != "" {
			about = strings.TrimSpace(about + " Needs " + f.Requires + " beside it.")
		}
		p.row("  "+f.Key, f.Type, strings.Join(f.Operators, " "), about)
	}
}

// page writes lines and aligned rows, and keeps the first error.
type page struct {
	w   *tabwriter.Writer
	err error
}

func newPage(w io.Writer) *page { return &page{w: tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)} }

func (p *page) line(lines ...string) {
	for _, l := range lines {
		p.write(l + "\n")
	}
}

func (p *page) row(cells ...string) {
	p.write(strings.TrimRight(strings.Join(cells, "\t"), "\t ") + "\n")
}

func (p *page) write(s string) {
	if p.err == nil {
		_, p.err = io.WriteString(p.w, s)
	}
}

func (p *page) end() error { return errors.Join(p.err, p.w.Flush()) }
