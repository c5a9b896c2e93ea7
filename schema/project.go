package schema

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"

	"github.com/tenantry/tenantry/schema/internal/lex"
)

// Project writes a value of the plan's type, or a map[string]any or JSON for a plan of columns, as the view
// shows it: what is hidden is left out, and everything else keeps the rules that are advertised. A value
// that breaks them, or that is a hidden or an unknown variant, is an error and nothing is returned. The
// error is for logs: it may name what the caller must not know of.
func (v *View) Project(src any) (json.RawMessage, error) {
	p := projector{decoder: decoder{doc: &lex.Doc{}, trusted: true}, plan: v.plan}
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

// maxNested is how deep a value of the host may be: one that is within itself would have no end.
const maxNested = 200

// outputLimits bound what the host's own code returns.
var outputLimits = lex.Limits{Bytes: 64 << 20, Depth: 1000, Values: 10_000_000}

// projector writes a value and checks it on the way, by the same rules as a decoder.
type projector struct {
	plan *Plan
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

// value writes what a node holds.
func (p *projector) value(n *node, v reflect.Value) {
	bare, state := unheld(n, v)
	switch {
	case p.failed != nil:
	case len(p.path) > maxNested:
		p.stop(errors.New("the value is nested too deep, or within itself"))
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
			p.fail(FieldError{Code: NotUnique, Keyword: "uniqueItems", Msg: "has two equal elements"})
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
