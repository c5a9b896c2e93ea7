package schema

import (
	"encoding"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/tenantry/tenantry/schema/internal/decimal"
	"github.com/tenantry/tenantry/schema/internal/lex"
)

// Project writes a value of the plan's type, or a map[string]any or JSON for a plan of columns, as the view
// shows it: what is hidden is left out, and everything else keeps the rules that are advertised. A value
// that breaks them, or that is a hidden or an unknown variant, is an error and nothing is returned. The
// error is for logs: it may name what the caller must not know of.
func (v *View) Project(src any) (json.RawMessage, error) {
	p := projector{decoder: decoder{doc: &lex.Doc{}, trusted: true}}
	value := reflect.ValueOf(src)
	switch {
	case v.root.typ == nil:
		return v.projectColumns(&p, src)
	case value.IsValid() && value.Kind() == reflect.Pointer && !value.IsNil() && value.Type() != v.root.typ && v.root.kind != kindUnion:
		value = value.Elem()
	}
	switch {
	case v.root.kind == kindUnion && value.IsValid() && value.Type().Implements(v.root.typ):
		boxed := reflect.New(v.root.typ).Elem()
		boxed.Set(value)
		value = boxed
	case !value.IsValid() || value.Type() != v.root.typ:
		return nil, fmt.Errorf("schema: Project of %s needs one, and not %T", v.plan.name, src)
	}
	p.value(v.root, value)
	return p.result(v.plan.name)
}

func (p *projector) result(name string) (json.RawMessage, error) {
	if p.failed != nil {
		return nil, fmt.Errorf("schema: %s at %q: %w", name, p.at, p.failed)
	}
	if len(p.errs) > 0 {
		return nil, fmt.Errorf("schema: %s: %w", name, p.errs)
	}
	return p.out, nil
}

// projectColumns writes a row by its columns' names.
func (v *View) projectColumns(p *projector, src any) (json.RawMessage, error) {
	raw, ok := src.(json.RawMessage)
	if !ok {
		if _, ok := src.(map[string]any); !ok {
			return nil, fmt.Errorf("schema: Project of %s needs a map[string]any or JSON, and not %T", v.plan.name, src)
		}
		var err error
		if raw, err = plainJSON(src); err != nil {
			return nil, fmt.Errorf("schema: %s: %w", v.plan.name, err)
		}
	}
	doc, err := lex.Parse(raw, outputLimits)
	if err != nil {
		return nil, fmt.Errorf("schema: %s: %w", v.plan.name, err)
	}
	if doc.Kind(0) != lex.Object {
		return nil, fmt.Errorf("schema: %s: a row is an object", v.plan.name)
	}
	p.doc = doc
	p.row(v.root.def.object, v.plan.root.def.object)
	return p.result(v.plan.name)
}

// outputLimits bound what the host's own code returns.
var outputLimits = lex.Limits{Bytes: 64 << 20, Depth: 1000, Values: 10_000_000}

// projector writes a value and checks it on the way, by the same rules as a decoder.
type projector struct {
	decoder
	out    []byte
	failed error
	at     string
}

func (p *projector) stop(err error) {
	if p.failed == nil {
		p.failed, p.at = err, p.pointer()
	}
}

// row writes the columns that are visible. What is none of the plan's is an error, and a hidden one is left
// out.
func (p *projector) row(o, all *object) {
	for key := range p.doc.Members(0) {
		if all.find(key) < 0 {
			p.stop(fmt.Errorf("there is no column %s", key))
			return
		}
	}
	p.out = append(p.out, '{')
	for i, f := range o.fields {
		at, ok := p.doc.Member(0, f.name)
		if !ok {
			p.stop(fmt.Errorf("the column %s is missing", f.name))
			return
		}
		p.enter(f.name)
		p.decoder.value(f.node, at, none)
		p.leave()
		if i > 0 {
			p.out = append(p.out, ',')
		}
		p.out = append(append(appendString(p.out, f.name), ':'), p.doc.Raw(at)...)
	}
	p.out = append(p.out, '}')
}

// value writes what a node holds.
func (p *projector) value(n *node, v reflect.Value) {
	bare, state := unheld(n, v)
	switch {
	case p.failed != nil:
	case state != given:
		if !n.null {
			p.stop(fmt.Errorf("%s is null", v.Type()))
			return
		}
		p.out = append(p.out, "null"...)
	default:
		p.bare(n, bare)
	}
}

