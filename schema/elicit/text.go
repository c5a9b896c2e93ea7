package elicit

import (
	"github.com/tenantry/tenantry/schema/internal/words"
)

// noun says what an answer must be, as a message puts it.
func (p *property) noun() string {
	switch {
	case p.kind == integerKind:
		return "a whole number"
	case p.kind == numberKind:
		return "a number"
	case p.kind == booleanKind:
		return "true or false"
	case p.kind == listKind:
		return "an array of choices"
	case p.choices != nil:
		return words.Listed(p.values())
	case p.format != "":
		return words.Format(p.format)
	default:
		return "a string"
	}
}
