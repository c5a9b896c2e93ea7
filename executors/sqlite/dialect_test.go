package sqlite_test

import (
	"testing"

	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/executors/sqlite"
	"github.com/tenantry/tenantry/filtering"
	"github.com/tenantry/tenantry/resource"
)

var (
	_ executors.DB      = (*sqlite.DB)(nil)
	_ executors.Dialect = sqlite.Dialect{}
)

// TestIsTrue agrees with what SQLite takes for true.
func TestIsTrue(t *testing.T) {
	t.Parallel()
	db := open(t, "CREATE TABLE empty (id INTEGER)")
	for _, literal := range []string{"0", "1", "2", "-1", "0.0", "0.5", "1e999", "'true'", "'t'", "'f'", "''", "'inf'", "'nan'"} {
		got := rows(t, db, "SELECT "+literal+", CASE WHEN "+literal+" THEN 1 ELSE 0 END")[0]
		if truth := (sqlite.Dialect{}).IsTrue([]byte(got[0])); truth != (got[1] == "1") {
			t.Errorf("IsTrue(%s) is %v", got[0], truth)
		}
	}
}

// TestQuote takes a name back exactly.
func TestQuote(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"plain", `a"b`, "a.b", "sel?ect", "ü", "'"} {
		db := open(t, "CREATE TABLE "+sqlite.Dialect{}.Quote(name)+" ("+sqlite.Dialect{}.Quote(name)+" TEXT)")
		if got := describe(t, db, name).Columns[0].Name; got != name {
			t.Errorf("%q became %q", name, got)
		}
	}
}

// TestDigestAndSize agree on text with NUL and bytes that are no text.
func TestDigestAndSize(t *testing.T) {
	t.Parallel()
	db := open(t, "CREATE TABLE empty (id INTEGER)")
	d := sqlite.Dialect{}
	for _, tt := range []struct{ literal, digest, size string }{
		{"''", "d41d8cd98f00b204e9800998ecf8427e", "0"},
		{"'abc'", "900150983cd24fb0d6963f7d28e17f72", "3"},
		{"'ä' || char(0)", "4045dd8bfbe6bfd9c4e6775395c3039e", "3"},
		{"NULL", "NULL", "NULL"},
		{"x'616263'", "900150983cd24fb0d6963f7d28e17f72", "2147483647"},
	} {
		got := rows(t, db, "SELECT "+d.Digest(tt.literal)+", "+d.Size(tt.literal))[0]
		if got[0] != tt.digest || got[1] != tt.size {
			t.Errorf("%s: digest %s and size %s", tt.literal, got[0], got[1])
		}
	}
}

// TestUnknownOperator holds for no row.
func TestUnknownOperator(t *testing.T) {
	t.Parallel()
	db := open(t, "CREATE TABLE empty (id INTEGER)")
	c := filtering.Column{Expr: "'a'", Type: resource.Plain(resource.Text)}
	if got := rows(t, db, "SELECT "+sqlite.Dialect{}.Operator(c, resource.Overlaps)+" IS TRUE", "a"); got[0][0] != "0" {
		t.Errorf("got %v", got)
	}
}
