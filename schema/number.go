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
		d.fail(mustBeAbove(n.xmin))
	}
	if n.xmax != nil && at.Compare(n.xmax.at) >= 0 {
		d.fail(mustBeBelow(n.xmax))
	}
}

func mustBeAbove(b *bound) FieldError {
	return FieldError{Code: TooSmall, Keyword: "exclusiveMinimum", Limit: b.raw, Msg: "must be above " + b.raw}
}

func mustBeBelow(b *bound) FieldError {
	return FieldError{Code: TooLarge, Keyword: "exclusiveMaximum", Limit: b.raw, Msg: "must be below " + b.raw}
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
	// The number itself keeps all bounds, and rounding keeps the order: it may only have come to one that it is to
	// stay away from.
	switch {
	case n.xmin != nil && v <= n.xmin.float(n):
		d.fail(mustBeAbove(n.xmin))
		return
	case n.xmax != nil && v >= n.xmax.float(n):
		d.fail(mustBeBelow(n.xmax))
		return
	}
	if target.IsValid() {
		target.SetFloat(v)
	}
}

// float is a bound as the float of a node, which may be infinite.
func (b *bound) float(n *node) float64 {
	f, _ := strconv.ParseFloat(b.raw, n.typ.Bits())
	return f
}
