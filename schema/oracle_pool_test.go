package schema_test

import (
	"encoding/json"
	"reflect"
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
		Note *string        `json:"note"`
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
