package schema

import (
	"reflect"
	"slices"

	"github.com/tenantry/tenantry/schema/internal/decimal"
	"github.com/tenantry/tenantry/schema/internal/lex"
	"github.com/tenantry/tenantry/schema/internal/match"
)

// kind is what a node is in JSON.
type kind uint8

const (
	kindAny kind = iota
	kindString
	kindInteger
	kindNumber
	kindBoolean
	kindArray
	kindMap
	kindObject
	kindUnion
	kindEither // a number, or a string where the number has no JSON
)

// node is one use of a type: its shape and what the tags of this use say. It is immutable once its plan is
// built, and each view has its own copies of what it changes.
type node struct {
	kind  kind
	typ   reflect.Type // the Go type without what holds it; nil where there is none
	codec codec
	hold  holder
	null  bool // null is a value of it

	def      *def  // of an object, and of an enum with a type of its own
	elem     *node // of an array and a map
	keys     *node // of a map, if something is said of them
	size     int   // of [N]T; -1 for any other array
	variants []*variant
	disc     string   // the discriminator of the variants
	either   [2]*node // the number and the string of kindEither

	rules
	notes
}

// rules are what is checked of a value.
type rules struct {
	min, max, xmin, xmax, step *bound // of a number
	minLen, maxLen             int    // code points, elements or members; -1: none
	pattern                    *match.Pattern
	format                     string
	check                      func(string) bool // of the format
	unique                     bool
	enum                       []enumValue
	only                       *literal // const
	base64                     bool
	media, encoding            string
}

// notes are what is only told.
type notes struct {
	title, desc                     string
	examples                        []literal
	deprecated, readOnly, writeOnly bool
}

// bound is a number of a tag.
type bound struct {
	raw string // as it was written
	at  decimal.Number
}

// literal is a JSON value of a tag.
type literal struct {
	raw string // its JSON
	key string // the same for equal values
}

// enumValue is a literal that some callers only may use.
type enumValue struct {
	literal
	text  string // as a message shows it
	place int    // -1: for everybody
}

// def is a type that several nodes may share. A view has copies of those that it prunes.
type def struct {
	index  int
	name   string // of the Go type; "" for one that has none, which is never hoisted
	pkg    string
	typ    reflect.Type
	desc   string
	object *object
	enum   bool
	steps  []step // the gated places in it; nil when there is none, however deep
}

// object is what a struct, a variant of a union or the row of a table has.
type object struct {
	fields   []*field
	byName   map[string]int // nil for a few fields
	reserved []string       // every declared name, hidden ones too, where there is a rest
	unseen   []*field       // hidden, but with a default that the host's code expects
	rest     []int          // where undeclared members go; nil: there are none
	validate bool           // the Go type has a Validate method
}

// few is up to how many names are compared one by one.
const few = 8

func (o *object) indexed() *object {
	if len(o.fields) > few {
		o.byName = make(map[string]int, len(o.fields))
		for i, f := range o.fields {
			o.byName[f.name] = i
		}
	}
	return o
}

// find returns the position of a field, or -1. Letter case matters.
func (o *object) find(name string) int { return o.findBytes([]byte(name)) }

// findBytes is find for a name of a document.
func (o *object) findBytes(name []byte) int {
	if o.byName != nil {
		if i, ok := o.byName[string(name)]; ok {
			return i
		}
		return -1
	}
	return slices.IndexFunc(o.fields, func(f *field) bool { return f.name == string(name) })
}

// field is a member of an object.
type field struct {
	name     string
	where    string // Type.Field, for mistakes
	node     *node
	index    []int  // from the struct that holds it; nil for the discriminator
	inside   bool   // the node is an object whose members lie in the same struct
	column   string // of a table
	required bool
	must     bool // has a default for some callers only, and must be sent by the others
	omit     bool // left out of an output when it is empty
	place    int  // -1: for everybody

	fallback   *literal // the static default
	doc        *lex.Doc // of the static default
	defaultFor string
	with       []string // requiredWith: each of them makes this field required
	needs      []string // this field is of no use without them
}

// variant is one alternative of a union.
type variant struct {
	value literal
	text  string
	typ   reflect.Type // of the Go value, which may be a pointer
	node  *node        // an object that begins with the discriminator
	place int
}

// holder is what a Go value stands in.
type holder uint8

const (
	holdValue holder = iota
	holdPointer
	holdNull // sql.Null[T]
	holdOpt
)

// codec is how a Go value and JSON become each other.
type codec uint8

const (
	codecString codec = iota
	codecInt
	codecUint
	codecFloat
	codecBool
	codecBytes
	codecTime
	codecText       // encoding.TextMarshaler and TextUnmarshaler
	codecIntText    // an integer as a string
	codecUintText   // the same without a sign
	codecNumberText // json.Number
	codecAny
	codecRaw // json.RawMessage
	codecSlice
	codecArray
	codecMap
	codecStruct
	codecUnion
	codecLoose // into an any: what a column without a Go type gives
)
