package filtering

import (
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/tenantry/tenantry/resource"
)

// bare reads a value without {op, value}: equality, or a set.
func (p *parser) bare(at site, v value) node {
	at.bare, at.op = true, resource.Eq
	if v.kind == arrayKind {
		at.op = resource.In
	}
	kind := at.key.Column.Type.Kind
	document := kind == resource.Array || kind == resource.JSONB
	switch {
	case v.kind == arrayKind && (document || !takes(at.key, resource.In)):
		p.fail(at.path, wrong("%s: a list cannot stand here bare; send a condition such as the example",
			at.key.Name).like(site{keys: p.keys, key: at.key}.good()))
	case v.plain() && kind == resource.Array:
		p.fail(at.path, wrong("%s: %s is one value and this is a list; send contains with a list such as the example",
			at.key.Name, v.show()).like(p.keys.example(at.key)))
	default:
		return p.apply(at, v)
	}
	return nil
}

// apply types the operand of an operator that the key takes.
func (p *parser) apply(at site, v value) node {
	if v.kind == nullKind && at.op != resource.IsNull {
		return p.null(at)
	}
	switch at.op {
	case resource.IsNull:
		return p.isNull(at, v)
	case resource.NotEq:
		return negate(p.equal(at, v))
	case resource.In:
		return p.set(at, v)
	case resource.NotIn:
		return negate(p.set(at, v))
	case resource.Gt, resource.Gteq, resource.Lt, resource.Lteq:
		return p.order(at, v)
	case resource.Matches, resource.StartsWith, resource.EndsWith:
		return p.search(at, at.op, v)
	case resource.DoesNotMatch:
		return negate(p.search(at, resource.Matches, v))
	case resource.HasKey:
		return p.hasKey(at, v)
	case resource.Eq, resource.Contains, resource.Overlaps:
		return p.equal(at, v)
	default:
		p.refuse(at, wrong("the operator has no meaning here")) // no type advertises it
		return nil
	}
}

// null reads the operand null: a null column, for equality and sets only.
func (p *parser) null(at site) node {
	switch at.op {
	case resource.Eq, resource.In:
		if at.key.Custom == nil {
			return nullTest{key: at.key}
		}
	case resource.NotEq, resource.NotIn:
		return nullTest{key: at.key, not: true}
	default:
	}
	f := wrong("null has no meaning for %s; send a value, or %q with true for rows without one",
		at.op, resource.IsNull)
	if at.key.Custom != nil {
		f = wrong("null has no meaning for this filter; send a value")
	}
	p.refuse(at, f.like(fitting(at.key, at.op)))
	return nil
}

func (p *parser) isNull(at site, v value) node {
	if v.kind != boolKind {
		p.refuse(at, wrong("is_null takes true or false, not %s; send one of them", v.show()).like(true))
		return nil
	}
	return nullTest{key: at.key, not: v.text == "false"}
}

// equal reads the operand of eq, contains and overlaps, which is a whole array or document on keys of
// such types and one value on the others.
func (p *parser) equal(at site, v value) node {
	op := at.op
	if op == resource.NotEq {
		op = resource.Eq
	}
	switch at.key.Column.Type.Kind {
	case resource.Array:
		return p.array(at, op, v)
	case resource.JSONB:
		text, f := document(v)
		return p.leaf(at, leaf{at.key, op, text}, f)
	default:
		return p.one(at, v)
	}
}

func (p *parser) array(at site, op resource.Operator, v value) node {
	if v.kind != arrayKind {
		p.refuse(at, wrong("%s takes a list here, not %s; send one such as the example", at.op, v.show()).
			like(sample(at.key.Column.Type)))
		return nil
	}
	if op == resource.Eq && at.key.Column.Type.Elem.Kind == resource.JSONB {
		// Its elements may be lists too: only the whole, as one document, says where the array ends.
		text, f := document(v)
		return p.leaf(at, leaf{at.key, op, text}, f)
	}
	if op != resource.Eq && !p.admitValues(at, elements(v)) { // under eq the list is one value, as rows show it
		return nil
	}
	operand, f := array(v, at.key.Column.Type, at.op)
	return p.leaf(at, leaf{at.key, op, operand}, f)
}

