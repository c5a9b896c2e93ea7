package filtering

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/tenantry/tenantry/resource"
)

// form says how the text of a typed value is to be compared.
type form byte

const (
	ordinary form = iota
	spelled       // NaN, infinity and the like: for equality and sets only
	wholeDay      // a bare date on a timestamp or timestamptz column
)

// typed is a value that its column can hold.
type typed struct {
	text string // canonical
	form form
}

var uuid = regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)

// scalar types one value that is not null.
func scalar(v value, t resource.Type) (typed, *fault) {
	switch {
	case !v.plain():
		return typed{}, wrong("%s is not one value; send one such as %s", v.show(), shown(sample(t))).like(sample(t))
	case v.flaw != "":
		return typed{}, wrong("%s is not text: %s; send it without", v.show(), v.flaw)
	}
	switch t.Kind {
	case resource.SmallInt:
		return integer(v, 16)
	case resource.Integer:
		return integer(v, 32)
	case resource.BigInt:
		return integer(v, 64)
	case resource.Numeric:
		return numeric(v)
	case resource.Real:
		return float(v, 32)
	case resource.Double:
		return float(v, 64)
	case resource.Date:
		return date(v)
	case resource.Timestamp, resource.TimestampTZ:
		return timestamp(v, t.Kind)
	default:
		return word(v, t)
	}
}

// word types a value whose text is taken as it is, or nearly.
func word(v value, t resource.Type) (typed, *fault) {
	switch t.Kind {
	case resource.Boolean:
		if v.text == "true" || v.text == "false" {
			return typed{text: v.text}, nil
		}
		return typed{}, wrong("%s is not a boolean; send true or false", v.show()).like(true)
	case resource.Text, resource.VarChar, resource.CIText:
		return literal(v)
	case resource.Char:
		got, f := literal(v)
		got.text = strings.TrimRight(got.text, " ") // the padding is no part of the value
		return got, f
	case resource.UUID:
		if v.kind == stringKind && uuid.MatchString(v.text) {
			return typed{text: strings.ToLower(v.text)}, nil
		}
		return typed{}, wrong("%s is not a UUID; send one such as %s", v.show(), shown(sample(t))).like(sample(t))
	case resource.Enum:
		return label(v, t)
	case resource.Printed:
		if v.kind == stringKind {
			return typed{text: v.text}, nil
		}
		return typed{}, wrong("%s is not text; send the value as a string, as rows show it", v.show()).like(v.clipped())
	default:
		return typed{}, wrong("values of type %s cannot be compared; send none", t.Name)
	}
}

// literal takes a string, or the digits of a number.
func literal(v value) (typed, *fault) {
	if v.kind == boolKind {
		return typed{}, wrong("%s is not text; send a string such as %q", v.show(), v.text).like(v.text)
	}
	return typed{text: v.text}, nil
}

func label(v value, t resource.Type) (typed, *fault) {
	if v.kind == stringKind && slices.Contains(t.Labels, v.text) {
		return typed{text: v.text}, nil
	}
	f := wrong("%s is not one of the values; send one of the allowed ones", v.show()).like(sample(t))
	f.allowed, f.suggestions = slices.Clone(t.Labels), resource.Nearest(v.text, t.Labels)
	if len(f.suggestions) > 0 {
		f.example = f.suggestions[0]
	}
	return typed{}, f
}

// clipped is the value as a string for an example.
func (v value) clipped() string { return resource.Clip(v.text) }

// shown is an example as JSON.
func shown(example any) string {
	b, err := json.Marshal(example)
	if err != nil {
		return "another"
	}
	return string(b)
}

// Value types one JSON value as a filter would type the operand of eq and returns its canonical text.
// It is how keys are typed. A bare date is no value of a timestamp column here, since it stands for
// many. The error has the code invalid_argument and the given path.
func Value(raw json.RawMessage, t resource.Type, path string) (string, *resource.Error) {
	v, f := read(raw)
	if f == nil {
		var got typed
		if got, f = single(v, t); f == nil {
			return got.text, nil
		}
	}
	return "", f.at(resource.InvalidArgument, path)
}

// single types one value where a whole day is none.
func single(v value, t resource.Type) (typed, *fault) {
	got, f := scalar(v, t)
	if f == nil && got.form == wholeDay {
		fix := corrected(v, t.Kind)
		return typed{}, wrong("%s is a whole day; send a point in time such as %q", v.show(), fix).like(fix)
	}
	return got, f
}
