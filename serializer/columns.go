// Package serializer says what the rows of a resource look like outside: which members they have
// ([Columns], [Fields], [For]), which of them one call asked for ([Select]), and how each value becomes
// JSON ([Encoder], [Writer]).
//
//	type Order struct {
//		ID     int64   `json:"id" desc:"Number of the order."`
//		Total  string  `json:"total" db:"total_amount" requires:"orders:money"`
//		Status *string `json:"status"`
//		Open   serializer.Computed `json:"open" reads:"status"`
//	}
//
//	func (o Order) ComputeOpen() bool { return o.Status != nil && *o.Status == "draft" }
//
//	spec.Serializer = serializer.For[Order]()                  // or, for columns as they are:
//	spec.Serializer = serializer.Columns("id", "total_amount", "status")
//
// It builds no SQL and knows no protocol.
package serializer

import (
	"errors"
	"fmt"

	"github.com/tenantry/tenantry/resource"
)

// Field is one public member of a row.
type Field = resource.Field

// Columns shows the named columns under their own names, in that order. The serializer is immutable
// and safe for concurrent use.
func Columns(names ...string) resource.Serializer {
	fields := make(columns, len(names))
	for i, name := range names {
		fields[i] = Field{Name: name, Column: name}
	}
	return fields
}

// Fields is the long form of [Columns]: public names, descriptions and permission scopes of their own. A
// field without Column shows the column of its own name. Computed members need [For] or a serializer
// of the host's own, so Type and Reads stay empty. The serializer is immutable and safe for concurrent
// use.
func Fields(fields ...Field) resource.Serializer {
	shown := make(columns, len(fields))
	for i, f := range fields {
		if f.Column == "" {
			f.Column = f.Name
		}
		shown[i] = f
	}
	return shown
}

type columns []Field

// Fields returns the fields in declared order.
func (c columns) Fields() ([]Field, error) {
	var errs []error
	for _, f := range c {
		if f.Type != "" || len(f.Reads) > 0 {
			errs = append(errs, fmt.Errorf("field %q: Type and Reads are for computed members; "+
				"declare those with serializer.For or a serializer of your own", f.Name))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return append([]Field(nil), c...), nil
}

// Compute fails: columns are never computed.
func (c columns) Compute(_ resource.Row, names []string) ([]any, error) {
	return nil, fmt.Errorf("serializer: no computed member among %q", names)
}