// leaf returns n unless there is a fault to report.
func (p *parser) leaf(at site, n node, f *fault) node {
	if f != nil {
		p.refuse(at, f)
		return nil
	}
	return n
}

// one reads the one value of an equality.
func (p *parser) one(at site, v value) node {
	if v.kind == arrayKind && takes(at.key, resource.In) {
		set := site{keys: p.keys, key: at.key, op: resource.In}
		if at.op == resource.NotEq {
			set.op = resource.NotIn
		}
		p.fail(at.path, wrong("%s: %s takes one value; send a list with %s", at.key.Name, at.op, set.op).like(set.good()))
		return nil
	}
	if at.key.Custom != nil {
		got, f := single(v, at.key.Column.Type)
		return p.leaf(at, hosted{at.key, got.text}, f)
	}
	got, f := scalar(v, at.key.Column.Type)
	if got.form == wholeDay {
		return onDay(at.key, resource.Eq, got.text)
	}
	return p.leaf(at, leaf{at.key, resource.Eq, got.text}, f)
}

// order reads the operand of a comparison by order.
func (p *parser) order(at site, v value) node {
	got, f := scalar(v, at.key.Column.Type)
	switch {
	case f != nil:
	case got.form == wholeDay:
		return onDay(at.key, at.op, got.text)
	case got.form == spelled:
		f = spelling(v, at.key.Column.Type)
	}
	return p.leaf(at, leaf{at.key, at.op, got.text}, f)
}

// maxSearch bounds a text to look for: what a search costs grows with it on every row that is looked at.
const maxSearch = 1000

// search reads the text to look for.
func (p *parser) search(at site, op resource.Operator, v value) node {
	got, f := scalar(v, at.key.Column.Type)
	switch {
	case f != nil:
	case got.text == "":
		f = wrong("%s with an empty text finds everything; send at least one character", at.op).like("abc")
	case utf8.RuneCountInString(got.text) > maxSearch:
		f = wrong("%s takes a text of at most %d characters; send a part of it", at.op, maxSearch)
		f.code = resource.LimitExceeded
	}
	return p.leaf(at, leaf{at.key, op, got.text}, f)
}

func (p *parser) hasKey(at site, v value) node {
	var f *fault
	switch {
	case v.kind != stringKind:
		f = wrong("has_key takes the name of a member as a string, not %s; send one", v.show()).like("a")
	case v.flaw != "":
		f = wrong("%s is not text: %s; send it without", v.show(), v.flaw)
	}
	return p.leaf(at, leaf{at.key, resource.HasKey, v.text}, f)
}

// takes reports whether the key takes the operator.
func takes(k *Key, op resource.Operator) bool {
	return slices.Contains(k.Operators(), op)
}

// set reads a set: its instants and other values, its whole days and its nulls are alternatives.
func (p *parser) set(at site, v value) node {
	if v.kind != arrayKind || len(v.items) == 0 {
		p.refuse(at, wrong("%s takes a list of at least one value, not %s; send one such as the example",
			at.op, v.showEmpty()).like(fitting(at.key, resource.In)))
		return nil
	}
	if !p.admitValues(at, len(v.items)) {
		return nil
	}
	var values, days []string
	null := false
	for i, item := range v.items {
		if item.kind == nullKind {
			null = true
			continue
		}
		got, f := scalar(item, at.key.Column.Type)
		switch {
		case f != nil:
			p.refuse(at, f.under(strconv.Itoa(i)))
		case got.form == wholeDay:
			days = append(days, got.text)
		default:
			values = append(values, got.text)
		}
	}
	return alternatives(at.key, values, days, null)
}

func alternatives(k *Key, values, days []string, null bool) node {
	var parts []node
	if len(values) > 0 {
		parts = append(parts, leaf{k, resource.In, values})
	}
	if len(days) > 0 {
		parts = append(parts, leaf{k, OnDays, days})
	}
	if null {
		parts = append(parts, nullTest{key: k})
	}
	return join(true, parts)
}

// admitValues counts the values of a set, and reports once that there are too many.
func (p *parser) admitValues(at site, n int) bool {
	before := p.values
	p.values += n
	if before <= MaxValues && p.values > MaxValues {
		p.fail(at.path, tooMuch("%s: the sets of a filter hold at most %d values; send fewer", at.key.Name, MaxValues))
	}
	return p.values <= MaxValues
}
