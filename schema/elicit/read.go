package elicit

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/tenantry/tenantry/schema"
	"github.com/tenantry/tenantry/schema/internal/lex"
	"github.com/tenantry/tenantry/schema/internal/match"
	"github.com/tenantry/tenantry/schema/internal/words"
)

// CheckSchema reports whether a requestedSchema is a form: ours before it is sent, or a server's before it is
// shown to anybody. It takes the forms of all revisions.
//
// The error is schema.Errors with every mistake, up to 32, whose paths are pointers into the schema. Patterns
// must be cheap enough for a text of the longest allowed length, which is 4,096 characters without a
// maxLength; a server's that cannot be read is an error too, for an answer could not be held against it. A
// form has at most 100 properties.
func CheckSchema(raw json.RawMessage, role Role) error {
	if _, errs := read(raw, role); len(errs) > 0 {
		return errs
	}
	return nil
}

// read takes a schema apart. The sheet is good if there are no errors.
func read(raw json.RawMessage, role Role) (*sheet, schema.Errors) {
	doc, err := lex.Parse(raw, limits)
	if err != nil {
		return nil, schema.Errors{{Code: schema.Malformed, Msg: err.Error()}}
	}
	r := &reader{Doc: doc, role: role}
	s := r.root()
	return s, r.errs
}

// reader reads a schema.
type reader struct {
	*lex.Doc
	findings
	budget match.Budget // of the patterns of all defaults
	role   Role
}

// with reads a member of the object i, if it is there.
func (r *reader) with(i int, key string, use func(v int)) bool {
	v, ok := r.Member(i, key)
	if ok && !r.full() {
		r.enter(key)
		use(v)
		r.leave()
	}
	return ok
}

// object reports whether value i is one, and notes it if not.
func (r *reader) object(i int) bool {
	return r.is(i, lex.Object, "an object")
}

func (r *reader) is(i int, k lex.Kind, noun string) bool {
	if r.Kind(i) == k {
		return true
	}
	r.fail(schema.WrongType, "type", nil, "must be "+noun)
	return false
}

func (r *reader) root() *sheet {
	s := &sheet{}
	if !r.object(0) || !r.rootType() {
		return s
	}
	r.keywords(0, rootWords)
	r.with(0, "properties", func(i int) { r.properties(s, i) })
	r.with(0, "required", func(i int) { r.required(s, i) })
	return s
}

func (r *reader) rootType() bool {
	i, ok := r.Member(0, "type")
	switch {
	case !ok:
		r.failAt("type", schema.Missing, "type", "object", `is missing: the type of a form is "object"`)
	case r.Kind(i) != lex.String || r.Text(i) != "object":
		r.failAt("type", schema.NotInEnum, "type", "object", `must be "object"`)
	default:
		return true
	}
	return false
}

func (r *reader) properties(s *sheet, i int) {
	if !r.object(i) {
		return
	}
	if r.Len(i) > maxProperties {
		r.fail(schema.BadProps, "maxProperties", strconv.Itoa(maxProperties), "takes at most "+words.Counted(maxProperties, "member"))
		return
	}
	for name, v := range r.Members(i) {
		r.enter(name)
		s.properties = append(s.properties, r.property(name, v))
		r.leave()
	}
}

func (r *reader) required(s *sheet, i int) {
	if !r.is(i, lex.Array, "an array of names") {
		return
	}
	seen := map[string]bool{}
	for at, e := range r.Elements(i) {
		if r.full() {
			return
		}
		r.enterAt(at)
		if name, ok := r.str(e); ok {
			p := s.find(name)
			switch {
			case p == nil:
				r.fail(schema.Unknown, "properties", nil, "there is no such property"+words.Accepted(s.names()))
			case seen[name]:
				r.fail(schema.NotUnique, "uniqueItems", nil, "stands twice")
			default:
				p.required = true
			}
			seen[name] = true
		}
		r.leave()
	}
}

// str returns what a string says, and notes it if it is none.
func (r *reader) str(i int) (string, bool) {
	if !r.is(i, lex.String, "a string") {
		return "", false
	}
	return r.Text(i), true
}

// property reads one property. Without a good type nothing more can be said of it.
func (r *reader) property(name string, i int) *property {
	p, before := &property{name: name, least: -1, most: -1}, len(r.errs)
	if !r.object(i) || !r.kindOf(p, i) {
		return p
	}
	r.keywords(i, wordsOf[p.kind])
	for _, key := range []string{"title", "description"} {
		r.with(i, key, func(v int) { r.str(v) })
	}
	switch p.kind {
	case textKind:
		r.textRules(p, i)
	case integerKind, numberKind:
		r.bounds(p, i)
	case listKind:
		r.counts(p, i, "minItems", "maxItems")
		r.items(p, i)
	case booleanKind:
	}
	if len(r.errs) == before {
		r.with(i, "default", func(v int) { r.fallback(p, v) })
	}
	return p
}

func (r *reader) kindOf(p *property, i int) bool {
	t, ok := r.Member(i, "type")
	switch {
	case !ok:
		r.failAt("type", schema.Missing, "type", kinds, "is missing: write "+words.Listed(kinds))
	case r.Kind(t) != lex.String || !slices.Contains(kinds, r.Text(t)):
		r.failAt("type", schema.NotInEnum, "type", kinds, "must be "+words.Listed(kinds))
	default:
		p.kind = kind(r.Text(t))
		return true
	}
	return false
}

// fallback holds a default against the property itself. Of several mistakes in it one is told.
func (r *reader) fallback(p *property, i int) {
	c := checker{Doc: r.Doc, budget: r.budget}
	c.value(p, i)
	r.budget = c.budget
	p.fallback = string(r.Raw(i))
	if len(c.errs) > 0 {
		r.fail(schema.BadDefault, "default", nil, "does not keep the property's own rules: "+c.errs[0].Msg)
	}
}
