package schema

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/tenantry/tenantry/schema/internal/decimal"
	"github.com/tenantry/tenantry/schema/internal/lex"
	"github.com/tenantry/tenantry/schema/internal/match"
)

// use is one field, or what a slice or a map holds, while its tags are read.
type use struct {
	*builder
	where string
	field *field // nil for what a field holds
	node  *node
	path  string // of at=

	optional, required, present, nullable, rest bool
}

// apply reads the items of a tag. Mistakes are noted, and reading goes on.
func (u *use) apply(items []item) {
	seen := map[string]bool{}
	for _, it := range items {
		if it.key == "as" { // it decides what the others may say
			u.note(it.key, u.one(it))
		}
	}
	for _, it := range items {
		if seen[it.key] && it.key != "example" {
			u.note(it.key, errors.New("stands twice"))
		} else if it.key != "as" {
			u.note(it.key, u.one(it))
		}
		seen[it.key] = true
	}
}

func (u *use) note(key string, err error) {
	if err != nil {
		u.mistake(u.where, fmt.Errorf("%s: %w", key, err))
	}
}

// one applies one item.
func (u *use) one(it item) error {
	for _, in := range inside {
		if rest, ok := strings.CutPrefix(it.key, in.prefix); ok {
			held, err := u.inner(in.prefix)
			if err != nil {
				return err
			}
			it.key = rest
			return (&use{builder: u.builder, where: u.where, node: held}).one(it)
		}
	}
	k, ok := lookupKey(it.key)
	switch {
	case !ok:
		return fmt.Errorf("there is no such key%s", hint(it.key, keyNames()))
	case u.field == nil && !k.inner:
		return errors.New("does not go behind items, values or keys")
	case k.flag && !it.flag:
		return errors.New("takes no value")
	case !k.flag && it.flag:
		return errors.New("needs a value: write " + k.name + "=…")
	}
	for _, s := range k.sorts {
		if s == sortOf(u.node) {
			return k.set(u, it.value)
		}
	}
	return fmt.Errorf("is for %s, not for %s", joinSorts(k.sorts), u.node.typ)
}

// inner returns the node of what the field holds.
func (u *use) inner(prefix string) (*node, error) {
	switch {
	case prefix == "items." && u.node.kind == kindArray, prefix == "values." && u.node.kind == kindMap:
		return u.node.elem, nil
	case prefix == "keys." && u.node.kind == kindMap:
		return u.node.keys, nil
	default:
		return nil, fmt.Errorf("%s has no %s", u.node.typ, strings.TrimSuffix(prefix, "."))
	}
}

func (u *use) setMin(v string) error { return u.least(v, &u.node.min, &u.node.minLen) }
func (u *use) setMax(v string) error { return u.least(v, &u.node.max, &u.node.maxLen) }

// least sets a bound of a number or of a length.
func (u *use) least(v string, number **bound, length *int) error {
	if s := sortOf(u.node); s == sortNumber || s == sortDecimal {
		return u.bound(v, number)
	}
	n, err := strconv.Atoi(v)
	switch {
	case err != nil || n < 0:
		return fmt.Errorf("%q is no length: write a whole number from 0", v)
	case u.node.size >= 0 && n != u.node.size:
		return fmt.Errorf("%s has exactly %d elements", u.node.typ, u.node.size)
	}
	*length = n
	return nil
}

func (u *use) bound(v string, at **bound) error {
	if err := plainNumber(v); err != nil {
		return err
	}
	d := decimal.Parse(v)
	if n := u.node; at == &n.min || at == &n.max {
		if n.min != nil && at == &n.min && d.Compare(n.min.at) < 0 || n.max != nil && at == &n.max && d.Compare(n.max.at) > 0 {
			return fmt.Errorf("%s is out of the range of %s", v, n.typ)
		}
	}
	*at = &bound{raw: v, at: d}
	return nil
}

// plainNumber refuses what is no number, and one that other readers of a schema could not hold: they use
// numbers of 64 bits with a point.
func plainNumber(v string) error {
	const longest = 100
	f, err := strconv.ParseFloat(v, 64)
	if !decimal.Valid(v) || len(v) > longest || err != nil || f == 0 && decimal.Parse(v).Sign() != 0 {
		return fmt.Errorf("%q is no number that a schema can hold", v)
	}
	return nil
}

func (u *use) setLen(v string) error {
	return errors.Join(u.least(v, nil, &u.node.minLen), u.least(v, nil, &u.node.maxLen))
}

func (u *use) setNonempty(string) error {
	if u.node.minLen >= 0 {
		return errors.New("stands beside min or len: keep one of them")
	}
	return u.least("1", nil, &u.node.minLen)
}

func (u *use) setXMin(v string) error { return u.bound(v, &u.node.xmin) }
func (u *use) setXMax(v string) error { return u.bound(v, &u.node.xmax) }

func (u *use) setStep(v string) error {
	if err := u.bound(v, &u.node.step); err != nil {
		return err
	}
	if u.node.step.at.Sign() <= 0 {
		return errors.New("a step is above 0")
	}
	return nil
}

func (u *use) setPattern(v string) error {
	var err error
	u.node.pattern, err = match.CompileOwn(v)
	return err
}

