package sqlite_test

import (
	"database/sql"
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/resource"
)

type status string

// TestScan converts as database/sql does.
func TestScan(t *testing.T) {
	t.Parallel()
	db := open(t, "CREATE TABLE t (id INTEGER)")
	day, at := time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC), time.Date(2026, 7, 1, 9, 30, 0, 123456000, time.UTC)
	null := ([]byte)(nil)
	for _, tt := range []struct {
		name string
		kind resource.Kind
		raw  []byte
		dest any // a pointer
		want any // what it points to; nil when it must be refused
	}{
		{"int64", resource.BigInt, []byte("9007199254740993"), new(int64), int64(9007199254740993)},
		{"int8", resource.BigInt, []byte("-128"), new(int8), int8(-128)},
		{"int8 too small", resource.BigInt, []byte("300"), new(int8), nil},
		{"uint", resource.BigInt, []byte("7"), new(uint), uint(7)},
		{"negative uint", resource.BigInt, []byte("-7"), new(uint), nil},
		{"integer into string", resource.BigInt, []byte("7"), new(string), "7"},
		{"integer into any", resource.BigInt, []byte("7"), new(any), any(int64(7))},
		{"integer into float", resource.BigInt, []byte("7"), new(float64), 7.0},
		{"text in an integer column", resource.BigInt, []byte("seven"), new(int64), nil},
		{"text in an integer column into any", resource.BigInt, []byte("seven"), new(any), any("seven")},
		{"double", resource.Double, []byte("1e+300"), new(float64), 1e300},
		{"double into any", resource.Double, []byte("3"), new(any), any(3.0)},
		{"boolean", resource.Boolean, []byte("1"), new(bool), true},
		{"boolean into any", resource.Boolean, []byte("0"), new(any), any(false)},
		{"two is no boolean", resource.Boolean, []byte("2"), new(bool), nil},
		{"text", resource.Text, []byte("ä\x00"), new(string), "ä\x00"},
		{"text into bytes", resource.Text, []byte("ä"), new([]byte), []byte("ä")},
		{"text into a type of its own", resource.Text, []byte("paid"), new(status), status("paid")},
		{"text into bool", resource.Text, []byte("true"), new(bool), true},
		{"text into a struct", resource.Text, []byte("a"), new(struct{}), nil},
		{"bytes", resource.Bytea, []byte(`\x00ff`), new([]byte), []byte{0, 255}},
		{"bytes into string", resource.Bytea, []byte(`\x6162`), new(string), "ab"},
		{"text in a blob column", resource.Bytea, []byte("ab"), new([]byte), []byte("ab")},
		{"document", resource.JSON, []byte(`{"a":1}`), new(json.RawMessage), json.RawMessage(`{"a":1}`)},
		{"date", resource.Date, []byte("2026-07-01"), new(time.Time), day},
		{"timestamp", resource.Timestamp, []byte("2026-07-01T09:30:00.123456"), new(time.Time), at},
		{"timestamptz", resource.TimestampTZ, []byte("2026-07-01T09:30:00.123456Z"), new(time.Time), at},
		{"timestamptz into string", resource.TimestampTZ, []byte("2026-07-01T09:30:00.123456Z"), new(string), "2026-07-01T09:30:00.123456Z"},
		{"another form of a date", resource.Date, []byte("1.7.2026"), new(time.Time), nil},
		{"pointer", resource.BigInt, []byte("7"), new(*int), new(7)},
		{"scanner", resource.BigInt, []byte("7"), new(sql.NullInt64), sql.NullInt64{Int64: 7, Valid: true}},
		{"generic scanner", resource.Date, []byte("2026-07-01"), new(sql.Null[time.Time]), sql.Null[time.Time]{V: day, Valid: true}},
		{"pointer to a scanner", resource.Text, []byte("a"), new(*sql.NullString), &sql.NullString{String: "a", Valid: true}},
		{"scanner that refuses", resource.Text, []byte("a"), new(*sql.NullInt64), nil},
		{"NULL into a pointer", resource.BigInt, null, new(*int), (*int)(nil)},
		{"NULL into any", resource.BigInt, null, new(any), any(nil)},
		{"NULL into bytes", resource.Bytea, null, new([]byte), []byte(nil)},
		{"NULL into a scanner", resource.Text, null, new(sql.NullString), sql.NullString{}},
		{"NULL into an int", resource.BigInt, null, new(int), nil},
		{"NULL into a string", resource.Text, null, new(string), nil},
	} {
		err := db.Scan(executors.Column{Name: "v", Type: resource.Plain(tt.kind)}, tt.raw, false, tt.dest)
		refused := tt.want == nil && tt.name != "NULL into any"
		if (err != nil) != refused {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if err == nil {
			if diff := cmp.Diff(tt.want, reflect.ValueOf(tt.dest).Elem().Interface()); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tt.name, diff)
			}
		}
	}
	for _, dest := range []any{nil, 7, (*int)(nil)} {
		if err := db.Scan(executors.Column{Type: resource.Plain(resource.BigInt)}, []byte("7"), false, dest); err == nil {
			t.Errorf("a value went into %T", dest)
		}
	}
}
