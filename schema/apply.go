package schema

import (
	"errors"
	"fmt"
	"strings"

	"github.com/tenantry/tenantry/schema/internal/lex"
	"github.com/tenantry/tenantry/schema/internal/words"
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
	for key := range seen {
		u.note(key, overlap(seen, key))
	}
}

// overlap refuses keys of a length that say what another one says, wherever they stand.
func overlap(seen map[string]bool, key string) error {
	at := strings.LastIndexByte(key, '.') + 1 // behind items. and the like
	other := func(name string) bool { return seen[key[:at]+name] }
	switch {
	case key[at:] == "len" && (other("min") || other("max")):
		return errors.New("stands beside min or max: keep one of them")
	case key[at:] == "nonempty" && (other("min") || other("len")):
		return errors.New("stands beside min or len: keep one of them")
	}
	return nil
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
		return fmt.Errorf("there is no such key%s", words.Hint(it.key, keyNames()))
	case u.field == nil && !k.inner:
		return errors.New("does not go behind items, values or keys")
	case k.flag && !it.flag:
		return errors.New("takes no value")
	case !k.flag && it.flag:
		return errors.New("needs a value: write " + k.name + "=…")
	}
	for _, s := range k.sorts {
		if s == sortOf(u.node) {
			err := k.set(u, it.value)
			if err != nil && strings.Contains(it.value, ",") && strings.Contains(it.value, "=") {
				err = fmt.Errorf("%w; rules stand with ; between them", err)
			}
			return err
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
