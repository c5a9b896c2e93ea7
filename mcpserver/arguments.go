package mcpserver

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/resource"
)

// maxMistakes is how many mistakes one answer reports. Looking for more would be work for nobody.
const maxMistakes = 10

// arguments are the arguments of one call, taken apart by the lenience table of the contract. Values
// whose type depends on the resource stay JSON. Every mistake found is kept, so that the caller can
// correct all of them at once.
type arguments struct {
	tool     *tool
	given    []member // known names, with neither null nor, but for id, "" among the values
	resource string
	mistakes resource.Errors
}

// decode takes raw apart for the tool. raw is well-formed JSON, or nil.
func decode(t *tool, raw []byte) *arguments {
	a := &arguments{tool: t}
	object, ok := argumentObject(raw)
	if !ok {
		a.add(resource.Errorf(resource.InvalidArgument, "", "arguments must be a JSON object, not %s: send %s", kindOf(trim(raw)), exampleCall(t)))
		return a
	}
	seen := make([]string, 0, len(t.arguments))
	a.given = make([]member, 0, cap(seen))
	for name, value := range members(object) {
		if len(a.mistakes) >= maxMistakes {
			break
		}
		switch {
		case !slices.Contains(t.arguments, name):
			a.unknown(name)
		case slices.Contains(seen, name):
			a.invalid(name, "%s is given twice: send it once", name)
		case !blankValue(value), name == "id" && kindOf(value) == kindString: // a text key may be empty
			a.given = append(a.given, member{name, value})
		}
		seen = append(seen, name)
	}
	a.require()
	return a
}

// argumentObject finds the object in what a client sent as arguments: nothing, null, an object or the
// JSON text of one.
func argumentObject(raw []byte) ([]byte, bool) {
	switch raw = trim(raw); kindOf(raw) {
	case kindAbsent, kindNull:
		return []byte("{}"), true
	case kindObject:
		return raw, true
	case kindString:
		inner := innerJSON(raw)
		if len(inner) == 0 {
			return []byte("{}"), true
		}
		return inner, kindOf(inner) == kindObject && wellFormed(inner)
	default:
		return nil, false
	}
}

// blankValue reports whether the value counts as absent: clients send null and "" for that.
func blankValue(value []byte) bool {
	return kindOf(value) == kindNull || string(value) == `""`
}

func (a *arguments) unknown(name string) {
	message := "there is no argument %s: send what it means by one of the allowed names"
	if len(a.tool.arguments) == 0 {
		message = "there is no argument %s: this tool takes none"
	}
	err := resource.Errorf(resource.UnknownArgument, resource.Pointer("", name), message, resource.Echo(name))
	err.Allowed = a.tool.arguments
	err.Suggestions = resource.Nearest(name, a.tool.arguments)
	a.add(err)
}

// require reports required arguments that are absent, and reads the one that every tool but resources has.
func (a *arguments) require() {
	for _, name := range a.tool.required {
		if a.value(name) == nil {
			a.invalid(name, "%s is required: send %s", name, wanted[name])
		}
	}
	a.resource = a.text("resource", wanted["resource"])
}

// wanted says what the required arguments take.
var wanted = map[string]string{
	"resource": "a name that the resources tool lists",
	"id":       "the key of a row, as rows show it",
}

// unnamed returns the mistakes of a call that names no resource, with the names it could have sent.
func (a *arguments) unnamed(ctx context.Context, r reader, p *auth.Principal) error {
	_, err := r.Schema(ctx, p, "", nil)
	if hint, ok := errors.AsType[*resource.Error](err); ok {
		for _, m := range a.mistakes {
			if m.Path == "/resource" {
				m.Allowed = hint.Allowed
			}
		}
	}
	return a.mistakes
}

// value returns the JSON of a given argument, or nil.
func (a *arguments) value(name string) []byte { return find(a.given, name) }

// add keeps a mistake. Those beyond what an answer holds are dropped.
func (a *arguments) add(mistake *resource.Error) {
	if len(a.mistakes) < maxMistakes {
		a.mistakes = append(a.mistakes, mistake)
	}
}

// invalid keeps a mistake in the value of one argument.
func (a *arguments) invalid(name, format string, args ...any) {
	a.add(resource.Errorf(resource.InvalidArgument, resource.Pointer("", name), format, args...))
}

// exampleCall is a call of the tool that is right in form.
func exampleCall(t *tool) string {
	var parts []string
	for _, name := range t.required {
		parts = append(parts, `"`+name+`":"…"`)
	}
	return "{" + strings.Join(parts, ",") + "}"
}
