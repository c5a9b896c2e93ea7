package schema

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"sync"

	"github.com/tenantry/tenantry/schema/internal/lex"
	"github.com/tenantry/tenantry/schema/internal/match"
	"github.com/tenantry/tenantry/schema/internal/words"
)

// inputLimits bound every document that comes in.
var inputLimits = lex.Limits{Bytes: 1 << 20, Depth: 32, Values: 10_000}

// maxErrors bounds how many mistakes are listed.
const maxErrors = 32

// none stands for a target where there is nothing to assign to.
var none reflect.Value

// Decode reads one JSON document into dst, a pointer to the plan's type, or to a map[string]any for a plan
// of columns. Numbers keep every digit, keys match in their exact letter case, and nothing of dst changes
// unless all of the document is good. The error is Errors, whose texts never echo a value. A value that
// needs more than the budget of patterns is refused (PatternSteps). A context that is done ends it with the
// context's error.
//
// A document has at most 1 MiB, 10,000 values and 32 levels; a key given twice is malformed. Where def is
// nil, or has nothing, the static default stands; an error of def fails the call.
func (v *View) Decode(ctx context.Context, raw []byte, dst any, def Defaults) error {
	out := reflect.ValueOf(dst)
	if out.Kind() != reflect.Pointer || out.IsNil() || !v.takes(out.Elem().Type()) {
		return fmt.Errorf("schema: Decode of %s needs a pointer to it, and not %T", v.plan.name, dst)
	}
	d := decoders.Get().(*decoder)
	d.doc = d.own
	defer d.release()
	d.ctx, d.defaults, d.lenient, d.budget = ctx, def, v.plan.lenient, match.NewBudget(v.plan.steps)
	if err := d.doc.Parse(raw, inputLimits); err != nil {
		return Errors{{Code: Malformed, Msg: err.Error()}}
	}
	fresh := reflect.New(out.Elem().Type()).Elem()
	if v.root.typ == nil {
		fresh.Set(reflect.MakeMap(typeRest))
	}
	d.value(v.root, 0, fresh)
	if d.gone {
		return ctx.Err()
	}
	if len(d.errs) == 0 {
		d.validate()
	}
	if err := d.err(); err != nil {
		return err
	}
	out.Elem().Set(fresh)
	return nil
}

func (v *View) takes(t reflect.Type) bool {
	if v.root.typ == nil {
		return t == typeRest
	}
	return t == v.root.typ
}

// decoders keeps the memory of decoders that have done their work.
var decoders = sync.Pool{New: func() any { return &decoder{own: &lex.Doc{}} }}

// maxKept keeps one giant document from staying in memory for good.
const maxKept = 4096

// decoder holds one document against a view, and fills in a value on the way.
type decoder struct {
	ctx      context.Context
	own      *lex.Doc // the document that came in, in memory of ours
	doc      *lex.Doc // what is being read: it, a document within it, or a default of the plan
	defaults Defaults
	lenient  bool

	path   []segment
	errs   Errors
	budget match.Budget
	guards []guard
	nested bool // within a document that was a string

	gone    bool // the caller has gone away in the middle
	hidden  bool // what is decoded is the default of a hidden field, of which nothing is told
	trusted bool // the document is the host's own: its texts may be of any length under a pattern
}

// segment is one step of a JSON Pointer.
type segment struct {
	key   string
	index int // where key is ""
}

// guard is a value that checks itself in the end.
type guard struct {
	path   string
	hidden bool
	value  Validator
}

func (d *decoder) release() {
	own := d.own
	if own.Values() > maxKept {
		own = &lex.Doc{}
	}
	own.Release()
	*d = decoder{own: own, path: d.path[:0]}
	decoders.Put(d)
}

func (d *decoder) err() error {
	if len(d.errs) == 0 {
		return nil
	}
	return d.errs
}

// fail notes a mistake at the current place.
func (d *decoder) fail(e FieldError) {
	e.Path = d.pointer()
	d.add(e)
}

