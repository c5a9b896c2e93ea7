package schema

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"github.com/tenantry/tenantry/schema/internal/lex"
	"github.com/tenantry/tenantry/schema/internal/words"
)

// object checks an object and assigns its members to the struct that target is, or to a map for columns.
func (d *decoder) object(o *object, i int, target reflect.Value) {
	var few [64]bool
	seen := few[:]
	if len(o.fields) > len(few) {
		seen = make([]bool, len(o.fields))
	}
	for key, e := range d.doc.Keys(i) {
		at := o.findBytes(d.doc.Bytes(key))
		if at < 0 {
			d.undeclared(o, d.doc.Text(key), e, target)
			continue
		}
		seen[at] = true
		d.enter(o.fields[at].name)
		d.member(o.fields[at], e, target)
		d.leave()
	}
	for at, f := range o.fields {
		if !seen[at] {
			d.absent(f, target)
		}
	}
	for at, f := range o.fields {
		if seen[at] {
			d.needed(o, f, seen)
		} else {
			d.required(o, f, seen)
		}
	}
	for _, f := range o.unseen {
		d.fallback(f, true, target)
	}
}

// member decodes a member of an object.
func (d *decoder) member(f *field, i int, target reflect.Value) {
	switch {
	case f.index == nil && !f.inside && f.column == "": // the discriminator, which has been read
	case !target.IsValid():
		d.value(f.node, i, none)
	case f.inside:
		d.value(f.node, i, target)
	case f.column != "":
		var v any
		d.value(f.node, i, reflect.ValueOf(&v).Elem())
		target.SetMapIndex(reflect.ValueOf(f.name), valueOrNil(v))
	default:
		d.value(f.node, i, target.FieldByIndex(f.index))
	}
}

// valueOrNil is a map's element that holds v, which may be nil.
func valueOrNil(v any) reflect.Value {
	return reflect.ValueOf(&v).Elem()
}

// undeclared takes or refuses a member that the object does not have, or does not have for this caller.
func (d *decoder) undeclared(o *object, key string, i int, target reflect.Value) {
	if o.rest == nil {
		d.failAt(words.Clip(key), FieldError{Code: Unknown, Keyword: "additionalProperties", Limit: o.names(), Msg: "is no member here: leave it out" + words.Accepted(o.names())})
		return
	}
	if !target.IsValid() {
		return
	}
	rest := target.FieldByIndex(o.rest)
	if rest.IsNil() {
		rest.Set(reflect.MakeMap(rest.Type()))
	}
	rest.SetMapIndex(reflect.ValueOf(key), valueOrNil(d.loose(i)))
}

// absent deals with a member that is not there.
func (d *decoder) absent(f *field, target reflect.Value) {
	if f.required && f.fallback == nil && f.defaultFor == "" {
		d.failAt(f.name, FieldError{Code: Missing, Keyword: "required", Msg: "is missing: send " + f.node.noun()})
		return
	}
	d.fallback(f, false, target)
}

// required refuses that a member is not there beside one that requires it.
func (d *decoder) required(o *object, f *field, seen []bool) {
	if f.required {
		return // which has been said
	}
	for _, other := range f.with {
		if seen[o.find(other)] {
			d.failAt(f.name, FieldError{Code: RequiredWith, Keyword: "dependentRequired", Limit: other, Msg: "is missing: it is required with " + other})
			return
		}
	}
}

// needed refuses a member without those that it needs.
func (d *decoder) needed(o *object, f *field, seen []bool) {
	for _, other := range f.needs {
		if at := o.find(other); at < 0 || !seen[at] {
			d.failAt(other, FieldError{Code: Needs, Keyword: "dependentRequired", Limit: f.name, Msg: "is missing: " + f.name + " is of no use without it"})
		}
	}
}

// fallback assigns the default of a member that is not there, and of all that would lie inside it. Nobody is
// told the name of a hidden one.
func (d *decoder) fallback(f *field, hidden bool, target reflect.Value) {
	switch {
	case !target.IsValid():
		return
	case f.inside:
		inner := f.node.def.object
		for _, f := range inner.fields {
			d.fallback(f, hidden, target)
		}
		for _, f := range inner.unseen {
			d.fallback(f, true, target)
		}
		return
	}
	doc, err := d.defaultOf(f)
	switch {
	case err != nil && hidden:
		d.add(badHiddenDefault(err))
	case err != nil:
		d.failAt(f.name, FieldError{Code: BadDefault, Keyword: "default", Msg: "is missing, and its default cannot be had now: send it", Cause: err})
	case doc != nil:
		d.filled(f, doc, hidden, target)
	case f.must && hidden:
		d.add(badHiddenDefault(errors.New("there is none for this caller")))
	case f.must:
		d.failAt(f.name, FieldError{Code: Missing, Keyword: "required", Msg: "is missing: send " + f.node.noun()})
	}
}

func badHiddenDefault(err error) FieldError {
	return FieldError{Code: BadDefault, Msg: "what the server itself fills in cannot be had now: try again later", Cause: err}
}

// defaultOf returns the default of a member for this caller, or nil for none.
func (d *decoder) defaultOf(f *field) (*lex.Doc, error) {
	if f.defaultFor == "" {
		return f.doc, nil
	}
	raw, err := dynamic(d.ctx, f.node, f.defaultFor, d.defaults)
	switch {
	case err != nil:
		return nil, err
	case raw == nil:
		return f.doc, nil
	default:
		return lex.Parse(raw, inputLimits)
	}
}

// filled decodes a default, which has been found good and costs the document nothing.
func (d *decoder) filled(f *field, doc *lex.Doc, hidden bool, target reflect.Value) {
	outer, wasHidden, wasTrusted := d.doc, d.hidden, d.trusted
	d.doc, d.hidden, d.trusted = doc, wasHidden || hidden, true
	d.enter(f.name)
	d.member(f, 0, target)
	d.leave()
	d.doc, d.hidden, d.trusted = outer, wasHidden, wasTrusted
}

// dynamic asks for the default of a caller and returns its JSON, which the node allows, or nil for none.
func dynamic(ctx context.Context, n *node, key string, def Defaults) (raw []byte, err error) {
	if def == nil {
		return nil, nil
	}
	defer func() {
		if v := recover(); v != nil {
			raw, err = nil, fmt.Errorf("panic: %v", v)
		}
		if err != nil {
			err = fmt.Errorf("the default %s: %w", key, err)
		}
	}()
	v, ok, err := def(ctx, key)
	if err != nil || !ok {
		return nil, err
	}
	if err := gatesWithin(reflect.ValueOf(v), nil); err != nil {
		return nil, err
	}
	if raw, err = plainJSON(v); err != nil {
		return nil, err
	}
	doc, err := lex.Parse(raw, inputLimits)
	if err != nil {
		return nil, err
	}
	d := decoder{ctx: ctx, doc: doc}
	d.value(n, 0, none)
	if len(d.errs) > 0 {
		return nil, errors.New("it does not keep the member's own rules: " + d.errs.Error())
	}
	return raw, nil
}

// plainJSON is encoding/json without the escapes that only HTML needs.
func plainJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}
