package filtering

import (
	"fmt"

	"github.com/tenantry/tenantry/resource"
)

// fault is a mistake as the place that found it knows it: without the key it belongs to.
type fault struct {
	code        resource.Code // empty: that of a bad value where it stands
	message     string
	below       []string // reference tokens below the value it was found in
	allowed     []string
	suggestions []string
	example     any // a value to send instead; nil: none
}

func wrong(format string, args ...any) *fault {
	return &fault{message: fmt.Sprintf(format, args...)}
}

func tooMuch(format string, args ...any) *fault {
	f := wrong(format, args...)
	f.code = resource.LimitExceeded
	return f
}

// like adds a value to send instead.
func (f *fault) like(example any) *fault {
	f.example = example
	return f
}

// under says that the fault was found below the value it will be reported for.
func (f *fault) under(tokens ...string) *fault {
	f.below = append(tokens, f.below...)
	return f
}

// at gives the fault its place. Code is used when the fault has none of its own.
func (f *fault) at(code resource.Code, path string) *resource.Error {
	if f.code != "" {
		code = f.code
	}
	return &resource.Error{
		Code:        code,
		Message:     f.message,
		Path:        resource.Pointer(path, f.below...),
		Allowed:     f.allowed,
		Suggestions: f.suggestions,
		Example:     f.example,
	}
}

// show is the caller's value in a message, shortened.
func (v value) show() string {
	switch v.kind {
	case nullKind:
		return "null"
	case boolKind, numberKind:
		return resource.Clip(v.text)
	case stringKind:
		return resource.Echo(v.text)
	case arrayKind:
		return "a list"
	case objectKind:
		return "an object"
	default:
		return "this"
	}
}
