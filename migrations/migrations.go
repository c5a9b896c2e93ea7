// Package migrations brings a PostgreSQL database to the state that tenantry expects, with golang-migrate
// and embedded SQL files.
//
//	err := migrations.Up(ctx, "postgres://owner@db/acme", migrations.Framework)
//
// There are two sets. Framework holds what the library itself uses: the schema tenantry, the role
// tenantry_reader, and the procedure tenantry.protect that puts row security on a table. Example holds a small
// shop to try the library on. Each keeps its version in a table of its own, so that a host which
// migrates with golang-migrate too finds its schema_migrations untouched.
//
// A failed file is never repaired by guessing: see [DirtyError].
package migrations

import (
	"embed"
	"io/fs"

	"github.com/golang-migrate/migrate/v4/source"
)

//go:embed framework/*.sql
var framework embed.FS

//go:embed example/*.sql
var example embed.FS

// Set is a series of migrations that is applied together and counted in one version table.
// A host may run files of its own through this package with a Set of its own.
type Set struct {
	// Name tells the set from others in messages.
	Name string

	// Files holds NNNN_title.up.sql and NNNN_title.down.sql at its root.
	Files fs.FS

	// Table is the name of the version table, without a schema: it stands in the first schema of the
	// user's search path. No two sets of a database share one.
	Table string
}

// Framework is what the library needs in a database whose row security it relies on: the schema tenantry,
// the role tenantry_reader, which is left as it is where it exists, and the policy template.
var Framework = Set{Name: "framework", Files: sub(framework, "framework"), Table: "tenantry_migrations"}

// Example is the schema of a small shop: tenants, customers, orders and their lines, protected by the policy
// template. It needs Framework, and creates its tables beside the version table.
var Example = Set{Name: "example", Files: sub(example, "example"), Table: "tenantry_example_migrations"}

// file is the name of the file that brings the version about, or empty.
func (s Set) file(version uint) string { return s.files()[version] }

// files maps the versions of the set to the names of their files.
func (s Set) files() map[uint]string {
	files := map[uint]string{}
	names, _ := fs.Glob(s.Files, "*.up.sql") // only a bad pattern is an error
	for _, name := range names {
		if m, err := source.DefaultParse(name); err == nil {
			files[m.Version] = name
		}
	}
	return files
}

// sub panics on a name that is not embedded, which only a change to this file can bring about.
func sub(files embed.FS, dir string) fs.FS {
	set, err := fs.Sub(files, dir)
	if err != nil {
		panic(err)
	}
	return set
}
