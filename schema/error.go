package schema

import (
	"strings"
)

// Code says what is wrong with a value.
type Code string

// The codes.
const (
	Malformed     Code = "malformed"      // not one JSON document, of too many bytes, levels or values, or with a key given twice, half of a surrogate pair or U+0000
	Missing       Code = "missing"        // a required member is not there
	Unknown       Code = "unknown"        // no such member, or none that this caller may use
	Null          Code = "null"           // null where it is no value
	WrongType     Code = "type"           // another JSON type than the declared one
	NotInEnum     Code = "enum"           // none of the values that this caller may use
	NotConst      Code = "const"          // another value than the only one
	TooSmall      Code = "min"            // below minimum, or at exclusiveMinimum
	TooLarge      Code = "max"            // above maximum, at exclusiveMaximum, or out of the Go type's range
	OffStep       Code = "step"           // no multiple of multipleOf
	BadLength     Code = "length"         // minLength or maxLength, in code points
	BadItems      Code = "items"          // minItems or maxItems
	BadProps      Code = "props"          // minProperties or maxProperties
	NotUnique     Code = "unique"         // two equal elements
	BadPattern    Code = "pattern"        // does not match the pattern
	PatternBudget Code = "pattern_budget" // the patterns of one document cost too much to be checked
	BadFormat     Code = "format"         // not of the declared format
	RequiredWith  Code = "required_with"  // required because another member is there
	Needs         Code = "needs"          // of no use without another member
	BadDefault    Code = "default"        // a default for this caller cannot be had
	Custom        Code = "custom"         // what a Validate method said
	Truncated     Code = "truncated"      // there are more errors than are listed
)

// FieldError is one mistake in one place. It never echoes the value.
type FieldError struct {
	Path    string // a JSON Pointer (RFC 6901) of the client's own keys, each at most 40 characters of it; "" is the whole document
	Code    Code
	Keyword string // the JSON Schema keyword that refused, such as "maxLength"; may be empty
	Limit   any    // what the keyword demands: a number as its text, or the visible values of an enum or members of an object as []string
	Msg     string // one line: what is wrong and what to send instead
	Cause   error  // why a default could not be had, for logs; nil for any other code
}

// Error returns the path and the message.
func (e FieldError) Error() string {
	if e.Path == "" {
		return e.Msg
	}
	return e.Path + ": " + e.Msg
}

// Errors are all mistakes of one document: in document order, then what is missing in declared order. At
// most 32, then one more that says so.
type Errors []FieldError

// Error returns one line for each mistake.
func (es Errors) Error() string {
	lines := make([]string, len(es))
	for i, e := range es {
		lines[i] = e.Error()
	}
	return strings.Join(lines, "\n")
}
