package elicit

import (
	"encoding/json"
	"fmt"
)

// FirstRevision is the first revision of the protocol that has forms.
const FirstRevision = string(firstForms)

// Titled is a value with what the person reads for it.
type Titled struct{ Value, Title string }

// ChoiceSchema returns the requestedSchema for one choice among values that are known only when they are
// asked for, as a revision writes it; CheckResult reads the answer. The member of that name must be sent. A
// value twice, and one that is empty or has no title, are errors.
func ChoiceSchema(rev, name, title string, choices []Titled) (json.RawMessage, error) {
	if rev < FirstRevision {
		return nil, fmt.Errorf("elicit: revision %s has no forms: they began with %s", rev, FirstRevision)
	}
	p := &property{name: name, title: title, kind: textKind, required: true, titled: true, least: -1, most: -1}
	for _, c := range choices {
		if !p.offer(choice{value: c.Value, title: c.Title}) {
			return nil, fmt.Errorf("elicit: the choice %s has a value twice", name)
		}
	}
	raw, err := (&sheet{properties: []*property{p}}).wire(revision(rev))
	if err != nil {
		return nil, err
	}
	if err := CheckSchema(raw, Server); err != nil {
		return nil, fmt.Errorf("elicit: the choice %s: %w", name, err)
	}
	return raw, nil
}
