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
	depth, name := strings.Count(f.Path, "/"), lastName(f.Path)
	e := resource.Errorf(resource.InvalidArgument, f.Path, "%s%s", subject(f, depth, name), f.Msg)
	e.Allowed, _ = f.Limit.([]string)
	if depth == 0 && f.Code == schema.WrongType {
		e.Allowed = in.Fields() // of the object that was not sent
	}
	if f.Code == schema.Unknown && depth > 0 {
		e.Code = resource.UnknownArgument
		e.Suggestions = resource.Nearest(name, e.Allowed)
	}
	if f.Cause != nil {
		return e.Caused(f.Cause)
	}
	return e
}

// subject is what the message of a mistake speaks of. What a type says of itself is a sentence of its own.
func subject(f schema.FieldError, depth int, name string) string {
	switch {
	case depth == 0 && f.Code == schema.WrongType, depth == 0 && f.Code == schema.Null:
		return "the arguments "
	case depth == 0 || f.Code == schema.Custom:
		return ""
	case depth > 1:
		return f.Path + " "
	case f.Code == schema.Unknown:
		return resource.Echo(name) + " "
	default:
		return name + " "
	}
}

var pointerName = strings.NewReplacer("~1", "/", "~0", "~")

// lastName is the last name of a JSON Pointer.
func lastName(path string) string {
	return pointerName.Replace(path[strings.LastIndexByte(path, '/')+1:])
}
