package sqlite_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/scope"
	"github.com/tenantry/tenantry/serializer"
)

// things is a resource over a table of one column v of the declared type, whose rows have the literals as
// values, in order.
func things(t *testing.T, declared string, literals ...string) *executors.Executor {
	t.Helper()
	statements := []string{"CREATE TABLE things (id INTEGER PRIMARY KEY, tenant_id INTEGER NOT NULL, v " + declared + ")"}
	for i, l := range literals {
		statements = append(statements, fmt.Sprintf("INSERT INTO things VALUES (%d, 1, %s)", i+1, l))
	}
	db := open(t, statements...)
	c, _ := describe(t, db, "things").Column("v")
	spec := resource.Spec{
		Name: "things", Table: "things", Scope: scope.Column("tenant_id"), Serializer: serializer.Columns("id", "v"),
	}
	if c.Type.Operators() != nil {
		spec.Filterable = resource.Columns{"v": "v"}
	}
	if c.Type.Sortable() {
		spec.Sortable = []string{"v"}
	}
	return executor(t, db, spec)
}

// TestValues reads every type, and finds what it showed.
func TestValues(t *testing.T) {
	t.Parallel()
	const hostile = `'a"\b' || char(10) || '</script>?$1--'`
	for _, tt := range []struct {
		declared, literal, want string
		unfindable              bool // its type cannot be filtered, or the value is not of it
	}{
		{declared: "INTEGER", literal: "0", want: "0"},
		{declared: "INT", literal: "-7", want: "-7"},
		{declared: "SMALLINT", literal: "9007199254740991", want: "9007199254740991"},
		{declared: "BIGINT", literal: "9007199254740993", want: `"9007199254740993"`},
		{declared: "BIGINT", literal: "-9223372036854775808", want: `"-9223372036854775808"`},
		{declared: "INT UNSIGNED", literal: "9223372036854775807", want: `"9223372036854775807"`},
		{declared: "INTEGER", literal: "NULL", want: "null"},
		{declared: "INTEGER", literal: "1.5", want: `"1.5"`, unfindable: true},
		{declared: "INTEGER", literal: "'twelve'", want: `"twelve"`, unfindable: true},
		{declared: "INTEGER", literal: "x'00ff'", want: `"\\x00ff"`, unfindable: true},

		{declared: "REAL", literal: "1", want: "1"},
		{declared: "DOUBLE PRECISION", literal: "0.1", want: "0.1"},
		{declared: "FLOAT", literal: "1e300", want: "1e+300"},
		{declared: "DOUBLE", literal: "5e-324", want: "5e-324"},
		{declared: "REAL", literal: "1e999", want: `"Infinity"`},
		{declared: "REAL", literal: "-1e999", want: `"-Infinity"`},
		{declared: "REAL", literal: "1e999 - 1e999", want: "null"},
		{declared: "NUMERIC", literal: "19.90", want: "19.9"},
		{declared: "DECIMAL(10, 2)", literal: "9007199254740992", want: "9007199254740992"},
		{declared: "NUMERIC", literal: "9007199254740993", want: `"9007199254740993"`, unfindable: true},
		{declared: "NUMERIC", literal: "'NaN'", want: `"NaN"`},
		{declared: "NUMERIC", literal: "'1_000'", want: `"1_000"`, unfindable: true},

		{declared: "BOOLEAN", literal: "true", want: "true"},
		{declared: "BOOL", literal: "0", want: "false"},
		{declared: "BOOLEAN", literal: "2", want: `"2"`, unfindable: true},
		{declared: "BOOLEAN", literal: "'true'", want: `"true"`, unfindable: true},
		{declared: "BOOLEAN", literal: "'t'", want: `"t"`, unfindable: true},

		{declared: "TEXT", literal: "''", want: `""`},
		{declared: "TEXT", literal: "12", want: `"12"`},
		{declared: "CLOB", literal: hostile, want: `"a\"\\b\n</script>?$1--"`},
		{declared: "VARCHAR(3)", literal: "'longer than three'", want: `"longer than three"`},
		{declared: "TEXT", literal: `'\x00ff'`, want: `"\\x00ff"`},
		{declared: "TEXT", literal: "'a' || char(0) || 'b'", want: `"a\u0000b"`, unfindable: true},
		{declared: "TEXT", literal: "CAST(x'61ff62' AS TEXT)", want: `"a` + "\uFFFD" + `b"`, unfindable: true},
		{declared: "TEXT", literal: "x'00ff'", want: `"\\x00ff"`, unfindable: true},
		{declared: "CHAR(4)", literal: "'ab  '", want: `"ab"`},
		{declared: "CHAR(2)", literal: "' a'", want: `" a"`},
		{declared: "CITEXT", literal: "'ÄÖ'", want: `"ÄÖ"`},

		{declared: "UUID", literal: "'6f1f2c9e-3b1a-4f0e-9a52-1f7f4c0d2b11'", want: `"6f1f2c9e-3b1a-4f0e-9a52-1f7f4c0d2b11"`},
		{declared: "UUID", literal: "'6F1F2C9E-3B1A-4F0E-9A52-1F7F4C0D2B11'", want: `"6f1f2c9e-3b1a-4f0e-9a52-1f7f4c0d2b11"`},
		{declared: "UUID", literal: "x'6f1f'", want: `"\\x6f1f"`, unfindable: true},

		{declared: "DATE", literal: "'2026-07-01'", want: `"2026-07-01"`},
		{declared: "DATE", literal: "'infinity'", want: `"infinity"`},
		{declared: "DATE", literal: "20260701", want: `"20260701"`, unfindable: true},
		{declared: "TIMESTAMP", literal: "'2026-07-01T09:30:00.123456'", want: `"2026-07-01T09:30:00.123456"`},
		{declared: "DATETIME", literal: "'-infinity'", want: `"-infinity"`},
		{declared: "TIMESTAMPTZ", literal: "'2026-07-01T09:30:00.000000Z'", want: `"2026-07-01T09:30:00.000000Z"`},
		{declared: "TIMESTAMP", literal: "'2026-07-01 09:30:00'", want: `"2026-07-01 09:30:00"`, unfindable: true},
		{declared: "TIMESTAMPTZ", literal: "1782898200", want: `"1782898200"`, unfindable: true},

		{declared: "BLOB", literal: "x'00ff10'", want: `"AP8Q"`, unfindable: true},
		{declared: "BLOB", literal: "x''", want: `""`, unfindable: true},
		{declared: "BLOB", literal: "'text'", want: `"text"`, unfindable: true},
		{declared: "JSON", literal: `'{"a": [1, 1.10, "<b>"]}'`, want: `{"a": [1, 1.10, "<b>"]}`, unfindable: true},
		{declared: "JSONB", literal: `'{"a": '`, want: `"{\"a\": "`, unfindable: true},
		{declared: "JSON", literal: "12", want: "12", unfindable: true},
		{declared: "JSON", literal: "1e999", want: `"Infinity"`, unfindable: true},
		{declared: "JSON", literal: "jsonb('[1]')", want: `"\\x2b1331"`, unfindable: true},
		{declared: "XML", literal: "'<a/>'", want: `"<a/>"`, unfindable: true},

		{declared: "INTERVAL", literal: "'1 day'", want: `"1 day"`},
		{declared: "MONEY", literal: "0.1", want: `"0.1"`},
		{declared: "", literal: "12", want: `"12"`},
		{declared: "", literal: "x'61'", want: `"a"`},
		{declared: "STRING", literal: "1e3", want: `"1000"`},
	} {
		t.Run(tt.declared+" "+tt.literal, func(t *testing.T) {
			t.Parallel()
			x := things(t, tt.declared, tt.literal)
			req := executors.ListRequest{Resource: "things"}
			answer, err := x.List(t.Context(), principal(t, one(t)), req)
			if err != nil {
				t.Fatal(cause(err))
			}
			before, _, _ := strings.Cut(string(answer.JSON), `],"meta"`)
			want := `{"resource":"things","rows":[{"id":1,"v":` + tt.want + `}`
			if diff := cmp.Diff(want, before); diff != "" || !json.Valid(answer.JSON) {
				t.Fatalf("valid: %v (-want +got):\n%s", json.Valid(answer.JSON), diff)
			}
			if tt.unfindable {
				return
			}
			req.Filter = json.RawMessage(`{"v":` + tt.want + `}`)
			if got := list(t, x, principal(t, one(t)), req); len(got.Rows) != 1 {
				t.Errorf("the value shown was not found by eq")
			}
			req.Filter = json.RawMessage(`{"v":{"op":"not_eq","value":` + tt.want + `}}`)
			if got := list(t, x, principal(t, one(t)), req); len(got.Rows) != 0 {
				t.Errorf("the value shown was found by not_eq")
			}
		})
	}
}

