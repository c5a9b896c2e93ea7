package filtering

import (
	"bytes"
	"encoding/json"
	"strconv"

	"github.com/tenantry/tenantry/resource"
)

// maxDocument bounds the nesting of a jsonb operand.
const maxDocument = 100

// document returns the JSON text of a jsonb operand: what was sent without blanks, digits unchanged.
func document(v value) (string, *fault) {
	if f := sound(v, 0); f != nil {
		return "", f
	}
	var b bytes.Buffer
	_ = json.Compact(&b, []byte(v.raw)) // it was read, so it is valid
	return b.String(), nil
}

// sound returns the first thing in the document that jsonb cannot hold.
func sound(v value, depth int) *fault {
	switch {
	case v.flaw != "":
		return wrong("%s is not text: %s; send it without", v.show(), v.flaw)
	case v.kind == numberKind:
		return numericRange(v, v.text)
	case v.kind != arrayKind && v.kind != objectKind:
		return nil
	case depth == maxDocument:
		return tooMuch("this document is nested deeper than %d levels; send a flatter one", maxDocument)
	}
	for i, item := range v.items {
		if f := sound(item, depth+1); f != nil {
			return f.under(strconv.Itoa(i))
		}
	}
	return soundMembers(v, depth)
}

func soundMembers(v value, depth int) *fault {
	for _, m := range v.members {
		f := sound(m.value, depth+1)
		switch {
		case m.again:
			f = twice(m.name)
		case m.flaw != "":
			f = wrong("the name %s is not text: %s; send it without", resource.Echo(m.name), m.flaw)
		}
		if f != nil {
			return f.under(m.name)
		}
	}
	return nil
}

func twice(name string) *fault {
	return wrong("%s stands twice in one object; send it once", resource.Echo(name))
}
