package schema

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/tenantry/tenantry/schema/internal/decimal"
	"github.com/tenantry/tenantry/schema/internal/match"
	"github.com/tenantry/tenantry/schema/internal/words"
)

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

func (u *use) setNonempty(string) error { return u.least("1", nil, &u.node.minLen) }

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
		return fmt.Errorf("there is no format %q%s", v, words.Hint(v, match.Names()))
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
	if n := u.node; n.def != nil && n.desc == "" {
		n.desc = n.def.desc // it stays the type's, though its values do not
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
