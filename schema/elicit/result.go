package elicit

import (
	"encoding/json"
	"fmt"

	"github.com/tenantry/tenantry/schema"
	"github.com/tenantry/tenantry/schema/internal/lex"
	"github.com/tenantry/tenantry/schema/internal/words"
)

// CheckResult holds the result of an elicitation, an object of "action" and "content", against the schema
// that was asked for. It is for results of elicitation/create and for the inputResponses of a repeated call
// alike. The schema must be what was sent: never one that comes with the answer.
//
// An action other than the three is an error and never an acceptance. Unless the form was accepted its
// content is dropped unread. Otherwise defaults fill in what is absent before it is called missing, 5.0 is
// an integer, lengths count code points, a pattern is found anywhere in a text, and no member may be there
// that the schema does not have. The patterns of one result share one budget; what cannot be proven within
// it is refused.
//
// The error is schema.Errors, whose paths are pointers into the content; what is wrong with the action is
// told at "", with "action" as the keyword. Values are never echoed. With a schema that is no form it is
// ErrSchema. A result has at most 1 MiB, and a key given twice is malformed.
func CheckResult(requested, result json.RawMessage) (Answer, error) {
	s, errs := read(requested, Client)
	if len(errs) > 0 {
		return Answer{}, fmt.Errorf("%w: %s", ErrSchema, errs.Error())
	}
	a, _, err := s.answer(result)
	return a, err
}

// answer checks a result and also returns its content as it was sent.
func (s *sheet) answer(result json.RawMessage) (a Answer, sent json.RawMessage, err error) {
	doc, err := lex.Parse(result, limits)
	if err != nil {
		return Answer{}, nil, schema.Errors{{Code: schema.Malformed, Msg: err.Error()}}
	}
	c := &checker{Doc: doc}
	action := c.action()
	if action != Accept {
		return Answer{Action: action}, nil, c.err()
	}
	content, ok := c.Member(0, "content")
	if !ok {
		c.Doc, _ = lex.Parse([]byte("{}"), limits) // which is a document
		content = 0
	}
	c.content(s, content)
	if err := c.err(); err != nil {
		return Answer{}, nil, err
	}
	return Answer{Action: Accept, Content: c.filled(s, content)}, json.RawMessage(c.Raw(content)), nil
}

// action returns what the person did, or "" after a mistake.
func (c *checker) action() Action {
	choices := []string{string(Accept), string(Decline), string(Cancel)}
	must := "the action must be " + words.Listed(choices)
	if c.Kind(0) != lex.Object {
		c.fail(schema.WrongType, "type", "object", "the result must be an object of action and content")
		return ""
	}
	i, ok := c.Member(0, "action")
	switch {
	case !ok:
		c.fail(schema.Missing, "action", choices, must)
		return ""
	case c.Kind(i) != lex.String:
		c.fail(schema.WrongType, "action", "string", must)
		return ""
	}
	switch a := Action(c.Text(i)); a {
	case Accept, Decline, Cancel:
		return a
	default:
		c.fail(schema.NotInEnum, "action", choices, must)
		return ""
	}
}

// content checks the object i: its members in their order, then what is missing in the schema's.
func (c *checker) content(s *sheet, i int) {
	switch c.Kind(i) {
	case lex.Object:
	case lex.Null:
		c.fail(schema.Null, "type", nil, "the content must be an object and not null")
		return
	default:
		c.fail(schema.WrongType, "type", "object", "the content must be an object")
		return
	}
	seen := make(map[string]bool, len(s.properties))
	for key, v := range c.Members(i) {
		if c.full() {
			return
		}
		seen[key] = true
		c.enter(key)
		if p := s.find(key); p != nil {
			c.value(p, v)
		} else {
			c.fail(schema.Unknown, "properties", nil, "is no member here: leave it out"+words.Accepted(s.names()))
		}
		c.leave()
	}
	for _, p := range s.properties {
		if p.required && p.fallback == "" && !seen[p.name] {
			c.failAt(p.name, schema.Missing, "required", nil, "is missing: send "+p.noun())
		}
	}
}

// filled writes the object i, which is good, with the defaults of what is absent.
func (c *checker) filled(s *sheet, i int) json.RawMessage {
	o := &written{}
	o.open()
	for _, p := range s.properties {
		raw := p.fallback
		if v, ok := c.Member(i, p.name); ok {
			raw = string(c.Raw(v))
		}
		if raw != "" {
			o.key(p.name).raw(raw)
		}
	}
	o.close()
	return o.out
}
