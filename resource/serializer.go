package resource

// Serializer says what a row looks like outside. serializer.Columns, serializer.Fields and
// serializer.For make one; a host may write its own. It is called when the registry is built and
// for computed members, and must be safe for concurrent use.
type Serializer interface {
	// Fields returns the public members in output order. An error stops the start.
	Fields() ([]Field, error)

	// Compute returns the values of the named computed members (those without a Column) of one row,
	// in the order asked; anything that encoding/json marshals. It is called once a row with the
	// computed members that the call selected, and not at all without one. An error or a panic costs
	// the call and is never shown.
	Compute(row Row, names []string) ([]any, error)
}

// Row gives a computed member the columns it declared to read.
type Row interface {
	// Scan stores the column in dest, a pointer, by the rules of the database driver. Only columns in
	// the member's Reads are there. NULL needs a pointer to a pointer or a type that takes it.
	Scan(column string, dest any) error
}

// Field is one public member of a row.
type Field struct {
	// Name is the public name. Required.
	Name string

	// Column is the column shown. Empty for a computed member.
	Column string

	// Description is shown by resource_schema.
	Description string

	// Requires is the permission scope that shows the field; without it the field does not exist for
	// the caller. Empty: whoever may read the resource.
	Requires string

	// Type of a computed member, for resource_schema. A column's type comes from the database.
	Type Kind

	// Reads lists the columns a computed member reads. It inherits the permission scopes of every
	// field that shows one of them.
	Reads []string
}

// Computed reports whether the member is computed rather than a column.
func (f Field) Computed() bool { return f.Column == "" }
