package schema_test

import (
	"testing"

	"github.com/tenantry/tenantry/schema"
)

// code has its rules in a method, where a pattern needs no doubled backslashes.
type code string

func (code) DescribeSchema(b *schema.Builder) {
	b.Set("", "pattern", `^\d{3}$`).Set("", "title", "Code").Describe("", "Three digits.")
}

// stamped says things of its own fields, and stands in others.
type stamped struct {
	By   string
	Tags []string `json:"tags"`
}

func (stamped) DescribeSchema(b *schema.Builder) {
	b.Set("By", "max", "5").Set("By", "title", "Who").Describe("By", "Who did it.").
		Set("Tags", "unique", "").Set("Tags", "items.nonempty", "").Set("Tags", "optional", "")
}

type signed struct {
	stamped
	Note string `json:"note" mcp:"max=3"`
}

func (signed) DescribeSchema(b *schema.Builder) {
	b.Set("Note", "min", "2").Set("Note", "max", "9").Set("By", "title", "Signed by")
}

// shadow has a field of the name of one that it embeds, under another name in JSON.
type shadow struct {
	stamped
	By string `json:"own"`
}

func (shadow) DescribeSchema(b *schema.Builder) { b.Set("By", "max", "1") }

// What types say of themselves and of their fields holds like tags, and tags win.
func TestDescribeSchema(t *testing.T) {
	t.Parallel()
	type body struct {
		Code  code  `json:"code"`
		Other *code `json:"other" mcp:"pattern='^x'" desc:"Another."`
	}
	v := inputOf[body](t)
	same(t, `{"type":"string","title":"Code","description":"Three digits.","pattern":"^\\d{3}$"}`, property(t, v, "code"))
	same(t, `{"type":"string","title":"Code","description":"Another.","pattern":"^x"}`, property(t, v, "other"))
	wantCodes[body](t, v, `{"code":"12","other":"y"}`, "pattern /code", "pattern /other")

	s := inputOf[signed](t)
	same(t, `{"type":"string","title":"Signed by","description":"Who did it.","maxLength":5}`, property(t, s, "By"))
	wantCodes[signed](t, s, `{"By":"too long","tags":["","a","a"],"note":"a"}`, "length /By", "length /tags/0", "unique /tags", "length /note")
	wantCodes[signed](t, s, `{"By":"me","note":"abcd"}`, "length /note")

	own := inputOf[shadow](t)
	wantCodes[shadow](t, own, `{"By":"me","own":"me"}`, "length /own")
}

// shortened says two lengths, which tags replace by others.
type shortened struct {
	A string `json:"a" mcp:"len=3"`
	B []int  `json:"b" mcp:"min=3"`
}

func (shortened) DescribeSchema(b *schema.Builder) {
	b.Set("A", "max", "10").Set("B", "nonempty", "")
}

// A tag wins over a length that is said by another key.
func TestTagsWinOverLengths(t *testing.T) {
	t.Parallel()
	v := inputOf[shortened](t)
	wantCodes[shortened](t, v, `{"a":"ab","b":[1]}`, "length /a", "items /b")
	wantCodes[shortened](t, v, `{"a":"abc","b":[1,2,3]}`)
}

type (
	structItself struct{ A string }
	noField      struct{ A string }
	memberKey    string
	wrongFlag    struct{ A []string }
)

func (structItself) DescribeSchema(b *schema.Builder) { b.Set("", "min", "1") }
func (noField) DescribeSchema(b *schema.Builder)      { b.Set("B", "min", "1") }
func (memberKey) DescribeSchema(b *schema.Builder)    { b.Set("", "default", "x") }
func (wrongFlag) DescribeSchema(b *schema.Builder)    { b.Set("A", "items.nonempty", "yes") }

// What a type says without any effect is a mistake.
func TestDescribeSchemaMistakes(t *testing.T) {
	t.Parallel()
	type bag struct {
		Key memberKey `json:"key"`
	}
	type around struct{ noField }
	wantMistake[structItself](t, "structItself", "min")
	wantMistake[noField](t, "noField", "the field B")
	wantMistake[around](t, "noField", "the field B")
	wantMistake[bag](t, "bag.Key", "default", "memberKey")
	wantMistake[wrongFlag](t, "wrongFlag.A", "items.nonempty", "takes no value")
}

// The rules of an enum type may be narrowed without losing what the type says of itself.
func TestEnumKeepsItsDescription(t *testing.T) {
	t.Parallel()
	type body struct {
		All  mood `json:"all"`
		Some mood `json:"some" mcp:"enum=glad"`
		Own  mood `json:"own" mcp:"enum=glad" desc:"Mine."`
	}
	v := inputOf[body](t, schema.Inline())
	for name, want := range map[string]string{"all": "How it is.", "some": "How it is.", "own": "Mine."} {
		same(t, `"`+want+`"`, keyword(t, property(t, v, name), "description"))
	}
}

type mood string

func (mood) EnumValues() []mood        { return []mood{"glad", "sad"} }
func (mood) SchemaDescription() string { return "How it is." }
