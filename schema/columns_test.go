package schema_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/schema"
)

// What a column is for somebody who inserts a row.
func TestColumnsOfAnInput(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		column schema.Column
		want   string
	}{
		{"smallint", schema.Column{Type: "smallint"}, `{"type":"integer","minimum":-32768,"maximum":32767}`},
		{"integer", schema.Column{Type: "integer"}, `{"type":"integer","minimum":-2147483648,"maximum":2147483647}`},
		{"a bigint that is a key", schema.Column{Type: "bigint", Key: true}, `{"type":"string","pattern":"^-?[0-9]+$"}`},
		{"real", schema.Column{Type: "real"}, `{"type":"number"}`},
		{"double", schema.Column{Type: "double"}, `{"type":"number"}`},
		{"boolean", schema.Column{Type: "boolean"}, `{"type":"boolean"}`},
		{"numeric(8,2)", schema.Column{Type: "numeric", Precision: 8, Scale: 2}, `{"type":"string","pattern":"^-?[0-9]+(\\.[0-9]{1,2})?$"}`},
		{"text", schema.Column{Type: "text"}, `{"type":"string"}`},
		{"varchar(7)", schema.Column{Type: "varchar", Length: 7}, `{"type":"string","maxLength":7}`},
		{"uuid", schema.Column{Type: "uuid"}, `{"type":"string","format":"uuid"}`},
		{"date", schema.Column{Type: "date"}, `{"type":"string","format":"date"}`},
		{"timestamptz", schema.Column{Type: "timestamptz"}, `{"type":"string","format":"date-time"}`},
		{"bytea", schema.Column{Type: "bytea"}, `{"type":"string","contentEncoding":"base64"}`},
		{"jsonb", schema.Column{Type: "jsonb"}, `{}`},
		{"an enum", schema.Column{Type: "enum", Enum: []string{"b", "a"}}, `{"type":"string","enum":["b","a"]}`},
		{"an array", schema.Column{Type: "integer", Array: true}, `{"type":"array","items":{"type":"integer","minimum":-2147483648,"maximum":2147483647}}`},
		{"nullable", schema.Column{Type: "text", Nullable: true, Description: "D"}, `{"type":["string","null"],"description":"D"}`},
		{"a nullable enum", schema.Column{Type: "enum", Enum: []string{"a"}, Nullable: true}, `{"type":["string","null"],"enum":["a",null]}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tt.column.Name = "c"
			p, err := schema.FromColumns("t", []schema.Column{tt.column}, schema.Input)
			if err != nil {
				t.Fatal(err)
			}
			text := emitted(t, viewOf(t, p))
			same(t, tt.want, keyword(t, text, "properties", "c"))
			if required := keyword(t, text, "required") != ""; required == tt.column.Nullable {
				t.Errorf("required: %t", required)
			}
			referenceTo(t, text)
		})
	}
}

// people is a table with a column of each sort.
func people() []schema.Column {
	return []schema.Column{
		{Name: "id", Type: "bigint", Key: true, ReadOnly: true},
		{Name: "tenant_id", Type: "uuid", ReadOnly: true},
		{Name: "name", Column: "full_name", Type: "text"},
		{Name: "note", Type: "text", Nullable: true},
		{Name: "level", Type: "integer", Default: true},
		{Name: "salary", Type: "numeric", Precision: 10, Scale: 2, Nullable: true, Gates: []schema.Gate{{Pred: "requires", Arg: "pay"}}},
	}
}

func columnsView(t *testing.T, d schema.Direction, allowed []string, opts ...schema.Option) *schema.View {
	t.Helper()
	p, err := schema.FromColumns("people", people(), d, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return viewOf(t, p, allowed...)
}

func TestColumnsByDirection(t *testing.T) {
	t.Parallel()
	pay := []string{"requires(pay)"}
	tests := []struct {
		name           string
		view           *schema.View
		members, needs string
		columns        []string
	}{
		{"an insertion", columnsView(t, schema.Input, nil), `[name note level]`, `["name"]`, []string{"full_name", "note", "level"}},
		{"an update", columnsView(t, schema.Input, nil, schema.Updates()), `[name note level]`, ``, []string{"full_name", "note", "level"}},
		{"an insertion with the gate", columnsView(t, schema.Input, pay), `[name note level salary]`, `["name"]`, []string{"full_name", "note", "level", "salary"}},
		{"an output", columnsView(t, schema.Output, nil), `[id tenant_id name note level]`, `["id","tenant_id","name","note","level"]`, []string{"id", "tenant_id", "full_name", "note", "level"}},
		{"an output with the gate", columnsView(t, schema.Output, pay), `[id tenant_id name note level salary]`, `["id","tenant_id","name","note","level","salary"]`, []string{"id", "tenant_id", "full_name", "note", "level", "salary"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			text := emitted(t, tt.view)
			same(t, tt.members, fmt.Sprint(keys(t, keyword(t, text, "properties"))))
			same(t, tt.needs, keyword(t, text, "required"))
			same(t, `false`, keyword(t, text, "additionalProperties"))
			if diff := cmp.Diff(tt.columns, tt.view.Columns()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestRowsThatComeIn(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, body string
		opts       []schema.Option
		want       []string
	}{
		{"an insertion", `{"name":"n"}`, nil, []string{}},
		{"without a required column", `{}`, nil, []string{"missing /name"}},
		{"an update of nothing", `{}`, []schema.Option{schema.Updates()}, []string{}},
		{"nulls", `{"name":null,"note":null,"level":null}`, nil, []string{"null /name", "null /level"}},
		{"nulls of an update", `{"name":null,"note":null}`, []schema.Option{schema.Updates()}, []string{"null /name"}},
		{"columns that the database fills in", `{"name":"n","id":"1","tenant_id":"x"}`, nil, []string{"unknown /id", "unknown /tenant_id"}},
		{"a hidden column", `{"name":"n","salary":"1.00"}`, nil, []string{"unknown /salary"}},
		{"a column by its name in the database", `{"full_name":"n"}`, []schema.Option{schema.Updates()}, []string{"unknown /full_name"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			wantCodes[map[string]any](t, columnsView(t, schema.Input, nil, tt.opts...), tt.body, tt.want...)
		})
	}
}

func TestRowsKeepExactNumbers(t *testing.T) {
	t.Parallel()
	p, err := schema.FromColumns("t", []schema.Column{{Name: "n", Type: "bigint"}, {Name: "j", Type: "jsonb"}}, schema.Input)
	if err != nil {
		t.Fatal(err)
	}
	got := decoded[map[string]any](t, viewOf(t, p), `{"n":9007199254740993,"j":{"x":9007199254740993}}`)
	raw, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	same(t, `{"j":{"x":9007199254740993},"n":9007199254740993}`, string(raw))
}

func TestRowsThatGoOut(t *testing.T) {
	t.Parallel()
	row := map[string]any{"id": 1, "tenant_id": "123e4567-e89b-12d3-a456-426614174000", "name": "n", "note": nil, "level": 3, "salary": "9.00"}
	shown, err := columnsView(t, schema.Output, nil).Project(row)
	if err != nil {
		t.Fatal(err)
	}
	same(t, `{"id":1,"tenant_id":"123e4567-e89b-12d3-a456-426614174000","name":"n","note":null,"level":3}`, string(shown))
	row["level"] = nil
	if raw, err := columnsView(t, schema.Output, nil).Project(row); err == nil || raw != nil {
		t.Errorf("a null where none is declared: %s, %v", raw, err)
	}
}

func TestColumnsThatContradictThemselves(t *testing.T) {
	t.Parallel()
	for name, cols := range map[string][]schema.Column{
		"a name twice":             {{Name: "a", Type: "text"}, {Name: "a", Type: "text"}},
		"no name":                  {{Type: "text"}},
		"a gate on what must come": {{Name: "a", Type: "text", Gates: []schema.Gate{{Pred: "may", Arg: "a"}}}},
	} {
		if _, err := schema.FromColumns("t", cols, schema.Input); err == nil {
			t.Errorf("%s was built", name)
		}
	}
}