// unheld returns the value itself, and whether there is one.
func unheld(n *node, v reflect.Value) (reflect.Value, state) {
	switch n.hold {
	case holdPointer:
		if v.IsNil() {
			return v, null
		}
		return v.Elem(), given
	case holdNull:
		if !v.Field(1).Bool() {
			return v, null
		}
		return v.Field(0), given
	case holdOpt:
		return v.Interface().(opt).now()
	default:
		return v, given
	}
}

func (p *projector) bare(n *node, v reflect.Value) {
	switch n.codec {
	case codecString:
		p.string(n, v.String())
	case codecInt:
		p.number(n, strconv.FormatInt(v.Int(), 10))
	case codecUint:
		p.number(n, strconv.FormatUint(v.Uint(), 10))
	case codecIntText:
		p.string(n, strconv.FormatInt(v.Int(), 10))
	case codecUintText:
		p.string(n, strconv.FormatUint(v.Uint(), 10))
	case codecFloat:
		p.float(n, v)
	case codecNumberText:
		p.numberText(n, v.String())
	case codecBool:
		text := strconv.FormatBool(v.Bool())
		p.known(n, text)
		p.out = append(p.out, text...)
	case codecBytes:
		p.out = append(appendQuotedBase64(p.out, v.Bytes()), '"')
	case codecTime:
		p.time(n, v)
	case codecText:
		p.marshal(n, v)
	case codecAny, codecRaw:
		p.any(v)
	case codecSlice, codecArray:
		p.array(n, v)
	case codecMap:
		p.mapping(n, v)
	case codecStruct:
		p.object(n.def.object, v)
	case codecUnion:
		p.union(n, v)
	case codecLoose: // a row is written from JSON
	}
}

func appendQuotedBase64(dst, raw []byte) []byte {
	return base64.StdEncoding.AppendEncode(append(dst, '"'), raw)
}

func (p *projector) string(n *node, s string) {
	if !utf8.ValidString(s) {
		p.stop(fmt.Errorf("a string is not in UTF-8"))
		return
	}
	p.text(n, s)
	p.out = appendString(p.out, s)
}

func (p *projector) number(n *node, text string) {
	p.decimal(n, text)
	p.out = append(p.out, text...)
}

func (p *projector) decimal(n *node, text string) {
	if n.enum == nil && n.only == nil && n.min == nil && n.max == nil && n.xmin == nil && n.xmax == nil && n.step == nil {
		return
	}
	at := decimal.Parse(text)
	p.known(n, at.Text())
	p.bounded(n, at)
}

func (p *projector) float(n *node, v reflect.Value) {
	f := v.Float()
	if math.IsNaN(f) || math.IsInf(f, 0) {
		p.stop(fmt.Errorf("%v is no number of JSON", f))
		return
	}
	p.number(n, string(appendFloat(nil, f, n.typ.Bits())))
}

// appendFloat writes a number as encoding/json does.
func appendFloat(dst []byte, f float64, bits int) []byte {
	format, abs := byte('f'), math.Abs(f)
	if abs != 0 && (abs < 1e-6 || abs >= 1e21) {
		format = 'e'
	}
	return strconv.AppendFloat(dst, f, format, -1, bits)
}

func (p *projector) numberText(n *node, text string) {
	if !decimal.Valid(text) || len(text) > lex.MaxNumber {
		p.stop(fmt.Errorf("a json.Number is no number"))
		return
	}
	p.number(n, text)
}

func (p *projector) time(n *node, v reflect.Value) {
	t, ok := v.Interface().(time.Time)
	if !ok || t.Year() < 0 || t.Year() > 9999 {
		p.stop(fmt.Errorf("a time is out of the years that RFC 3339 writes"))
		return
	}
	p.string(n, t.Format(time.RFC3339Nano))
}

func (p *projector) marshal(n *node, v reflect.Value) {
	text, err := v.Interface().(encoding.TextMarshaler).MarshalText()
	if err != nil {
		p.stop(err)
		return
	}
	p.string(n, string(text))
}

