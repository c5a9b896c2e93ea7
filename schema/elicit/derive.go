package elicit

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"

	"github.com/tenantry/tenantry/schema"
	"github.com/tenantry/tenantry/schema/internal/decimal"
	"github.com/tenantry/tenantry/schema/internal/match"
	"github.com/tenantry/tenantry/schema/internal/words"
)

// derive reads what a form asks for from the JSON Schema of the struct, so that tags are read in one place.
func derive(t reflect.Type, opts []schema.Option) (*schema.View, *sheet, error) {
	d := &deriver{places: placesOf(t)}
	d.gates()
	plan, err := schema.ForType(t, schema.Input, append(slices.Clone(opts), schema.Form(), schema.Inline())...)
	if err != nil {
		return nil, nil, errors.Join(append(d.mistakes, err)...)
	}
	if len(plan.Gates()) > 0 && len(d.mistakes) == 0 {
		d.mistake(d.places.whole, "a form has no gates: choose another form for another caller")
	}
	view, ok := plan.View(schema.AllowGates(plan.Gates()...))
	if !ok {
		d.mistake(d.places.whole, "nothing of it can be asked for")
		return nil, nil, errors.Join(d.mistakes...)
	}
	s := d.sheet(view)
	return view, s, errors.Join(d.mistakes...)
}

type deriver struct {
	places   places
	mistakes []error
}

func (d *deriver) mistake(where, text string) {
	d.mistakes = append(d.mistakes, fmt.Errorf("elicit: %s: %s", where, text))
}

// gates refuses gates by the field that they stand at.
func (d *deriver) gates() {
	for _, f := range d.places.fields {
		if _, gated := f.sf.Tag.Lookup("gate"); gated {
			d.mistake(f.where, "a form has no gates: choose another form for another caller")
		}
	}
}

// keywords are those of one schema.
type keywords map[string]json.RawMessage

// read is false where the keyword is not there. What is read was written by package schema.
func (w keywords) read(keyword string, into any) bool {
	raw, ok := w[keyword]
	return ok && json.Unmarshal(raw, into) == nil
}

func (w keywords) count(keyword string) int {
	n := -1
	w.read(keyword, &n)
	return n
}

func (d *deriver) sheet(view *schema.View) *sheet {
	var defaultsFor []string
	raw, _ := view.JSON(context.Background(), schema.Full, func(_ context.Context, key string) (any, bool, error) {
		defaultsFor = append(defaultsFor, key)
		return nil, false, nil
	})
	var root keywords
	_ = json.Unmarshal(raw, &root) // it is an object
	var properties map[string]keywords
	var required []string
	root.read("properties", &properties)
	root.read("required", &required)
	s := &sheet{}
	for _, name := range view.Fields() {
		p := &property{name: name, required: slices.Contains(required, name)}
		if text := d.property(p, properties[name]); text != "" {
			d.mistake(d.places.of(name), text)
		}
		s.properties = append(s.properties, p)
	}
	if _, closed := root["additionalProperties"]; !closed {
		d.mistake(d.places.whole, "a form is closed: leave away the field that takes the rest")
	}
	for _, key := range defaultsFor {
		d.mistake(d.places.tagged("defaultFor="+key), "a form has no default of a caller's own: write default, or leave it away")
	}
	return s
}

const flat = "a form is flat: it has no objects, maps or unions; ask for their members one by one"

// unasked are keywords that a form cannot show in any way, and what to do about it.
var unasked = []struct{ keyword, advice string }{
	{"$ref", flat},
	{"anyOf", flat},
	{"properties", flat},
	{"additionalProperties", flat},
	{"contentEncoding", "nobody types encoded content: use a plain string"},
	{"contentMediaType", "nobody types content of a media type: use a plain string"},
}

// property reads a property, or returns what is wrong with it.
func (d *deriver) property(p *property, w keywords) (mistake string) {
	for _, u := range unasked {
		if _, ok := w[u.keyword]; ok {
			return u.advice
		}
	}
	if !w.read("type", &p.kind) {
		if _, union := w["type"]; union {
			return "a form has no null: leave nullable away, what is not filled in is absent"
		}
		return "a form asks for values of one type: use a string, a number, a bool or a choice"
	}
	w.read("title", &p.title)
	w.read("description", &p.description)
	p.fallback = string(w["default"])
	switch p.kind {
	case textKind:
		return d.text(p, w)
	case listKind:
		p.least, p.most = w.count("minItems"), w.count("maxItems")
		var items keywords
		if w.read("items", &items); items["enum"] == nil {
			return "a form has no free list: use a slice of a string type with EnumValues, or items.enum"
		}
		return d.choices(p, items)
	case integerKind, numberKind:
		p.min, p.max = tighter(w, "minimum", "exclusiveMinimum", -1), tighter(w, "maximum", "exclusiveMaximum", 1)
	case booleanKind:
	}
	if w["enum"] != nil {
		return "in a form one chooses among strings: use a string type"
	}
	return ""
}

func (d *deriver) text(p *property, w keywords) (mistake string) {
	p.least, p.most = w.count("minLength"), w.count("maxLength")
	w.read("format", &p.format)
	if formats := match.ElicitationNames(); p.format != "" && !slices.Contains(formats, p.format) {
		return "a form has no format " + strconv.Quote(p.format) + ": its formats are " + words.Listed(formats)
	}
	if w["enum"] != nil {
		return d.choices(p, w)
	}
	var src string
	if !w.read("pattern", &src) {
		return ""
	}
	var err error
	if p.pattern, err = match.CompileOwn(src); err != nil {
		return err.Error()
	}
	return ""
}

// choices reads an enum of one or several, with the titles of its Go type.
func (d *deriver) choices(p *property, w keywords) (mistake string) {
	var values []string
	if !w.read("enum", &values) {
		return "in a form one chooses among strings: use a string type"
	}
	titles, err := titlesOf(d.places.typeOf(p.name))
	if err != nil {
		return err.Error()
	}
	p.titled = titles != nil
	for _, value := range values {
		title := titles[value]
		if p.titled && title == "" {
			return "EnumTitles has no title for " + strconv.Quote(value)
		}
		p.offer(choice{value, title})
	}
	return ""
}

// tighter returns the tighter one of a bound and one that excludes itself, which forms have no word for. The
// bound that is sent then allows that one value more.
func tighter(w keywords, plain, exclusive string, sign int) *bound {
	a, b := w[plain], w[exclusive]
	switch {
	case a == nil && b == nil:
		return nil
	case a == nil, b != nil && decimal.Parse(string(b)).Compare(decimal.Parse(string(a))) == -sign:
		a = b
	}
	return boundOf(string(a))
}
