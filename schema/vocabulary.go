package schema

import (
	"slices"
	"strings"
)

// sort is what sort of value a key may stand at, as the catalogue calls it.
type sort string

const (
	sortString  sort = "string"
	sortNumber  sort = "number"
	sortDecimal sort = "decimal"
	sortBool    sort = "bool"
	sortSlice   sort = "slice"
	sortMap     sort = "map"
	sortOther   sort = "any other"
	sortUnion   sort = "union"
)

// sortOf says what sort of value a node is.
func sortOf(n *node) sort {
	switch {
	case n.typ == typeDecimal:
		return sortDecimal
	case n.kind == kindString && n.codec == codecString:
		return sortString
	case (n.kind == kindInteger || n.kind == kindNumber) && n.codec != codecLoose:
		return sortNumber
	case n.kind == kindBoolean:
		return sortBool
	case n.kind == kindArray:
		return sortSlice
	case n.kind == kindMap:
		return sortMap
	case n.kind == kindUnion:
		return sortUnion
	default:
		return sortOther
	}
}

// key is a key of the mcp tag.
type key struct {
	name    string
	flag    bool // stands without a value
	inner   bool // may stand behind items., values. and keys.
	sorts   []sort
	keyword string // of JSON Schema, for the catalogue
	about   string // for the catalogue
	set     func(u *use, value string) error
}

func sorts(s ...sort) []sort { return s }

var (
	sized    = sorts(sortString, sortNumber, sortDecimal, sortSlice, sortMap)
	numbers  = sorts(sortNumber, sortDecimal)
	literals = sorts(sortString, sortNumber, sortDecimal, sortBool)
	valued   = sorts(sortString, sortNumber, sortDecimal, sortBool, sortSlice, sortMap, sortOther)
	every    = append(slices.Clone(valued), sortUnion)
)

// vocabulary is every key of the mcp tag, in the order of the catalogue. It is filled in by init, since the
// functions refer to it for hints.
var vocabulary []key

func init() {
	vocabulary = []key{
		{"min", false, true, sized, "minLength, minimum, minItems, minProperties", "The least: code points of a string, the value of a number, elements of a slice, members of a map. Of a decimal it is checked and not announced.", (*use).setMin},
		{"max", false, true, sized, "maxLength, maximum, maxItems, maxProperties", "The most, likewise.", (*use).setMax},
		{"len", false, true, sorts(sortString, sortSlice, sortMap), "minLength and maxLength, and so on", "Exactly as many.", (*use).setLen},
		{"nonempty", true, true, sorts(sortString, sortSlice, sortMap), "minLength, minItems, minProperties 1", "At least one.", (*use).setNonempty},
		{"xmin", false, true, numbers, "exclusiveMinimum", "Above this, and not this.", (*use).setXMin},
		{"xmax", false, true, numbers, "exclusiveMaximum", "Below this, and not this.", (*use).setXMax},
		{"step", false, true, numbers, "multipleOf", "A whole multiple of this, exactly: 0.07 is one of 0.01.", (*use).setStep},
		{"pattern", false, true, sorts(sortString), "pattern", "A regular expression that is found in the string; write ^ and $ for all of it. Only what RE2 and ECMA-262 read alike.", (*use).setPattern},
		{"format", false, true, sorts(sortString), "format", "One of date, date-time, email, hostname, ipv4, ipv6, uri, uuid, and those of schema.Format. It is asserted.", (*use).setFormat},
		{"unique", true, true, sorts(sortSlice), "uniqueItems", "No two equal elements; 1 and 1.0 are equal.", (*use).setUnique},
		{"enum", false, true, literals, "enum", "One of these, separated by |. Of a type with EnumValues, some of its values.", (*use).setEnum},
		{"const", false, true, literals, "const", "This value and no other.", (*use).setConst},
		{"as", false, false, sorts(sortNumber), "type string with a pattern", "as=string: an integer as a string of digits, for keys beyond 2^53, which some clients round.", (*use).setAs},
		{"title", false, false, every, "title", "A title for people.", (*use).setTitle},
		{"example", false, false, every, "examples", "An example; may stand several times.", (*use).addExample},
		{"deprecated", true, false, every, "deprecated", "Better not used any more.", (*use).setDeprecated},
		{"mediaType", false, false, sorts(sortString, sortOther), "contentMediaType", "The media type of what the string holds.", (*use).setMediaType},
		{"encoding", false, false, sorts(sortString, sortOther), "contentEncoding", "The encoding of what the string holds. []byte is base64 without it.", (*use).setEncoding},
		{"default", false, false, valued, "default", "The value where the member is absent. null is not absence.", (*use).setDefault},
		{"defaultFor", false, false, valued, "default", "The key of a default that is asked for each caller and wins over default. Where it has no answer and there is no default, the member must be sent.", (*use).setDefaultFor},
		{"readOnly", true, false, every, "readOnly", "Only goes out: the field takes no part in an input.", (*use).setReadOnly},
		{"writeOnly", true, false, every, "writeOnly", "Only comes in: the field takes no part in an output.", (*use).setWriteOnly},
		{"optional", true, false, every, "", "May be absent: the Go value is then zero, and a zero is left out of an output. omitempty and omitzero say the same.", (*use).setOptional},
		{"required", true, false, every, "required", "Must be there.", (*use).setRequired},
		{"present", true, false, every, "required", "Must be there, but may be null; beside nullable.", (*use).setPresent},
		{"nullable", true, true, every, "type null, or anyOf with it", "null is taken: for *T, sql.Null[T] and schema.Opt[T].", (*use).setNullable},
		{"requiredWith", false, false, every, "dependentRequired", "Required where the named field is there. Several are separated by a comma.", (*use).setRequiredWith},
		{"needs", false, false, every, "dependentRequired", "Of no use without the named field; hidden with it. Several are separated by a comma.", (*use).setNeeds},
		{"at", false, false, every, "", "at=error.message: the member stands in an object of its own, which fields with the same beginning share.", (*use).setAt},
		{"rest", true, false, sorts(sortMap), "no additionalProperties", "A map[string]any that takes every undeclared member: the only way to an open object. In an output it stands in an object of which all callers see the same members.", (*use).setRest},
	}
}

// inside are the prefixes of keys for what a slice or a map holds.
var inside = []struct{ prefix, about string }{
	{"items.", "The key for each element of a slice."},
	{"values.", "The key for each value of a map."},
	{"keys.", "The key for each key of a map."},
}

// lookupKey returns a key of the vocabulary.
func lookupKey(name string) (key, bool) {
	i := slices.IndexFunc(vocabulary, func(k key) bool { return k.name == name })
	if i < 0 {
		return key{}, false
	}
	return vocabulary[i], true
}

func keyNames() []string {
	out := make([]string, len(vocabulary))
	for i, k := range vocabulary {
		out[i] = k.name
	}
	for _, in := range inside {
		out = append(out, in.prefix)
	}
	return out
}

func joinSorts(s []sort) string {
	out := make([]string, len(s))
	for i := range s {
		out[i] = string(s[i])
	}
	return strings.Join(out, ", ")
}
