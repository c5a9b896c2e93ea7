package schema

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/tenantry/tenantry/internal/nearest"
	"github.com/tenantry/tenantry/internal/structtag"
)

// ownTags are the keys of a struct tag that a plan reads.
var ownTags = []string{"json", "mcp", "gate", "desc"}

// foreignTags are keys that look like rules to whoever wrote them, and would be none.
var foreignTags = map[string]string{
	"requires":    `is for rows: write gate:"requires(…)"`,
	"validate":    "is of another validator: write the rules as mcp",
	"binding":     "is of another validator: write the rules as mcp",
	"jsonschema":  "is of another library: write the rules as mcp, and the description as desc",
	"description": "is read by nobody: write desc",
}

// checkTag refuses a tag of which a part would be read by nobody: what was meant as a gate would be open.
func (b *builder) checkTag(m member) {
	pairs, err := structtag.Parse(m.sf.Tag)
	if err != nil {
		b.mistake(m.where, err)
		return
	}
	for i, p := range pairs {
		if slices.Contains(ownTags, p.Key) {
			if slices.ContainsFunc(pairs[:i], func(q structtag.Pair) bool { return q.Key == p.Key }) {
				b.mistake(m.where, fmt.Errorf("the tag %s stands twice", p.Key))
			}
			continue
		}
		if text, ok := foreignTags[p.Key]; ok {
			b.mistake(m.where, fmt.Errorf("the tag %s %s", p.Key, text))
			continue
		}
		for _, own := range ownTags {
			if nearest.Distance([]rune(strings.ToLower(p.Key)), []rune(own), 1) < 2 {
				b.mistake(m.where, fmt.Errorf("the tag %s is read by nobody: did you mean %s?", p.Key, own))
			}
		}
	}
}

// checkMethods refuses methods that look like those which a plan calls, and are none: they would never run.
func (b *builder) checkMethods(n *node, where string) {
	t := n.typ
	if t == nil || t.Name() == "" || t.PkgPath() == "" || t.PkgPath() == "time" {
		return
	}
	p := reflect.PointerTo(t)
	for name, like := range map[string]bool{
		enumMethod:          isEnum(t),
		"EnumGates":         p.Implements(gateLister),
		"SchemaDescription": p.Implements(selfDescriber),
		"DescribeSchema":    p.Implements(describing),
		"Validate":          p.Implements(validator),
	} {
		if _, ok := p.MethodByName(name); ok && !like {
			b.mistake(where, fmt.Errorf("the method %s of %s is not %s, and would never run", name, t, methodForms[name]))
		}
	}
	if p.Implements(gateLister) && !isEnum(t) {
		b.mistake(where, fmt.Errorf("the method EnumGates of %s would never run: it goes beside EnumValues", t))
	}
	if n.kind != kindObject && p.Implements(validator) {
		b.mistake(where, fmt.Errorf("the method Validate of %s would never run: it is for structs", t))
	}
}

var methodForms = map[string]string{
	enumMethod:          "EnumValues() []T of the type itself",
	"EnumGates":         "EnumGates() []schema.ValueGate",
	"SchemaDescription": "SchemaDescription() string",
	"DescribeSchema":    "DescribeSchema(*schema.Builder)",
	"Validate":          "Validate(context.Context) error",
}

// checkOwnJSON refuses types whose JSON is not that of their fields.
func (b *builder) checkOwnJSON(n *node) error {
	p := reflect.PointerTo(n.typ)
	if p.Implements(jsonMarshaler) || p.Implements(jsonUnmarshaler) {
		return errors.New(n.typ.String() + " has JSON of its own, which has no schema: give it MarshalText and UnmarshalText, or use another type")
	}
	return nil
}

// checkInText refuses tags in a struct that is written as a text, where nothing reads them.
func (b *builder) checkInText(n *node, where string) {
	if n.typ.Kind() != reflect.Struct {
		return
	}
	for sf := range n.typ.Fields() {
		for _, key := range []string{"mcp", "gate", "desc"} {
			if _, ok := sf.Tag.Lookup(key); ok {
				b.mistake(where, fmt.Errorf("%s is written as its text, so that the tag %s of its field %s has no effect", n.typ, key, sf.Name))
			}
		}
	}
}