func (d *decoder) add(e FieldError) {
	switch {
	case len(d.errs) < maxErrors:
		d.errs = append(d.errs, e)
	case len(d.errs) == maxErrors:
		d.errs = append(d.errs, FieldError{Code: Truncated, Msg: "there are more mistakes than these: correct them and send it again"})
	}
}

// full reports whether no further mistake would be listed.
func (d *decoder) full() bool { return len(d.errs) > maxErrors }

// pointer returns the current place as a JSON Pointer (RFC 6901).
func (d *decoder) pointer() string {
	var b strings.Builder
	for _, s := range d.path {
		b.WriteByte('/')
		if s.index >= 0 {
			b.WriteString(strconv.Itoa(s.index))
		} else {
			b.WriteString(words.Escape(s.key))
		}
	}
	return b.String()
}

func (d *decoder) enter(key string)  { d.path = append(d.path, segment{key: key, index: -1}) }
func (d *decoder) enterAt(index int) { d.path = append(d.path, segment{index: index}) }
func (d *decoder) leave()            { d.path = d.path[:len(d.path)-1] }
func (d *decoder) failAt(k string, e FieldError) {
	d.enter(k)
	d.fail(e)
	d.leave()
}

// value checks value i against a node and assigns it to target, which holds it as the node says. A target
// that is no value is left alone.
func (d *decoder) value(n *node, i int, target reflect.Value) {
	if d.full() {
		return
	}
	if d.doc.Kind(i) == lex.Null && (n.kind != kindAny || n.hold != holdValue) {
		if !n.null {
			d.fail(FieldError{Code: Null, Keyword: "type", Msg: "must be " + n.noun() + " and not null"})
			return
		}
		setNull(n, target)
		return
	}
	d.bare(n, i, slotOf(n, target))
}

// setNull assigns null to what holds a value.
func setNull(n *node, target reflect.Value) {
	if !target.IsValid() {
		return
	}
	if n.hold == holdOpt {
		target.Addr().Interface().(settable).setNull()
	} // a pointer and an sql.Null are null as they are
}

// slotOf returns where the value itself goes.
func slotOf(n *node, target reflect.Value) reflect.Value {
	if !target.IsValid() {
		return target
	}
	switch n.hold {
	case holdPointer:
		target.Set(reflect.New(n.typ))
		return target.Elem()
	case holdNull:
		target.Field(1).SetBool(true)
		return target.Field(0)
	case holdOpt:
		return reflect.ValueOf(target.Addr().Interface().(settable).slot()).Elem()
	default:
		return target
	}
}

// bare is value without null and without what holds it.
func (d *decoder) bare(n *node, i int, target reflect.Value) {
	switch n.kind {
	case kindAny:
		d.assignAny(n, i, target)
	case kindString:
		d.str(n, i, target)
	case kindInteger, kindNumber:
		d.number(n, i, target)
	case kindBoolean:
		d.boolean(n, i, target)
	case kindEither:
		d.either(n, i, target)
	default:
		d.composite(n, i, target)
	}
}

// guard notes a value that checks itself.
func (d *decoder) guard(o *object, target reflect.Value) {
	if !o.validate || !target.IsValid() || !target.CanAddr() {
		return
	}
	if v, ok := target.Addr().Interface().(Validator); ok {
		d.guards = append(d.guards, guard{path: d.pointer(), hidden: d.hidden, value: v})
	}
}

// validate has every value check itself, the inner ones first.
func (d *decoder) validate() {
	for _, g := range d.guards {
		err := g.value.Validate(d.ctx)
		switch {
		case err == nil:
			continue
		case g.hidden:
			d.add(badHiddenDefault(err))
			continue
		}
		inner, ok := errors.AsType[Errors](err)
		if !ok {
			d.add(FieldError{Path: g.path, Code: Custom, Msg: oneLine(err.Error())})
			continue
		}
		for _, e := range inner {
			e.Path = g.path + e.Path
			d.add(e)
		}
	}
}
