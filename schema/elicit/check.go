package elicit

import (
	"strconv"
	"unicode/utf8"

	"github.com/tenantry/tenantry/schema"
	"github.com/tenantry/tenantry/schema/internal/decimal"
	"github.com/tenantry/tenantry/schema/internal/lex"
	"github.com/tenantry/tenantry/schema/internal/match"
	"github.com/tenantry/tenantry/schema/internal/words"
)

// checker holds values of one document against properties. Defaults of a schema and answers go through the
// same one.
type checker struct {
	*lex.Doc
	findings
	budget match.Budget
}

// value checks value i.
func (c *checker) value(p *property, i int) {
	switch k := c.Kind(i); {
	case k == lex.Null:
		c.fail(schema.Null, "type", nil, "must be "+p.noun()+" and not null")
	case p.kind == textKind && k == lex.String:
		c.text(p, c.Text(i))
	case p.kind == listKind && k == lex.Array:
		c.list(p, i)
	case p.kind == booleanKind && k == lex.Bool:
	case (p.kind == numberKind || p.kind == integerKind) && k == lex.Number:
		c.number(p, decimal.Parse(string(c.Raw(i))))
	default:
		c.wrongType(p)
	}
}

func (c *checker) wrongType(p *property) {
	c.fail(schema.WrongType, "type", string(p.kind), "must be "+p.noun())
}

func (c *checker) number(p *property, n decimal.Number) {
	if p.kind == integerKind && !n.Whole() {
		c.wrongType(p)
		return
	}
	if p.min != nil && n.Compare(p.min.at) < 0 {
		c.fail(schema.TooSmall, "minimum", p.min.raw, "must be at least "+words.Clip(p.min.raw))
	}
	if p.max != nil && n.Compare(p.max.at) > 0 {
		c.fail(schema.TooLarge, "maximum", p.max.raw, "must be at most "+words.Clip(p.max.raw))
	}
}

func (c *checker) text(p *property, s string) {
	c.choice(p, s)
	if c.length(p, utf8.RuneCountInString(s)) {
		c.pattern(p, s)
	}
	if check, ok := match.Lookup(p.format); ok && !check(s) {
		c.fail(schema.BadFormat, "format", p.format, "must be "+words.Format(p.format))
	}
}

func (c *checker) choice(p *property, s string) bool {
	if p.choices == nil || p.offers(s) {
		return true
	}
	c.fail(schema.NotInEnum, "enum", p.values(), "must be "+words.Listed(p.values()))
	return false
}

// length reports whether a text is short enough to be matched.
func (c *checker) length(p *property, count int) bool {
	if p.least >= 0 && count < p.least {
		c.fail(schema.BadLength, "minLength", strconv.Itoa(p.least), "needs at least "+words.Counted(p.least, "character"))
	}
	longest := p.longest()
	if longest >= 0 && count > longest {
		c.fail(schema.BadLength, "maxLength", strconv.Itoa(longest), "takes at most "+words.Counted(longest, "character"))
		return false
	}
	return true
}

func (c *checker) pattern(p *property, s string) {
	switch {
	case p.pattern == nil:
	case !c.budget.Spend(p.pattern, s):
		c.fail(schema.PatternBudget, "pattern", nil, "cannot be checked together with the rest: send fewer or shorter texts")
	case !p.pattern.Match(s):
		c.fail(schema.BadPattern, "pattern", p.pattern.Source(), "must match the pattern "+strconv.Quote(p.pattern.Source()))
	}
}

// list checks a choice of several. Each of them is chosen once.
func (c *checker) list(p *property, i int) {
	switch count := c.Len(i); {
	case p.least >= 0 && count < p.least:
		c.fail(schema.BadItems, "minItems", strconv.Itoa(p.least), "needs at least "+words.Counted(p.least, "choice"))
	case p.most >= 0 && count > p.most:
		c.fail(schema.BadItems, "maxItems", strconv.Itoa(p.most), "takes at most "+words.Counted(p.most, "choice"))
	}
	seen, twice := map[string]bool{}, false
	for at, e := range c.Elements(i) {
		if c.full() {
			return
		}
		c.enterAt(at)
		if s, ok := c.element(p, e); ok {
			twice = twice || seen[s]
			seen[s] = true
		}
		c.leave()
	}
	if twice {
		c.fail(schema.NotUnique, "uniqueItems", nil, "two choices are equal: send each of them once")
	}
}

// element returns one choice of several, if it is one.
func (c *checker) element(p *property, i int) (string, bool) {
	switch c.Kind(i) {
	case lex.Null:
		c.fail(schema.Null, "type", nil, "must be "+words.Listed(p.values())+" and not null")
	case lex.String:
		s := c.Text(i)
		return s, c.choice(p, s)
	default:
		c.fail(schema.WrongType, "type", string(textKind), "must be "+words.Listed(p.values()))
	}
	return "", false
}
