package schema

import (
	"errors"
	"fmt"

	"github.com/tenantry/tenantry/schema/internal/lex"
	"github.com/tenantry/tenantry/schema/internal/match"
)

// takeRest has the object keep undeclared members in this field.
func (u *use) takeRest(o *object, alone bool) {
	switch {
	case !alone:
		u.mistake(u.where, errors.New("rest: takes whatever comes: other keys and a description have no effect beside it"))
	case o.rest != nil:
		u.mistake(u.where, errors.New("rest: another field takes the rest already"))
	case u.field.place >= 0:
		u.mistake(u.where, errors.New("rest: what takes the rest cannot have a gate"))
	default:
		o.rest = u.field.index
	}
	if u.direction == Output {
		u.builder.later = append(u.builder.later, func(p *Plan) { u.checkRest(p, o) })
	}
}

// checkRest refuses a rest beside members that some callers do not see: a member of that name in the rest would
// have to be shown, as any other, and to be hidden.
func (u *use) checkRest(p *Plan, o *object) {
	for i, shown := range p.onlyWith(-1).shown(o) {
		if !shown {
			u.mistake(u.where, fmt.Errorf("rest: stands beside %s, which some callers do not see: put what takes the rest into an object of its own", o.fields[i].name))
		}
	}
}

// settle decides whether the field must be there, and refuses what contradicts itself.
func (u *use) settle(gated bool) {
	f, n := u.field, u.node
	hasDefault := f.fallback != nil || f.defaultFor != ""
	note := func(wrong bool, text string) {
		if wrong {
			u.mistake(u.where, errors.New(text))
		}
	}
	note(u.required && u.optional, "required and optional contradict each other")
	note(u.present && !u.nullable, "present goes beside nullable: write required in its place")
	note(n.hold == holdOpt && (u.required || u.present), "schema.Opt may be absent: use *T where it must be there")
	note(n.hold == holdOpt && hasDefault, "schema.Opt may be absent, and a default would hide that: use *T")
	note((u.required || u.present) && hasDefault && !u.prefill, "a default is for what may be absent: leave required away")
	u.builder.later = append(u.builder.later, func(*Plan) { u.checkNode(n) })
	if u.direction == Output {
		f.omit = f.omit || u.optional
		f.required = !f.omit && n.hold != holdOpt
		n.null = n.null && (!f.omit || n.hold == holdOpt || u.nullable)
		return
	}
	switch n.hold {
	case holdValue:
		f.required = !hasDefault && !u.optional || u.required
		f.must = f.fallback == nil && f.defaultFor != "" && !u.optional
	case holdOpt:
	default:
		f.required = u.required || u.present
	}
	note(gated && f.required && !hasDefault, "a caller without the gate could never send it: make it optional, or give it a default")
}

// checkNode refuses rules that no value can keep, of a node and of what it holds.
func (u *use) checkNode(n *node) {
	for _, err := range []error{n.checkAny(u.direction), n.checkBounds(), n.checkOnly(), n.checkPattern(u.builder.steps), n.checkValues()} {
		if err != nil {
			u.mistake(u.where, err)
		}
	}
	if n.kind == kindArray || n.kind == kindMap {
		u.checkNode(n.elem)
	}
	if n.keys != nil {
		u.checkNode(n.keys)
	}
}

// checkAny refuses what is announced as any value, null included, and would not take null.
func (n *node) checkAny(d Direction) error {
	if d == Input && n.kind == kindAny && n.hold != holdValue && !n.null {
		return fmt.Errorf("any value may be null: write nullable, or %s itself", n.typ)
	}
	return nil
}

func (n *node) checkBounds() error {
	low, lowKey := n.min, "min"
	if n.xmin != nil && (low == nil || n.xmin.at.Compare(low.at) >= 0) {
		low, lowKey = n.xmin, "xmin"
	}
	high, highKey := n.max, "max"
	if n.xmax != nil && (high == nil || n.xmax.at.Compare(high.at) <= 0) {
		high, highKey = n.xmax, "xmax"
	}
	switch {
	case low != nil && high != nil && (low.at.Compare(high.at) > 0 || low.at.Compare(high.at) == 0 && (low == n.xmin || high == n.xmax)):
		return fmt.Errorf("%s=%s and %s=%s leave no value", lowKey, low.raw, highKey, high.raw)
	case n.minLen >= 0 && n.maxLen >= 0 && n.minLen > n.maxLen:
		return fmt.Errorf("min=%d is above max=%d", n.minLen, n.maxLen)
	case n.pattern != nil && n.minLen > n.longest():
		return fmt.Errorf("min=%d is above %d, the most that a value under a pattern has", n.minLen, n.longest())
	}
	return nil
}

func (n *node) checkOnly() error {
	if n.only == nil || n.enum == nil {
		return nil
	}
	switch i := indexOf(n.enum, n.only.key); {
	case i < 0:
		return fmt.Errorf("const=%s is none of the enum", n.only.raw)
	case n.enum[i].place >= 0:
		return fmt.Errorf("const=%s is behind a gate: put the gate before the field", n.only.raw)
	}
	return nil
}

// checkValues refuses a const and values of an enum that break the other rules of the field.
func (n *node) checkValues() error {
	bare := *n
	bare.enum, bare.only = nil, nil
	for _, v := range n.enum {
		if checkLiteral(&bare, v.literal) != nil {
			return fmt.Errorf("%s of the enum does not keep the field's own rules", v.raw)
		}
	}
	if n.only != nil && checkLiteral(&bare, *n.only) != nil {
		return fmt.Errorf("const=%s does not keep the field's own rules", n.only.raw)
	}
	return nil
}

// checkPattern refuses a pattern that a value of the longest allowed length could not be held against.
func (n *node) checkPattern(steps int) error {
	if n.pattern == nil {
		return nil
	}
	longest := n.longest()
	switch {
	case longest > match.MaxLength:
		return fmt.Errorf("a value under a pattern has at most %d characters: write a max of at most that", match.MaxLength)
	case !n.pattern.Fits(longest, steps):
		return fmt.Errorf("the pattern costs too much for values of %d characters: write a smaller max, or a simpler pattern", longest)
	}
	return nil
}

// checkLater holds a value of a tag against the field's own rules, once every type is complete. It is told to
// all who see the field, and so must be a value for all of them.
func (u *use) checkLater(key string, l literal) {
	f, n := u.field, u.node
	u.builder.later = append(u.builder.later, func(p *Plan) {
		if err := checkLiteral(n, l); err != nil {
			u.mistake(u.where, fmt.Errorf("%s=%s does not keep the field's own rules: %w", key, l.raw, err))
			return
		}
		pr := p.onlyWith(f.place)
		if !pr.alive(n) || checkLiteral(pr.node(n), l) != nil {
			u.mistake(u.where, fmt.Errorf("%s=%s is behind a gate that the field is not behind", key, l.raw))
		}
	})
}

func checkLiteral(n *node, l literal) error {
	doc, err := lex.Parse([]byte(l.raw), inputLimits)
	if err != nil {
		return err
	}
	d := decoder{doc: doc}
	d.value(n, 0, none)
	return d.err()
}

func jsonLiteral(v string) (literal, error) {
	doc, err := lex.Parse([]byte(v), inputLimits)
	if err != nil {
		return literal{}, fmt.Errorf("%q is no JSON: %w", v, err)
	}
	return literal{raw: compacted(doc, 0), key: canonical(doc, 0)}, nil
}
