package schema_test

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/tenantry/tenantry/schema"
)

var columnTypes = []string{
	"smallint", "integer", "bigint", "numeric", "real", "double", "boolean", "text", "varchar", "char", "citext", "uuid", "date", "timestamptz", "timestamp",
	"bytea", "json", "jsonb", "enum", "inet",
}

func columnsOf(r *rand.Rand) []schema.Column {
	cols := make([]schema.Column, 1+r.IntN(6))
	for i := range cols {
		c := schema.Column{
			Name: "c" + strconv.Itoa(i), Type: pick(r, columnTypes), Enum: []string{"a", "b"}, Length: r.IntN(4), Precision: r.IntN(2) * 8, Scale: r.IntN(3),
			Array: r.IntN(5) == 0, Nullable: r.IntN(2) == 0, Default: r.IntN(3) == 0, Key: r.IntN(4) == 0, ReadOnly: r.IntN(6) == 0,
		}
		if c.Nullable && r.IntN(3) == 0 {
			c.Gates = []schema.Gate{{Pred: "requires", Arg: "admin"}}
		}
		cols[i] = c
	}
	return cols
}

// Rows that come in are decoded just if the schema accepts them, and rows that go out are projected just if
// it does.
func TestRowsAgreeWithTheSchema(t *testing.T) {
	t.Parallel()
	for number := range *planCount {
		r := rand.New(rand.NewPCG(*firstPlan+number, 6))
		cols := columnsOf(r)
		in, err := schema.FromColumns("t", cols, schema.Input)
		if err != nil {
			t.Fatalf("-oracle=%d: %v", *firstPlan+number, err)
		}
		out, err := schema.FromColumns("t", cols, schema.Output)
		if err != nil {
			t.Fatalf("-oracle=%d: %v", *firstPlan+number, err)
		}
		tr := trial{Rand: r, number: *firstPlan + number}
		tr.rows(t, viewOf(t, in, tr.some(in)...), func(v *schema.View, raw string) error {
			return v.Decode(t.Context(), []byte(raw), &map[string]any{}, nil)
		})
		tr.rows(t, viewOf(t, out, every(out)...), func(v *schema.View, raw string) error {
			_, err := v.Project(json.RawMessage(raw))
			return err
		})
	}
}

func (tr trial) rows(t *testing.T, v *schema.View, took func(v *schema.View, raw string) error) {
	t.Helper()
	text := emitted(t, v)
	ref := referenceTo(t, text)
	for i := range 6 {
		raw := authorOf(t, tr.Rand, text, 3*i).document()
		err, refuses := took(v, raw), ref.refuses(t, raw)
		switch {
		case err == nil && refuses != nil:
			t.Errorf("-oracle=%d: taken although the schema refuses\n%s\n%s\n%v", tr.number, raw, text, refuses)
		case err != nil && refuses == nil && !malformed(raw, err):
			t.Errorf("-oracle=%d: refused although the schema accepts\n%s\n%s\n%v", tr.number, raw, text, err)
		}
	}
}

// malformed reports whether a refusal says what JSON Schema does not know of a document.
func malformed(raw string, err error) bool {
	if errs, ok := errors.AsType[schema.Errors](err); ok {
		return excused(raw, errs)
	}
	return beyondJSON.MatchString(raw) // an error of Project
}
