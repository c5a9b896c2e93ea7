package elicit

import (
	"slices"

	"github.com/tenantry/tenantry/schema"
	"github.com/tenantry/tenantry/schema/internal/words"
)

// The keywords of forms, in whatever revision, and pattern, which is in none.
var (
	rootWords  = []string{"$schema", "type", "properties", "required"}
	itemsWords = []string{"type", "enum", "anyOf"}
	entryWords = []string{"const", "title"}

	wordsOf = map[kind][]string{
		textKind:    {"type", "title", "description", "default", "enum", "enumNames", "oneOf", "minLength", "maxLength", "format", "pattern"},
		integerKind: {"type", "title", "description", "default", "minimum", "maximum"},
		numberKind:  {"type", "title", "description", "default", "minimum", "maximum"},
		booleanKind: {"type", "title", "description", "default"},
		listKind:    {"type", "title", "description", "default", "items", "minItems", "maxItems"},
	}
)

// shaping are keywords that make another shape of what a form says. A server's schema may have any other
// keyword, which nobody who fills in a form could know of.
var shaping = []string{
	"$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "not", "if", "then", "else", "enum", "enumNames", "items", "prefixItems", "contains",
	"properties", "patternProperties", "dependentRequired", "dependentSchemas", "dependencies",
}

// keywords refuses keywords of the object i that have no place there.
func (r *reader) keywords(i int, known []string) {
	for key := range r.Members(i) {
		if slices.Contains(known, key) || r.role == Client && !slices.Contains(shaping, key) {
			continue
		}
		r.failAt(key, schema.Unknown, "", nil, "a form has no such keyword here"+words.Accepted(known))
	}
}