func (u *use) setFormat(v string) error {
	check, ok := u.lookupFormat(v)
	if !ok {
		return fmt.Errorf("there is no format %q%s", v, hint(v, match.Names()))
	}
	u.node.format, u.node.check = v, check
	return nil
}

func (u *use) setUnique(string) error {
	u.node.unique = true
	return nil
}

func (u *use) setEnum(v string) error {
	if v == "" {
		return errors.New("an enum needs a value")
	}
	var values []enumValue
	for text := range strings.SplitSeq(v, "|") {
		l, err := u.literal(text)
		if err != nil {
			return err
		}
		value := enumValue{literal: l, text: text, place: -1}
		if u.node.enum != nil {
			i := indexOf(u.node.enum, l.key)
			if i < 0 {
				return fmt.Errorf("%s is no value of %s", text, u.node.typ)
			}
			value.place = u.node.enum[i].place
		}
		values = append(values, value)
	}
	u.node.enum, u.node.def = values, nil
	return checkEnum(values)
}

func (u *use) setConst(v string) error {
	l, err := u.literal(v)
	u.node.only = &l
	return err
}

func (u *use) setAs(v string) error {
	n := u.node
	switch {
	case v != "string":
		return errors.New("write as=string")
	case n.kind != kindInteger || n.enum != nil:
		return fmt.Errorf("is for integers, not for %s", n.typ)
	case n.codec == codecUint:
		n.codec, n.pattern = codecUintText, digitsForm
	default:
		n.codec, n.pattern = codecIntText, signedForm
	}
	n.kind, n.min, n.max = kindString, nil, nil
	return nil
}

var (
	digitsForm = mustCompile(`^[0-9]+$`)
	signedForm = mustCompile(`^-?[0-9]+$`)
)

func (u *use) setTitle(v string) error {
	u.node.title = v
	return nil
}

func (u *use) addExample(v string) error {
	l, err := u.literal(v)
	if err != nil {
		return err
	}
	u.node.examples = append(u.node.examples, l)
	u.checkLater("example", l)
	return nil
}

func (u *use) setDeprecated(string) error {
	u.node.deprecated = true
	return nil
}

func (u *use) setMediaType(v string) error {
	u.node.media = v
	return u.mustBeString()
}

func (u *use) setEncoding(v string) error {
	u.node.encoding = v
	if u.node.base64 {
		return errors.New("[]byte is base64 already")
	}
	return u.mustBeString()
}

func (u *use) mustBeString() error {
	if u.node.kind != kindString {
		return fmt.Errorf("is for strings, not for %s", u.node.typ)
	}
	return nil
}

func (u *use) setDefault(v string) error {
	l, err := u.literal(v)
	if err != nil {
		return err
	}
	u.field.fallback = &l
	u.checkLater("default", l)
	u.field.doc, err = lex.Parse([]byte(l.raw), inputLimits)
	return err
}

func (u *use) setDefaultFor(v string) error {
	u.field.defaultFor = v
	return nil
}

func (u *use) setReadOnly(string) error {
	u.node.readOnly = true
	return nil
}

func (u *use) setWriteOnly(string) error {
	u.node.writeOnly = true
	return nil
}

func (u *use) setOptional(string) error {
	u.optional = true
	return nil
}

func (u *use) setRequired(string) error {
	u.required = true
	return nil
}

func (u *use) setPresent(string) error {
	u.present = true
	return nil
}

func (u *use) setNullable(string) error {
	if u.node.hold == holdValue {
		return fmt.Errorf("%s cannot hold null: use *T, sql.Null[T] or schema.Opt[T]", u.node.typ)
	}
	u.nullable, u.node.null = true, true
	return nil
}

func (u *use) setRequiredWith(v string) error {
	u.field.with = splitNames(v)
	return nil
}

func (u *use) setNeeds(v string) error {
	u.field.needs = splitNames(v)
	return nil
}

func splitNames(v string) []string {
	names := strings.Split(v, ",")
	for i := range names {
		names[i] = strings.TrimSpace(names[i])
	}
	return names
}

func (u *use) setAt(v string) error {
	for step := range strings.SplitSeq(v, ".") {
		if step == "" {
			return errors.New("write a path of names with a dot between them, such as error.message")
		}
	}
	u.path = v
	return nil
}

func (u *use) setRest(string) error {
	if u.node.typ != typeRest || u.node.hold != holdValue {
		return errors.New("is for map[string]any")
	}
	u.rest = true
	return nil
}

// literal reads a value of a tag as the field would have it: text for strings, JSON for what is no scalar.
func (u *use) literal(v string) (literal, error) {
	switch n := u.node; n.kind {
	case kindString:
		return stringLiteral(v), nil
	case kindInteger, kindNumber:
		if err := plainNumber(v); err != nil {
			return literal{}, err
		}
		return literal{raw: v, key: scalarKey(v)}, nil
	case kindBoolean:
		if v != "true" && v != "false" {
			return literal{}, fmt.Errorf("%q is not true or false", v)
		}
		return literal{raw: v, key: v}, nil
	default:
		return jsonLiteral(v)
	}
}
