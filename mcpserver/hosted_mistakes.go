package mcpserver

import (
	"errors"
	"strings"

	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/schema"
)

// maxFieldMistakes is how many mistakes an answer of a host's tool reports: as many as a decoder finds, and
// one that says that there are more.
const maxFieldMistakes = 33

// argumentMistakes returns the mistakes of a decoder as an agent reads them. An error of ours stays as it
// is, whatever is inside it.
func argumentMistakes(err error, in *schema.View) error {
	if _, ours := errors.AsType[*resource.Error](err); ours {
		return err
	}
	found, ok := errors.AsType[schema.Errors](err)
	if !ok || len(found) == 0 {
		return err
	}
	out := make(resource.Errors, len(found))
	for i, f := range found {
		if f.Code == schema.BadDefault && f.Path == "" { // of what the caller does not see
			return resource.Internal(f.Cause)
		}
		out[i] = argumentMistake(f, in)
	}
	return out
}

func argumentMistake(f schema.FieldError, in *schema.View) *resource.Error {
	tokens := pointerTokens(f.Path)
	e := resource.Errorf(resource.InvalidArgument, resource.Pointer("", tokens...), "%s%s", subject(f, tokens), f.Msg)
	e.Allowed, _ = f.Limit.([]string)
	if f.Code == schema.Unknown && len(tokens) > 0 {
		e.Code = resource.UnknownArgument
		if len(tokens) == 1 {
			e.Allowed = in.Fields()
		}
		e.Suggestions = resource.Nearest(tokens[len(tokens)-1], e.Allowed)
	}
	if f.Cause != nil {
		return e.Caused(f.Cause)
	}
	return e
}

// subject is what the message of a mistake speaks of. What a type says of itself is a sentence of its own.
func subject(f schema.FieldError, tokens []string) string {
	switch {
	case len(tokens) == 0 || f.Code == schema.Custom:
		return ""
	case len(tokens) > 1:
		return resource.Pointer("", tokens...) + " "
	case f.Code == schema.Unknown:
		return resource.Echo(tokens[0]) + " "
	default:
		return tokens[0] + " "
	}
}

// pointerTokens takes a JSON Pointer apart.
func pointerTokens(path string) []string {
	if path == "" {
		return nil
	}
	tokens := strings.Split(path[1:], "/")
	for i, t := range tokens {
		tokens[i] = strings.NewReplacer("~1", "/", "~0", "~").Replace(t)
	}
	return tokens
}
