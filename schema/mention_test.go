package schema_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/schema"
)

func TestTextsThatNameWhatIsHidden(t *testing.T) {
	t.Parallel()
	type line struct {
		Label string  `json:"label" desc:"What margin is shown under."`
		Cost  *string `json:"margin" gate:"requires(cost)" desc:"The margin of the line."`
	}
	type body struct {
		Note  string   `json:"note" mcp:"optional;example=see secret_note" desc:"Anything."`
		Sec   *string  `json:"secret_note" gate:"requires(admin)" desc:"The secret_note itself."`
		Near  string   `json:"near" mcp:"optional" desc:"No secret_notes here, and no other_secret_note."`
		Kind  *Visible `json:"kind" desc:"One of open or internal."`
		Lines []line   `json:"lines" mcp:"optional" desc:"Without their margins."`
	}
	p, err := schema.For[body](schema.Input)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"body.Note: its text names secret_note, which is behind a gate",
		"line.Label: its text names margin, which is behind a gate",
	}
	if diff := cmp.Diff(want, p.Warnings()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	got := strings.Join(p.Mentions("Sets secret_note, and shows internal things with the margin; internal ones are rare."), " ")
	if got != "secret_note internal margin" {
		t.Errorf("a text names %q", got)
	}
	if p.Mentions("Sets secret_notes.") != nil {
		t.Error("a longer word is taken for the name")
	}
}

// Visible is an enum of which one value has a gate.
type Visible string

// EnumValues lists the values.
func (Visible) EnumValues() []Visible { return []Visible{"open", "internal"} }

// EnumGates lists their gates.
func (Visible) EnumGates() []schema.ValueGate {
	return []schema.ValueGate{schema.EnumGate("internal", schema.Gate{Pred: "requires", Arg: "staff"})}
}

// The keys of maps and the elements of lists are looked at where texts tell of what is hidden.
func TestMentionsInside(t *testing.T) {
	t.Parallel()
	type body struct {
		Keys  map[Visible]int `json:"keys"`
		Lists [][]Visible     `json:"lists"`
	}
	p := planOf[body](t, schema.Output)
	if got := p.Mentions("the internal ones"); !slices.Equal(got, []string{"internal"}) {
		t.Error(got)
	}
	if got := strings.Join(p.Warnings(), "\n"); strings.Count(got, "is an internal error for callers") != 2 {
		t.Error(got)
	}
	whole := planOf[outline](t, schema.Output, schema.Named("what goes out"),
		schema.Union[outline]("kind", schema.Variant[bareShape]("bare", schema.Gate{Pred: "requires", Arg: "admin"}), schema.Variant[openShape]("open")))
	if got := strings.Join(whole.Warnings(), "\n"); !strings.Contains(got, "what goes out: a result that holds one of its gated values") {
		t.Error(got)
	}
}
