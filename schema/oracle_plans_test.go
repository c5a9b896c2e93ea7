package schema_test

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/tenantry/tenantry/schema"
)

// blueprint makes struct types at random.
type blueprint struct{ *rand.Rand }

func pick[T any](r *rand.Rand, from []T) T { return from[r.IntN(len(from))] }

// draft is a field of a struct type.
type draft struct {
	name, gate, desc string
	typ              reflect.Type
	items            []string
	optional         bool
	with, needs      string // other fields
}

func (b blueprint) structType(depth int) reflect.Type { return structOf(b.drafts(depth)) }

func structOf(drafts []draft) reflect.Type {
	fields := make([]reflect.StructField, len(drafts))
	for i, d := range drafts {
		var tag strings.Builder
		tag.WriteString(fmt.Sprintf("json:%q", d.name))
		items := d.items
		for key, value := range map[string]string{"requiredWith=": d.with, "needs=": d.needs} {
			if value != "" {
				items = append(slices.Clone(items), key+value)
			}
		}
		for _, part := range []struct{ key, value string }{{"mcp", strings.Join(items, ";")}, {"gate", d.gate}, {"desc", d.desc}} {
			if part.value != "" {
				tag.WriteString(fmt.Sprintf(" %s:%q", part.key, part.value))
			}
		}
		fields[i] = reflect.StructField{Name: "F" + strconv.Itoa(i), Type: d.typ, Tag: reflect.StructTag(tag.String())}
	}
	return reflect.StructOf(fields)
}

// Names of members; the number of the field makes each its own.
var names = []string{"f", "F", "a.b", "x/y", "m~n", "ключ", "type", "$ref"}

// drafts are up to six fields with tags.
func (b blueprint) drafts(depth int) []draft {
	drafts := make([]draft, 1+b.IntN(6))
	for i := range drafts {
		d := &drafts[i]
		d.name = names[i%len(names)] + strconv.Itoa(i)
		d.typ, d.items, d.optional = b.presence(b.kind(depth))
		if d.optional && b.IntN(4) == 0 {
			d.gate = pick(b.Rand, []string{"requires(admin)", "tier(pro)", "requires(admin)&tier(pro)"})
		}
		if b.IntN(5) == 0 {
			d.desc = "What it is."
		}
	}
	for i := range drafts {
		d, other := &drafts[i], pick(b.Rand, drafts)
		if !d.optional || !other.optional || d.name == other.name {
			continue
		}
		switch b.IntN(4) {
		case 0:
			d.with = other.name
		case 1:
			d.needs = other.name
		}
	}
	return drafts
}

// ungated leaves out the fields behind gates, what needs them, and what they would have required.
func ungated(drafts []draft) []draft {
	gone := map[string]bool{}
	for range drafts {
		for _, d := range drafts {
			if d.gate != "" || gone[d.needs] {
				gone[d.name] = true
			}
		}
	}
	var kept []draft
	for _, d := range drafts {
		if gone[d.name] {
			continue
		}
		if gone[d.with] {
			d.with = ""
		}
		kept = append(kept, d)
	}
	return kept
}

// presence makes some kinds optional, in one of the ways.
func (b blueprint) presence(k kind) (typ reflect.Type, items []string, optional bool) {
	if len(k.items) > 0 && b.IntN(3) > 0 {
		items = append(items, pick(b.Rand, k.items))
	}
	anything := k.typ == reflect.TypeFor[any]() || k.typ == reflect.TypeFor[json.RawMessage]()
	if k.typ.Kind() == reflect.Interface && !anything || b.IntN(2) == 0 {
		if b.IntN(3) == 0 {
			return k.typ, append(items, "optional"), true
		}
		return k.typ, items, false
	}
	switch b.IntN(5) {
	case 0:
		items = append(items, "nullable")
	case 1:
		return reflect.PointerTo(k.typ), append(items, "present", "nullable"), false
	case 2:
		if opt, ok := opts[k.typ]; ok {
			return opt, append(items, pick(b.Rand, [][]string{{"nullable"}, nil})...), true
		}
	}
	if anything { // null is one of its values
		items = append(items, "nullable")
	}
	return reflect.PointerTo(k.typ), slices.Compact(items), true
}

// opts are the types of values that know absent from null.
var opts = map[reflect.Type]reflect.Type{
	reflect.TypeFor[string]():  reflect.TypeFor[schema.Opt[string]](),
	reflect.TypeFor[int]():     reflect.TypeFor[schema.Opt[int]](),
	reflect.TypeFor[Level]():   reflect.TypeFor[schema.Opt[Level]](),
	reflect.TypeFor[Addr]():    reflect.TypeFor[schema.Opt[Addr]](),
	reflect.TypeFor[float64](): reflect.TypeFor[schema.Opt[float64]](),
	reflect.TypeFor[bool]():    reflect.TypeFor[sql.Null[bool]](),
	reflect.TypeFor[int64]():   reflect.TypeFor[sql.Null[int64]](),
}

// kind is a leaf, or a container of something.
func (b blueprint) kind(depth int) kind {
	switch choice := b.IntN(10); {
	case choice == 0 && depth > 0:
		return kind{typ: b.structType(depth - 1)}
	case choice == 1:
		return b.container(pick(b.Rand, leaves), "items.", reflect.SliceOf, "min=1", "max=2", "unique", "nonempty", "min=1;unique")
	case choice == 2:
		array := func(t reflect.Type) reflect.Type { return reflect.ArrayOf(1+b.IntN(3), t) }
		return b.container(pick(b.Rand, leaves), "items.", array, "unique")
	case choice == 3:
		keyed := func(t reflect.Type) reflect.Type { return reflect.MapOf(reflect.TypeFor[string](), t) }
		return b.container(pick(b.Rand, leaves), "values.", keyed, "min=1", "max=2", "keys.max=3", "keys.pattern='^[a-z]+$'", "nonempty")
	case choice == 4 && depth > 0:
		return b.container(b.kind(depth-1), "items.", reflect.SliceOf, "max=3")
	}
	return pick(b.Rand, leaves)
}

// container carries the items of its elements under a prefix.
func (b blueprint) container(of kind, prefix string, wrap func(reflect.Type) reflect.Type, items ...string) kind {
	if of.typ.Kind() == reflect.Uint8 {
		of = leaves[0] // a slice of those is bytes
	}
	for _, item := range of.items {
		if strings.HasPrefix(item, "title") || item == "deprecated" || item == "as=string" {
			continue // these are of fields alone
		}
		items = append(items, prefix+strings.ReplaceAll(item, ";", ";"+prefix))
	}
	return kind{wrap(of.typ), items}
}
