package schema

import (
	"encoding/json"
	"reflect"
	"strconv"

	"github.com/tenantry/tenantry/schema/internal/decimal"
	"github.com/tenantry/tenantry/schema/internal/lex"
)

func (d *decoder) number(n *node, i int, target reflect.Value) {
	raw, ok := "", d.doc.Kind(i) == lex.Number
	switch {
	case ok:
		raw = string(d.doc.Raw(i))
	case d.lenient && d.doc.Kind(i) == lex.String:
		raw = d.doc.Text(i)
		ok = decimal.Valid(raw) && len(raw) <= lex.MaxNumber
	}
	if !ok {
		d.wrongType(n)
		return
	}
	at := decimal.Parse(raw)
	if n.kind == kindInteger && !at.Whole() {
		d.wrongType(n)
		return
	}
	before := len(d.errs)
	if n.enum != nil || n.only != nil {
		d.known(n, at.Text())
	}
	d.bounded(n, at)
	d.stepped(n, at)
	if len(d.errs) > before {
		return
	}
	switch n.codec {
	case codecInt, codecUint:
		d.integer(n, at, target)
	case codecFloat:
		d.float(n, raw, at, target)
	default:
		if target.IsValid() {
			setNumber(n, raw, target)
		}
	}
}

func setNumber(n *node, raw string, target reflect.Value) {
	if n.codec == codecLoose {
		target.Set(reflect.ValueOf(json.Number(raw)))
		return
	}
	target.SetString(raw)
}

// bounded checks the value of a number.
func (d *decoder) bounded(n *node, at decimal.Number) {
	if n.min != nil && at.Compare(n.min.at) < 0 {
		d.fail(FieldError{Code: TooSmall, Keyword: "minimum", Limit: n.min.raw, Msg: "must be at least " + n.min.raw})
	}
	if n.max != nil && at.Compare(n.max.at) > 0 {
		d.fail(FieldError{Code: TooLarge, Keyword: "maximum", Limit: n.max.raw, Msg: "must be at most " + n.max.raw})
	}
	if n.xmin != nil && at.Compare(n.xmin.at) <= 0 {
		d.fail(FieldError{Code: TooSmall, Keyword: "exclusiveMinimum", Limit: n.xmin.raw, Msg: "must be above " + n.xmin.raw})
	}
	if n.xmax != nil && at.Compare(n.xmax.at) >= 0 {
		d.fail(FieldError{Code: TooLarge, Keyword: "exclusiveMaximum", Limit: n.xmax.raw, Msg: "must be below " + n.xmax.raw})
	}
}

func (d *decoder) stepped(n *node, at decimal.Number) {
	if n.step != nil && !at.MultipleOf(n.step.at) {
		d.fail(FieldError{Code: OffStep, Keyword: "multipleOf", Limit: n.step.raw, Msg: "must be a multiple of " + n.step.raw})
	}
}

// integer assigns a whole number to an integer of Go, if it is in its range.
func (d *decoder) integer(n *node, at decimal.Number, target reflect.Value) {
	if n.codec == codecUint || n.codec == codecUintText {
		v, ok := at.Uint64()
		if !ok || n.typ.OverflowUint(v) {
			d.outOfRange(at)
		} else if target.IsValid() {
			target.SetUint(v)
		}
		return
	}
	v, ok := at.Int64()
	if !ok || n.typ.OverflowInt(v) {
		d.outOfRange(at)
	} else if target.IsValid() {
		target.SetInt(v)
	}
}

func (d *decoder) outOfRange(at decimal.Number) {
	if at.Negative() {
		d.fail(FieldError{Code: TooSmall, Keyword: "minimum", Msg: "is below the range of this number"})
		return
	}
	d.fail(FieldError{Code: TooLarge, Keyword: "maximum", Msg: "is above the range of this number"})
}

func (d *decoder) float(n *node, raw string, at decimal.Number, target reflect.Value) {
	v, err := strconv.ParseFloat(raw, n.typ.Bits())
	switch {
	case err != nil:
		d.outOfRange(at)
		return
	case v == 0 && at.Sign() != 0:
		d.fail(FieldError{Code: TooSmall, Keyword: "minimum", Msg: "is too near to zero for this number: send 0"})
		return
	}
	if f := n.rounded(v); f != nil {
		d.fail(*f)
		return
	}
	if target.IsValid() {
		target.SetFloat(v)
	}
}

// rounded returns which bound the float that stands for a number is equal to, as a float itself, and should not be,
// or nil. The number itself keeps them all, and rounding keeps the order.
func (n *node) rounded(v float64) *FieldError {
	at := func(b *bound) float64 {
		f, _ := strconv.ParseFloat(b.raw, n.typ.Bits()) // which may be infinite
		return f
	}
	switch {
	case n.xmin != nil && v <= at(n.xmin):
		return &FieldError{Code: TooSmall, Keyword: "exclusiveMinimum", Limit: n.xmin.raw, Msg: "must be above " + n.xmin.raw}
	case n.xmax != nil && v >= at(n.xmax):
		return &FieldError{Code: TooLarge, Keyword: "exclusiveMaximum", Limit: n.xmax.raw, Msg: "must be below " + n.xmax.raw}
	default:
		return nil
	}
}
