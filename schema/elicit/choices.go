package elicit

import (
	"strconv"

	"github.com/tenantry/tenantry/schema"
	"github.com/tenantry/tenantry/schema/internal/lex"
)

// items reads what a list chooses from.
func (r *reader) items(p *property, i int) {
	const advice = "is missing: a list chooses from an enum, or from anyOf with a const and a title each"
	found := r.with(i, "items", func(v int) {
		if !r.object(v) {
			return
		}
		r.keywords(v, itemsWords)
		r.with(v, "type", func(t int) {
			if r.Kind(t) != lex.String || r.Text(t) != string(textKind) {
				r.fail(schema.NotInEnum, "type", string(textKind), `must be "string"`)
			}
		})
		hasEnum := r.with(v, "enum", func(e int) { r.enum(p, e) })
		hasAny := r.with(v, "anyOf", func(e int) {
			if hasEnum {
				r.fail(schema.Unknown, "", nil, "stands beside enum: keep one of them")
				return
			}
			r.entries(p, e)
		})
		if !hasEnum && !hasAny {
			r.fail(schema.Missing, "enum", nil, advice)
		}
	})
	if !found {
		r.failAt("items", schema.Missing, "items", nil, advice)
	}
	if p.choices != nil && p.least > len(p.choices) {
		r.failAt("minItems", schema.TooLarge, "minItems", nil, "is above the number of choices, of which each can be chosen once")
	}
}

// enum reads choices without titles.
func (r *reader) enum(p *property, i int) {
	r.eachChoice(i, "an array of strings", func(e int) {
		if value, ok := r.nonempty(e); ok {
			r.addChoice(p, choice{value: value})
		}
	})
}

// entries reads choices with titles.
func (r *reader) entries(p *property, i int) {
	r.eachChoice(i, "an array of objects with a const and a title", func(e int) {
		if !r.object(e) {
			return
		}
		r.keywords(e, entryWords)
		var c choice
		for _, member := range []struct {
			name string
			at   *string
		}{{"const", &c.value}, {"title", &c.title}} {
			if !r.with(e, member.name, func(v int) { *member.at, _ = r.nonempty(v) }) {
				r.failAt(member.name, schema.Missing, "required", nil, "is missing: each choice has a const and a title")
			}
		}
		if v, ok := r.Member(e, "const"); ok && r.Kind(v) == lex.String && c.value != "" {
			r.enter("const")
			r.addChoice(p, c)
			r.leave()
		}
	})
}

// eachChoice visits the elements of an array that must have some.
func (r *reader) eachChoice(i int, noun string, use func(e int)) {
	if !r.is(i, lex.Array, noun) {
		return
	}
	if r.Len(i) == 0 {
		r.fail(schema.BadItems, "minItems", "1", "needs at least 1 choice")
	}
	for at, e := range r.Elements(i) {
		if r.full() {
			return
		}
		r.enterAt(at)
		use(e)
		r.leave()
	}
}

func (r *reader) addChoice(p *property, c choice) {
	if !p.offer(c) {
		r.fail(schema.NotUnique, "uniqueItems", nil, "stands twice: offer each value once")
	}
}

// nonempty returns a string that says something, and notes it if it does not.
func (r *reader) nonempty(i int) (string, bool) {
	s, ok := r.str(i)
	if ok && s == "" {
		r.fail(schema.BadLength, "minLength", "1", "must not be empty")
	}
	return s, ok && s != ""
}

// enumNames reads the titles of the oldest revision, one for each of the enum i.
func (r *reader) enumNames(i int, enum int, hasEnum bool) {
	switch {
	case !hasEnum:
		r.fail(schema.Needs, "", nil, "is of no use without enum")
		return
	case !r.is(i, lex.Array, "an array of strings"):
		return
	case r.Kind(enum) == lex.Array && r.Len(i) != r.Len(enum):
		r.fail(schema.BadItems, "enumNames", strconv.Itoa(r.Len(enum)), "must have as many elements as enum")
	}
	for at, e := range r.Elements(i) {
		r.enterAt(at)
		r.str(e)
		r.leave()
	}
}
