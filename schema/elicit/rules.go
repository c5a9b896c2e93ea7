package elicit

import (
	"math"
	"slices"
	"strconv"

	"github.com/tenantry/tenantry/schema"
	"github.com/tenantry/tenantry/schema/internal/decimal"
	"github.com/tenantry/tenantry/schema/internal/lex"
	"github.com/tenantry/tenantry/schema/internal/match"
	"github.com/tenantry/tenantry/schema/internal/words"
)

// textRules reads what is said of a string.
func (r *reader) textRules(p *property, i int) {
	r.counts(p, i, "minLength", "maxLength")
	r.with(i, "format", func(v int) { r.format(p, v) })
	r.with(i, "pattern", func(v int) { r.compile(p, v) })
	enum, hasEnum := r.Member(i, "enum")
	r.with(i, "enum", func(v int) { r.enum(p, v) })
	r.with(i, "oneOf", func(v int) {
		if hasEnum {
			r.fail(schema.Unknown, "", nil, "stands beside enum: keep one of them")
			return
		}
		r.entries(p, v)
	})
	r.with(i, "enumNames", func(v int) { r.enumNames(v, enum, hasEnum) })
}

func (r *reader) format(p *property, i int) {
	formats := match.ElicitationNames()
	if r.Kind(i) != lex.String || !slices.Contains(formats, r.Text(i)) {
		r.fail(schema.NotInEnum, "format", formats, "must be "+words.Listed(formats))
		return
	}
	p.format = r.Text(i)
}

// compile reads a pattern, behind the lengths.
func (r *reader) compile(p *property, i int) {
	src, ok := r.str(i)
	if !ok {
		return
	}
	pattern, err := match.CompileOwn(src)
	if err != nil && r.role == Client {
		pattern, err = match.Compile(src)
	}
	switch {
	case err != nil:
		r.fail(schema.BadPattern, "pattern", nil, err.Error())
		return
	case p.most > match.MaxLength:
		r.fail(schema.PatternBudget, "pattern", strconv.Itoa(match.MaxLength), "a text under a pattern has a maxLength of at most "+strconv.Itoa(match.MaxLength))
		return
	}
	p.pattern = pattern
	if longest := p.longest(); !pattern.Fits(longest, match.MaxSteps) {
		r.fail(schema.PatternBudget, "pattern", nil, "costs too much for texts of "+words.Counted(longest, "character")+": write a smaller maxLength, or a simpler pattern")
	}
}

// counts reads the bounds of a length.
func (r *reader) counts(p *property, i int, least, most string) {
	r.with(i, least, func(v int) { p.least = r.count(v) })
	r.with(i, most, func(v int) {
		if p.most = r.count(v); p.most >= 0 && p.most < p.least {
			r.fail(schema.TooSmall, most, nil, "is below "+least)
		}
	})
}

// count returns a whole number from 0, or -1 after a mistake.
func (r *reader) count(i int) int {
	if !r.is(i, lex.Number, "a whole number from 0") {
		return -1
	}
	n := decimal.Parse(string(r.Raw(i)))
	switch {
	case !n.Whole():
		r.fail(schema.WrongType, "type", "integer", "must be a whole number from 0")
	case n.Negative():
		r.fail(schema.TooSmall, "minimum", "0", "must be a whole number from 0")
	case n.Compare(largest.at) > 0:
		return math.MaxInt32
	default:
		text, _ := n.Rounded(false)
		count, _ := strconv.Atoi(text)
		return count
	}
	return -1
}

// largest is where lengths stop to be told apart: no document is as long.
var largest = boundOf(strconv.Itoa(math.MaxInt32))

// bounds reads those of a number.
func (r *reader) bounds(p *property, i int) {
	number := func(at **bound) func(int) {
		return func(v int) {
			if r.is(v, lex.Number, "a number") {
				*at = boundOf(string(r.Raw(v)))
			}
		}
	}
	r.with(i, "minimum", number(&p.min))
	r.with(i, "maximum", number(&p.max))
	if p.min != nil && p.max != nil && p.min.at.Compare(p.max.at) > 0 {
		r.failAt("maximum", schema.TooSmall, "maximum", nil, "is below minimum")
	}
}