// TestLongValues cuts what does not fit a page, and says so.
func TestLongValues(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, declared, literal, want string }{
		{"text", "TEXT", "printf('%.*c', 100000, 'x')", `"xxxx`},
		{"text behind a NUL", "TEXT", "char(0) || printf('%.*c', 100000, 'x')", `"\u0000xx`},
		{"wide characters", "VARCHAR(9)", "replace(printf('%.*c', 40000, 'x'), 'x', 'ä')", `"ää`},
		{"a blob in a text column", "TEXT", "zeroblob(100000)", `"\\x0000`},
		{"printed", "INTERVAL", "printf('%.*c', 100000, 'x')", `"xxxx`},
		{"blob", "BLOB", "zeroblob(100000)", "null"},
		{"document", "JSON", `'["' || printf('%.*c', 100000, 'x') || '"]'`, "null"},
		{"a text in an integer column", "INTEGER", "printf('%.*c', 100000, 'x')", "null"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			x := things(t, tt.declared, tt.literal, "NULL")
			answer, err := x.List(t.Context(), principal(t, one(t)), executors.ListRequest{Resource: "things"})
			if err != nil {
				t.Fatal(cause(err))
			}
			start := `{"resource":"things","rows":[{"id":1,"v":` + tt.want
			if !strings.HasPrefix(string(answer.JSON), start) || !json.Valid(answer.JSON) {
				t.Errorf("got %.80s", answer.JSON)
			}
			if !strings.Contains(string(answer.JSON), `"cut_fields":["v"]`) || len(answer.JSON) > 64<<10 {
				t.Errorf("%d bytes end in %s", len(answer.JSON), answer.JSON[max(0, len(answer.JSON)-100):])
			}
		})
	}
}
