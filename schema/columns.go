package schema

import (
	"errors"
	"fmt"
	"slices"

	"github.com/tenantry/tenantry/schema/internal/match"
)

// Column is a column of a table, as a database or a registry describes it.
type Column struct {
	Name        string // the public name
	Column      string // what View.Columns answers; empty: Name
	Description string

	// Type is the word of the tool contract for the type, such as "bigint" or "timestamptz". A word that is
	// not known is a type that prints as text, and no word is a type that may be anything.
	Type  string
	Array bool // an array of Type, of whatever depth

	Enum      []string // the labels of an enum
	Length    int      // of varchar(n) and char(n); 0: no bound
	Precision int      // of numeric(p, s); 0: no bound
	Scale     int

	Nullable bool
	Default  bool // the database fills it in
	Key      bool // part of the key
	ReadOnly bool // generated, an identity or the tenant: no part of any input
	Cuttable bool // an output may be null although the column is not, since it was too large
	Gates    []Gate
}

// FromColumns returns a plan without a Go struct: for rows of a table. An output has every column as the
// tool contract writes values. An input is for an insertion: columns that are not null and have no default
// must be there; Updates makes all of them optional.
func FromColumns(name string, cols []Column, d Direction, opts ...Option) (*Plan, error) {
	b := newBuilder(d, opts)
	def := b.define(&def{object: &object{}})
	root := &node{kind: kindObject, codec: codecLoose, def: def, size: -1, rules: rules{minLen: -1, maxLen: -1}}
	seen := map[string]bool{}
	for _, c := range cols {
		switch {
		case c.Name == "" || seen[c.Name]:
			b.mistake(name+"."+c.Name, errors.New("a column needs a name of its own"))
			continue
		case c.ReadOnly && d == Input:
			continue
		}
		seen[c.Name] = true
		def.object.fields = append(def.object.fields, b.columnField(name, c))
	}
	def.object.indexed()
	p, err := b.plan(name, root)
	if err == nil {
		p.columns = slices.Clone(cols)
	}
	return p, err
}

// Described returns the columns of a plan of columns that the view shows, as they were declared and in that
// order. They are for reading.
func (v *View) Described() []Column {
	shown := v.root.def.object
	return slices.DeleteFunc(slices.Clone(v.plan.columns), func(c Column) bool { return shown.find(c.Name) < 0 })
}

// Updates makes every column of an input optional: absent leaves it, null empties it.
func Updates() Option { return func(b *builder) { b.updates = true } }

func (b *builder) columnField(table string, c Column) *field {
	n := b.columnNode(c)
	n.desc = c.Description
	if c.Array {
		elem := &node{kind: kindAny, codec: codecLoose, size: -1, rules: rules{minLen: -1, maxLen: -1}}
		if b.direction == Input {
			elem = n
			elem.desc = ""
		}
		n = &node{kind: kindArray, codec: codecLoose, elem: elem, size: -1, rules: rules{minLen: -1, maxLen: -1}, notes: notes{desc: c.Description}}
	}
	n.null = c.Nullable || c.Cuttable && b.direction == Output
	f := &field{name: c.Name, column: c.Column, node: n, place: b.place(c.Gates)}
	if f.column == "" {
		f.column = c.Name
	}
	f.required = b.direction == Output || !c.Nullable && !c.Default && !b.updates
	if b.direction == Input && f.required && len(c.Gates) > 0 {
		b.mistake(table+"."+c.Name, errors.New("a caller without the gate could never send it: give the column a default"))
	}
	return f
}

// loose returns a node that any Go value is assigned to.
func loose(k kind) *node {
	return &node{kind: k, codec: codecLoose, size: -1, rules: rules{minLen: -1, maxLen: -1}}
}

// formatted is a string of a format.
func formatted(name string) *node {
	n := loose(kindString)
	n.format, n.check = name, mustFormat(name)
	return n
}

func patterned(p *match.Pattern) *node {
	n := loose(kindString)
	n.pattern = p
	return n
}

// Forms of columns, compiled once for all of them.
var (
	numericForm   = mustCompile(`^(-?[0-9]+(\.[0-9]+)?|NaN|-?Infinity)$`)
	timestampForm = mustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,6})?$`)
)

func either(number, text *node) *node {
	n := loose(kindEither)
	n.either = [2]*node{number, text}
	return n
}

// ranged is an integer between bounds.
func ranged(bits int) *node {
	n := loose(kindInteger)
	n.min, n.max = exactly(-1<<(bits-1)), exactly(1<<(bits-1)-1)
	return n
}

// labels is one of the strings.
func labels(texts ...string) *node {
	n := loose(kindString)
	for _, s := range texts {
		n.enum = append(n.enum, enumValue{literal: stringLiteral(s), text: s, place: -1})
	}
	return n
}

// columnNode returns what one value of a column is in JSON.
func (b *builder) columnNode(c Column) *node {
	switch c.Type {
	case "smallint":
		return ranged(16)
	case "integer":
		return ranged(32)
	case "boolean":
		return loose(kindBoolean)
	case "uuid":
		return formatted("uuid")
	case "enum":
		return labels(c.Enum...) // one without labels is possible: it takes no value, which the database says
	case "json", "jsonb", "":
		return loose(kindAny)
	case "bytea":
		n := loose(kindString)
		n.base64 = true
		return n
	case "text", "varchar", "char", "citext":
		n := loose(kindString)
		if c.Length > 0 {
			n.maxLen = c.Length
		}
		return n
	}
	if b.direction == Output {
		return outputNode(c)
	}
	return inputNode(c)
}

// outputNode is for the types of which some values have a spelling of their own: numbers that JSON or its
// readers do not have, and times that calendars do not.
func outputNode(c Column) *node {
	switch c.Type {
	case "bigint":
		// Beyond 2^53 a number is written as its digits.
		return either(loose(kindInteger), patterned(signedForm))
	case "numeric":
		return patterned(numericForm)
	case "real", "double":
		return either(loose(kindNumber), labels("NaN", "Infinity", "-Infinity"))
	default:
		return loose(kindString)
	}
}

func inputNode(c Column) *node {
	switch c.Type {
	case "bigint":
		if c.Key {
			return patterned(signedForm)
		}
		return ranged(64)
	case "numeric":
		if c.Precision > 0 && c.Scale <= 0 {
			return patterned(signedForm)
		}
		if c.Precision > 0 {
			return patterned(mustCompile(fmt.Sprintf(`^-?[0-9]+(\.[0-9]{1,%d})?$`, min(c.Scale, maxScale))))
		}
		return patterned(decimalForm)
	case "real", "double":
		return loose(kindNumber)
	case "date":
		return formatted("date")
	case "timestamptz":
		return formatted("date-time")
	case "timestamp":
		return patterned(timestampForm)
	default:
		return loose(kindString)
	}
}

// maxScale keeps the pattern of a numeric small.
const maxScale = 100
