package schema_test

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/tenantry/tenantry/schema"
)

// kind is a Go type and the tags that it may carry, one item for each.
type kind struct {
	typ   reflect.Type
	items []string
}

func kindOf[T any](items ...string) kind { return kind{reflect.TypeFor[T](), items} }

// Types that a plan only meets by name.
type (
	Level string
	Small int8
	Shelf struct {
		Box
		Label  string            `json:"label" mcp:"min=1;max=4"`
		Parts  []Part            `json:"parts" mcp:"max=3"`
		Spare  *Part             `json:"spare" mcp:"nullable"`
		Secret *int              `json:"secret" gate:"requires(admin)"`
		Marks  map[string]Small  `json:"marks" mcp:"optional;keys.max=3"`
		Note   schema.Opt[Level] `json:"note" mcp:"nullable"`
	}
	Box struct {
		Width  uint8  `json:"width"`
		Height *uint8 `json:"height,omitempty" mcp:"requiredWith=depth"`
		Depth  *uint8 `json:"depth,omitempty"`
	}
	Part struct {
		Code string `json:"code" mcp:"pattern='^[A-Z]{2}[0-9]$'"`
		Kind Level  `json:"kind" mcp:"default=low"`
	}
	Loop struct {
		Next  *Loop           `json:"next"`
		Kids  []Loop          `json:"kids" mcp:"optional;max=2"`
		Named map[string]Loop `json:"named" mcp:"optional"`
		Value *int            `json:"value" gate:"tier(pro)"`
	}
	Loose struct {
		ID   int            `json:"id"`
		Note *string        `json:"note" gate:"requires(admin)"`
		Rest map[string]any `mcp:"rest"`
	}
	Placed struct {
		Message string `json:"message" mcp:"at=error.message"`
		Code    *int16 `json:"code" mcp:"at=error.code"`
		Hint    *bool  `json:"hint" mcp:"at=error.more.hint" gate:"tier(pro)"`
	}
	shape  interface{ area() }
	Circle struct {
		R float32 `json:"r" mcp:"xmin=0"`
	}
	Square struct {
		Side  float64 `json:"side" mcp:"min=0;max=100"`
		Round *bool   `json:"round" gate:"requires(admin)"`
	}
	Blob struct{}
)

func (Level) EnumValues() []Level { return []Level{"low", "mid", "high"} }
func (Level) EnumGates() []schema.ValueGate {
	return []schema.ValueGate{schema.EnumGate(Level("high"), schema.Gate{Pred: "tier", Arg: "pro"})}
}

func (Small) EnumValues() []Small { return []Small{-1, 0, 7} }

func (Circle) area() {}
func (Square) area() {}
func (Blob) area()   {}

func shapes() schema.Option {
	return schema.Union[shape]("kind", schema.Variant[Circle]("circle"), schema.Variant[Square]("square"),
		schema.Variant[Blob]("blob", schema.Gate{Pred: "requires", Arg: "admin"}))
}

// leaves are what fields, elements and values of maps are made of.
var leaves = []kind{
	kindOf[string]("min=1", "max=3", "min=2;max=4", "len=2", "nonempty", "enum=a|b|ä", "const=ok", "title=T;example=e", "deprecated",
		"pattern='^[a-z]+$'", "pattern='b'", "pattern='^\\d{1,3}$';max=3", "format=email", "format=uuid", "format=date", "format=date-time",
		"format=ipv4", "format=ipv6", "format=hostname", "format=uri"),
	kindOf[Status]("enum=a|b", "max=2"),
	kindOf[Level](),
	kindOf[Small](),
	kindOf[bool]("const=true", "const=false"),
	kindOf[int]("min=1", "max=9", "min=-5;max=5", "xmin=0", "xmax=10", "step=3", "enum=1|2|3", "const=7", "min=9007199254740993"),
	kindOf[int64]("as=string", "step=5", "max=9223372036854775806"),
	kindOf[int8]("min=0", "max=100"),
	kindOf[int16](), kindOf[int32]("xmin=-1"), kindOf[uint](), kindOf[uint8]("max=200"), kindOf[uint16](), kindOf[uint32](),
	kindOf[uint64]("step=2", "min=1"),
	kindOf[float64]("min=0.5", "max=2.5", "xmin=0;xmax=1.0", "step=0.01", "step=0.1;min=-1", "enum=0.5|1"),
	kindOf[float32]("min=0"),
	kindOf[schema.Decimal](), kindOf[schema.Date](), kindOf[time.Time](), kindOf[[]byte](),
	kindOf[any](), kindOf[json.RawMessage](),
	kindOf[Addr](), kindOf[Shelf](), kindOf[Loop](), kindOf[Loose](), kindOf[Placed](), kindOf[shape](), kindOf[Tree](),
}

// blueprint makes struct types at random.
type blueprint struct{ *rand.Rand }

func pick[T any](r *rand.Rand, from []T) T { return from[r.IntN(len(from))] }

// structType is a type of up to six fields with tags.
func (b blueprint) structType(depth int) reflect.Type {
	n := 1 + b.IntN(6)
	fields := make([]reflect.StructField, 0, n)
	for i := range n {
		fields = append(fields, b.field(i, n, depth))
	}
	return reflect.StructOf(fields)
}

// Names of members; the number of the field makes each its own.
var names = []string{"f", "F", "a.b", "x/y", "m~n", "ключ", "type", "$ref"}

func (b blueprint) field(i, n, depth int) reflect.StructField {
	k := b.kind(depth)
	var gate string
	typ, items, optional := b.presence(k)
	if optional && b.IntN(4) == 0 {
		gate = pick(b.Rand, []string{"requires(admin)", "tier(pro)", "requires(admin)&tier(pro)"})
	}
	name := func(i int) string { return names[i%len(names)] + strconv.Itoa(i) }
	tag := fmt.Sprintf("json:%q", name(i))
	if len(items) > 0 {
		tag += fmt.Sprintf(" mcp:%s", `"`+strings.ReplaceAll(strings.Join(items, ";"), `\`, `\\`)+`"`)
	}
	if gate != "" {
		tag += fmt.Sprintf(" gate:%q", gate)
	}
	if b.IntN(5) == 0 {
		tag += ` desc:"What it is."`
	}
	return reflect.StructField{Name: "F" + strconv.Itoa(i), Type: typ, Tag: reflect.StructTag(tag)}
}

// presence makes some kinds optional, in one of the ways.
func (b blueprint) presence(k kind) (typ reflect.Type, items []string, optional bool) {
	if len(k.items) > 0 && b.IntN(3) > 0 {
		items = append(items, pick(b.Rand, k.items))
	}
	if k.typ.Kind() == reflect.Interface || b.IntN(2) == 0 {
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
	return reflect.PointerTo(k.typ), items, true
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
