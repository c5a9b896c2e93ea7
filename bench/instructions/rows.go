package main

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/executors/postgres"
	"github.com/tenantry/tenantry/resource"
)

// account is the caller, to whom all rows belong.
const account = 4711

// recorded is a database whose answer to every statement are the same rows, in the formats of PostgreSQL.
type recorded struct{ rows [][][]byte }

// Dialect is that of PostgreSQL.
func (recorded) Dialect() executors.Dialect { return postgres.Dialect{} }

// Describe knows the tables.
func (recorded) Describe(_ context.Context, names []executors.TableName) (map[executors.TableName]*executors.Table, error) {
	out := map[executors.TableName]*executors.Table{}
	for _, n := range names {
		t := &executors.Table{Name: n, Quoted: `"public"."` + n.Name + `"`, Columns: columns, Key: []string{"id"}}
		if n.Name == others {
			t.Columns = []executors.Column{columns[0], column("owner_id", resource.BigInt, "int8", 20, true)}
		}
		out[n] = t
	}
	return out, nil
}

// Audit finds nothing.
func (recorded) Audit(context.Context, []executors.Audited) ([]executors.Finding, error) {
	return nil, nil
}

// Run hands out the rows, cut to what the statement selects: the witness comes last. A trial of the start selects
// other columns, and gets no rows.
func (db recorded) Run(_ context.Context, call *executors.Call) error {
	for _, s := range call.Statements {
		n := len(s.Binary)
		if n < len(columns) || n > len(columns)+1 {
			continue
		}
		for _, values := range db.rows {
			err := s.Row(values[:n])
			if errors.Is(err, executors.ErrStop) {
				break
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// Scan is for computed members, of which there are none.
func (recorded) Scan(executors.Column, []byte, bool, any) error { return errors.ErrUnsupported }

// Ping finds the database well.
func (recorded) Ping(context.Context) error { return nil }

// Close has nothing to close.
func (recorded) Close() {}

// columns are those of the widgets that times are measured on.
var columns = []executors.Column{
	column("id", resource.BigInt, "int8", 20, true),
	column("account_id", resource.BigInt, "int8", 20, true),
	column("name", resource.Text, "text", 25, false),
	column("status", resource.Text, "text", 25, false),
	column("price", resource.Numeric, "numeric", 1700, true),
	column("active", resource.Boolean, "bool", 16, true),
	{Name: "tags", Type: resource.ArrayOf(resource.Plain(resource.Text)), Native: `"pg_catalog"."_text"`, OID: 1009, Long: true},
	column("settings", resource.JSONB, "jsonb", 3802, false),
	column("created_at", resource.TimestampTZ, "timestamptz", 1184, true),
	column("updated_at", resource.TimestampTZ, "timestamptz", 1184, true),
}

func column(name string, kind resource.Kind, native string, oid uint32, bin bool) executors.Column {
	return executors.Column{
		Name: name, Type: resource.Plain(kind), Native: `"pg_catalog"."` + native + `"`, OID: oid, Binary: bin,
		Long: kind == resource.Text || kind == resource.JSONB, MaxBytes: map[resource.Kind]int{resource.Numeric: 15}[kind],
	}
}

// recording makes rows as the server sends them, each with the witness behind it.
func recording(n int) (out [][][]byte) {
	micros := time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC).Sub(time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)).Microseconds()
	for i := range n {
		created := big(micros + int64(i)*37123457)
		out = append(out, [][]byte{
			big(int64(i) + 1_000_000), big(account), fmt.Appendf(nil, "Widget number %d of the catalogue", i), []byte("active"),
			price(i),
			{byte(i % 2)},
			[]byte(`{red,size-7}`), []byte(`{"color": "blue", "width": 130, "options": ["a", 3]}`),
			created, created, fmt.Append(nil, account),
		})
	}
	return out
}

func big(n int64) []byte { return binary.BigEndian.AppendUint64(nil, uint64(n)) }

// price is a binary numeric: two groups of four digits, the weight of the first, the sign, two digits shown.
func price(i int) []byte {
	var out []byte
	for _, v := range []int{2, 0, 0, 2, 100 + i, 1200} {
		out = binary.BigEndian.AppendUint16(out, uint16(v))
	}
	return out
}