// any writes what only the host knows. It must be JSON that this package reads, or it could hold a key
// twice.
func (p *projector) any(v reflect.Value) {
	raw, err := plainJSON(v.Interface())
	if err == nil {
		_, err = lex.Parse(raw, outputLimits)
	}
	if err != nil {
		p.stop(err)
		return
	}
	p.out = append(p.out, raw...)
}

func (p *projector) array(n *node, v reflect.Value) {
	p.countItems(n, v.Len())
	start := len(p.out)
	p.out = append(p.out, '[')
	for i := range v.Len() {
		if i > 0 {
			p.out = append(p.out, ',')
		}
		p.enterAt(i)
		p.value(n.elem, v.Index(i))
		p.leave()
	}
	p.out = append(p.out, ']')
	if n.unique && p.failed == nil {
		doc, err := lex.Parse(p.out[start:], outputLimits)
		if err != nil || !(&decoder{doc: doc}).unique(0) {
			p.fail(FieldError{Code: NotUnique, Keyword: "uniqueItems", Msg: "two elements are equal"})
		}
	}
}

func (p *projector) mapping(n *node, v reflect.Value) {
	p.countMembers(n, v.Len())
	keys := v.MapKeys()
	sortKeys(keys)
	p.out = append(p.out, '{')
	for i, key := range keys {
		if i > 0 {
			p.out = append(p.out, ',')
		}
		p.enter(key.String())
		p.string(n.keys, key.String())
		p.out = append(p.out, ':')
		p.value(n.elem, v.MapIndex(key))
		p.leave()
	}
	p.out = append(p.out, '}')
}

func sortKeys(keys []reflect.Value) {
	slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
}

func (p *projector) object(o *object, v reflect.Value) {
	p.out = append(p.out, '{')
	first := true
	for _, f := range o.fields {
		if p.failed != nil {
			return
		}
		first = p.field(f, v, first)
	}
	if o.rest != nil {
		p.rest(o, v.FieldByIndex(o.rest), first)
	}
	p.out = append(p.out, '}')
}

// field writes a member, if there is one, and reports whether the next is the first.
func (p *projector) field(f *field, v reflect.Value, first bool) bool {
	held := v
	if f.index != nil {
		held = v.FieldByIndex(f.index)
		if leftOut(f, held) {
			return first
		}
	}
	if !first {
		p.out = append(p.out, ',')
	}
	p.out = append(appendString(p.out, f.name), ':')
	p.enter(f.name)
	switch {
	case f.inside:
		p.object(f.node.def.object, v)
	case f.index == nil: // the discriminator
		p.out = append(p.out, f.node.only.raw...)
	default:
		p.value(f.node, held)
	}
	p.leave()
	return false
}

// leftOut reports whether a member is not written: an absent one, and an empty one that may be left out.
func leftOut(f *field, v reflect.Value) bool {
	if f.node.hold == holdOpt {
		_, s := unheld(f.node, v)
		return s == absent
	}
	if !f.omit {
		return false
	}
	switch v.Kind() {
	case reflect.Slice, reflect.Map:
		return v.Len() == 0
	default:
		return v.IsZero()
	}
}

// rest writes undeclared members, which cannot stand in for declared ones.
func (p *projector) rest(o *object, v reflect.Value, first bool) {
	keys := v.MapKeys()
	sortKeys(keys)
	for _, key := range keys {
		if slices.Contains(o.reserved, key.String()) {
			p.stop(fmt.Errorf("the rest holds %q, which is a member of its own", key.String()))
			return
		}
		if !first {
			p.out = append(p.out, ',')
		}
		first = false
		p.out = append(appendString(p.out, key.String()), ':')
		p.any(v.MapIndex(key))
	}
}

// union writes the variant that a value is, if it is a visible one.
func (p *projector) union(n *node, v reflect.Value) {
	if v.IsNil() {
		p.stop(fmt.Errorf("%s is nil", n.typ))
		return
	}
	v = v.Elem()
	for _, alternative := range n.variants {
		own := alternative.node.typ
		switch {
		case v.Type() == own:
			p.object(alternative.node.def.object, v)
			return
		case v.Kind() == reflect.Pointer && v.Type().Elem() == own && !v.IsNil():
			p.object(alternative.node.def.object, v.Elem())
			return
		}
	}
	p.stop(fmt.Errorf("%s is no variant of %s that this caller may see", v.Type(), n.typ))
}
