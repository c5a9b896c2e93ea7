package serializer_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/serializer"
)

type base struct {
	ID        int64     `desc:"Number." json:"id"`
	CreatedAt time.Time `json:",omitzero"`
	Shadowed  string    `json:"status"`
}

type Audit struct {
	UpdatedBy *string `requires:"audit"`
	Age       serializer.Computed
}

// ComputeAge is promoted to the struct that embeds Audit.
func (a *Audit) ComputeAge() string {
	if a.UpdatedBy == nil {
		return "nobody"
	}
	return "by " + *a.UpdatedBy
}

type order struct {
	base
	*Audit
	Total   string  `db:"total_amount" json:"total" requires:"money" validate:"required"`
	Status  *string `json:"status"`
	HTTPUrl string
	Cost    int                 `db:"cost_cents" json:"-"`
	Ignored int                 `json:"-"`
	Margin  serializer.Computed `desc:"In cents." json:"margin" reads:"total_amount, cost_cents" requires:"money"`
	cache   map[string]int
}

func (o order) ComputeMargin() (int64, error) {
	if o.Total == "bad" {
		return 0, errors.New("bad total")
	}
	return int64(len(o.Total) - o.Cost + len(o.cache)), nil
}

func TestForFields(t *testing.T) {
	t.Parallel()
	got, err := serializer.For[order]().Fields()
	if err != nil {
		t.Fatal(err)
	}
	want := []serializer.Field{
		{Name: "id", Column: "id", Description: "Number."},
		{Name: "created_at", Column: "created_at"},
		{Name: "updated_by", Column: "updated_by", Requires: "audit"},
		{
			Name: "age", Type: resource.Text,
			Reads: []string{"id", "created_at", "updated_by", "total_amount", "status", "http_url", "cost_cents"},
		},
		{Name: "total", Column: "total_amount", Requires: "money"},
		{Name: "status", Column: "status"},
		{Name: "http_url", Column: "http_url"},
		{
			Name: "margin", Type: resource.BigInt, Description: "In cents.", Requires: "money",
			Reads: []string{"total_amount", "cost_cents"},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// scans is a resource.Row that notes what is read.
type scans struct {
	values map[string]any
	read   []string
}

func (s *scans) Scan(column string, dest any) error {
	s.read = append(s.read, column)
	v, ok := s.values[column]
	if !ok {
		return fmt.Errorf("no column %s", column)
	}
	switch d := dest.(type) {
	case *string:
		*d = v.(string)
	case **string:
		text := v.(string)
		*d = &text
	case *int:
		*d = v.(int)
	default:
		return fmt.Errorf("%T", dest)
	}
	return nil
}

func TestForCompute(t *testing.T) {
	t.Parallel()
	row := &scans{values: map[string]any{"total_amount": "12.50", "cost_cents": 2}}
	got, err := serializer.For[order]().Compute(row, []string{"margin"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]any{int64(3)}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if diff := cmp.Diff([]string{"total_amount", "cost_cents"}, row.read); diff != "" {
		t.Errorf("columns read (-want +got):\n%s", diff)
	}
}

type deep struct {
	*Audit
	Twice serializer.Computed `reads:"updated_by"`
	None  serializer.Computed `reads:"other"`
	Other string
}

func (d *deep) ComputeTwice() string    { return d.ComputeAge() + d.ComputeAge() }
func (d *deep) ComputeNone() *time.Time { return nil }

// TestForComputeOrder: values come in the order asked, each column is read once, and embedded pointers are
// there even when no column within them is read.
func TestForComputeOrder(t *testing.T) {
	t.Parallel()
	row := &scans{values: map[string]any{"updated_by": "me", "other": ""}}
	got, err := serializer.For[deep]().Compute(row, []string{"none", "age", "twice"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]any{(*time.Time)(nil), "by me", "by meby me"}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if diff := cmp.Diff([]string{"updated_by", "other"}, row.read); diff != "" {
		t.Errorf("columns read (-want +got):\n%s", diff)
	}
}

type lonely struct {
	*Empty
	A int
}

type Empty struct {
	Word serializer.Computed `reads:"a"`
}

func (e *Empty) ComputeWord() string { return fmt.Sprint(*e) }

func TestForEmbeddedPointer(t *testing.T) {
	t.Parallel()
	got, err := serializer.For[lonely]().Compute(&scans{values: map[string]any{"a": 1}}, []string{"word"})
	if err != nil || len(got) != 1 || got[0] != "{{}}" {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestForComputeFails(t *testing.T) {
	t.Parallel()
	s := serializer.For[order]()
	for name, tt := range map[string]struct {
		row  map[string]any
		ask  string
		want string
	}{
		"unknown member": {nil, "other", `computes no member "other"`},
		"a column":       {nil, "total", `computes no member "total"`},
		"no column":      {nil, "margin", `reads column "total_amount"`},
		"method's error": {map[string]any{"total_amount": "bad", "cost_cents": 0}, "margin", `computes "margin": bad total`},
	} {
		got, err := s.Compute(&scans{values: tt.row}, []string{tt.ask})
		if err == nil || !strings.Contains(err.Error(), tt.want) || got != nil {
			t.Errorf("%s: got %v, %v", name, got, err)
		}
	}
}

type computedKinds struct {
	A, B, C, D, E, F, G, H, I, J serializer.Computed
}

func (computedKinds) ComputeA() label           { return "" }
func (computedKinds) ComputeB() int32           { return 0 }
func (computedKinds) ComputeC() *uint64         { return nil }
func (computedKinds) ComputeD() bool            { return false }
func (computedKinds) ComputeE() float32         { return 0 }
func (computedKinds) ComputeF() (**int8, error) { return nil, nil }
func (computedKinds) ComputeG() map[string]any  { return nil }
func (computedKinds) ComputeH() shouty          { return "" }
func (computedKinds) ComputeI() []byte          { return nil }
func (computedKinds) ComputeJ() *version        { return nil }

func TestForComputedKinds(t *testing.T) {
	t.Parallel()
	fields, err := serializer.For[computedKinds]().Fields()
	if err != nil {
		t.Fatal(err)
	}
	want := []resource.Kind{
		resource.Text, resource.Integer, resource.BigInt, resource.Boolean, resource.Double, resource.Integer,
		resource.JSON, resource.Text, resource.Bytea, resource.JSON,
	}
	for i, f := range fields {
		if f.Type != want[i] {
			t.Errorf("%s is %s, want %s", f.Name, f.Type, want[i])
		}
	}
	fields, err = serializer.For[deep]().Fields()
	if err != nil || len(fields) != 5 || fields[3].Type != resource.TimestampTZ {
		t.Errorf("fields %v, error %v; want a timestamptz fourth", fields, err)
	}
}

type (
	left  struct{ Same string }
	right struct{ Same string }
	self  struct {
		*Self
		A int
	}
	Self  struct{ *self2 }
	self2 struct{ B int }
	Loop  struct {
		*Loop
		A int
	}
)

type wrong struct {
	B      int `db:"x,y"`
	C      int `db:""`
	D      int `db:"-"`
	E      int `reads:"a"`
	h      int `db:"h"`
	I      int `desc:"hidden" json:"-"`
	J      int `json:"k"`
	K      int
	Absent serializer.Computed
	Args   serializer.Computed
	Void   serializer.Computed
	Three  serializer.Computed
	Fails  serializer.Computed
	Reads  serializer.Computed `reads:"nothing"`
	Blank  serializer.Computed `reads:"k,"`
	Column serializer.Computed `db:"x"`
	left   `desc:"x"`
	right
	time.Time
	i int `db:"i" json:"-"`
	L int `db:"l,m" json:"-"`
}

func (wrong) ComputeArgs(int) int               { return 0 }
func (wrong) ComputeVoid()                      {}
func (wrong) ComputeThree() (int, int, error)   { return 0, 0, nil }
func (wrong) ComputeFails() error               { return nil }
func (wrong) ComputeReads() int                 { return 0 }
func (wrong) ComputeBlank() int                 { return 0 }
func (w wrong) ComputeColumn() (n int, e error) { return w.h + w.i, nil }

func TestForMistakes(t *testing.T) {
	t.Parallel()
	s := serializer.For[wrong]()
	fields, err := s.Fields()
	if err == nil || fields != nil {
		t.Fatalf("fields %v, error %v", fields, err)
	}
	want := []string{
		`wrong.B: the tag db:"x,y" is not one column`,
		`wrong.C: the tag db:"" is not one column`,
		`wrong.D: the tag db:"-" leaves no column to show; hide the field with json:"-"`,
		`wrong.E: no effect on a column: the tag reads`,
		`wrong.h: no effect on an unexported field: the tag db`,
		`wrong.I: no effect on a field that is not shown: the tag desc`,
		`wrong.Blank: the tag reads:"k," names an empty column`,
		`wrong.Column: no effect on a computed member: the tag db`,
		`wrong.left: no effect on an embedded struct without a json name: the tag desc`,
		`wrong.Time: the embedded struct has no field to show; give it a json name to show it as one column`,
		`wrong.i: no effect on an unexported field: the tag db, json`,
		`wrong.L: the tag db:"l,m" is not one column`,
		`wrong.K: the public name "k" is that of wrong.J too`,
		`wrong.right.Same: the public name "same" is that of wrong.left.Same too`,
		`wrong.Absent: the method ComputeAbsent is missing: declare func (wrong) ComputeAbsent() V, or (V, error)`,
		`wrong.Args: the method ComputeArgs takes no argument and returns a value, or a value and an error`,
		`wrong.Void: the method ComputeVoid takes no argument and returns a value, or a value and an error`,
		`wrong.Three: the method ComputeThree takes no argument and returns a value, or a value and an error`,
		`wrong.Fails: the method ComputeFails takes no argument and returns a value, or a value and an error`,
		`wrong.Reads: the tag reads names "nothing", which is no column of wrong`,
	}
	if diff := cmp.Diff(want, strings.Split(err.Error(), "\n")); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if _, again := s.Compute(&scans{}, nil); again == nil {
		t.Error("Compute of a wrong struct gives no error")
	}
}

func TestForOtherTypes(t *testing.T) {
	t.Parallel()
	for want, s := range map[string]resource.Serializer{
		"serializer.For: int is not a struct type":                     serializer.For[int](),
		"serializer.For: *serializer_test.order is not a struct type":  serializer.For[*order](),
		"Loop.Loop: the struct embeds itself":                          serializer.For[Loop](),
		"self.Self.self2: an embedded pointer to an unexported struct": serializer.For[self](),
		"struct.A: the tag db:\"\" is not one column": serializer.For[struct {
			A int `db:""`
		}](),
	} {
		if _, err := s.Fields(); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}

// TestForDeepRivals: two deep names that collide are both hidden by one at a lesser depth.
func TestForDeepRivals(t *testing.T) {
	t.Parallel()
	type top struct {
		left
		right
		Same int `db:"mine"`
	}
	got, err := serializer.For[top]().Fields()
	if diff := cmp.Diff([]serializer.Field{{Name: "same", Column: "mine"}}, got); err != nil || diff != "" {
		t.Errorf("error %v, -want +got:\n%s", err, diff)
	}
}

func TestFields(t *testing.T) {
	t.Parallel()
	s := serializer.Fields(serializer.Field{Name: "total", Column: "total_amount", Requires: "money"}, serializer.Field{Name: "id"})
	got, err := s.Fields()
	if err != nil {
		t.Fatal(err)
	}
	want := []serializer.Field{{Name: "total", Column: "total_amount", Requires: "money"}, {Name: "id", Column: "id"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	got[0].Name = "changed"
	if again, _ := s.Fields(); again[0].Name != "total" {
		t.Error("a caller can change the serializer")
	}
	if _, err := s.Compute(nil, []string{"total"}); err == nil {
		t.Error("Compute gives no error")
	}
	wrong := serializer.Fields(serializer.Field{Name: "a", Type: resource.Text}, serializer.Field{Name: "b", Reads: []string{"x"}})
	if _, err := wrong.Fields(); err == nil || strings.Count(err.Error(), "\n") != 1 {
		t.Errorf("error %v, want one for each field", err)
	}
}
