package serializer_test

import (
	"fmt"

	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/serializer"
)

func ExampleColumns() {
	fields, err := serializer.Columns("id", "number").Fields()
	fmt.Println(fields[0].Name, fields[1].Column, err)
	// Output: id number <nil>
}

func ExampleFields() {
	fields, err := serializer.Fields(
		serializer.Field{Name: "id"},
		serializer.Field{Name: "total", Column: "total_amount", Requires: "orders:money"},
	).Fields()
	fmt.Println(fields[0].Column, fields[1].Column, fields[1].Requires, err)
	// Output: id total_amount orders:money <nil>
}

type Invoice struct {
	ID     int64               `json:"id"`
	Total  string              `db:"total_amount" desc:"With tax." json:"total"`
	Status *string             `json:"status"`
	Open   serializer.Computed `json:"open" reads:"status"`
}

func (i Invoice) ComputeOpen() bool { return i.Status != nil && *i.Status == "draft" }

func ExampleFor() {
	fields, err := serializer.For[Invoice]().Fields()
	for _, f := range fields {
		fmt.Printf("%s: column %q, type %q, reads %q\n", f.Name, f.Column, f.Type, f.Reads)
	}
	fmt.Println(err)
	// Output:
	// id: column "id", type "", reads []
	// total: column "total_amount", type "", reads []
	// status: column "status", type "", reads []
	// open: column "", type "boolean", reads ["status"]
	// <nil>
}

func ExampleSelect() {
	m := serializer.Members{
		Fields: []resource.Field{{Name: "id"}, {Name: "number"}, {Name: "total"}},
		Links:  []string{"customer"},
	}
	s, err := serializer.Select(m, []string{"total", "id", "customer"})
	fmt.Println(s.Fields, s.Links, err)
	_, err = serializer.Select(m, []string{"totals"})
	fmt.Println(err)
	// Output:
	// [0 2] [0] <nil>
	// unknown_field: "totals" is not a field or relation of this resource; send names from allowed, or leave fields out to get all
}

func ExampleTextWriter() {
	w := serializer.TextWriter(resource.ArrayOf(resource.Plain(resource.Text)))
	fmt.Println(string(w(nil, []byte(`{"a,b",NULL,"NULL"}`))))
	// Output: ["a,b",null,"NULL"]
}

func ExampleBinaryWriter() {
	w, ok := serializer.BinaryWriter(resource.Plain(resource.BigInt))
	fmt.Println(string(w(nil, []byte{0, 0x20, 0, 0, 0, 0, 0, 1})), ok)
	// Output: "9007199254740993" true
}

func ExampleEncoder() {
	bigint, text := resource.Plain(resource.BigInt), resource.Plain(resource.Text)
	e := serializer.NewEncoder(
		[]serializer.Member{
			{Name: "id", Column: 0, Write: serializer.TextWriter(bigint), Type: bigint},
			{Name: "note", Column: 1, Write: serializer.TextWriter(text), Type: text},
		},
		[]serializer.Link{{Name: "customer", Columns: []int{2}, Writers: []serializer.Writer{serializer.TextWriter(bigint)}}},
		true,
	)
	row := [][]byte{[]byte("7"), []byte("a rather long note"), nil}
	out, err := e.Append(nil, row, nil, 0)
	fmt.Println(string(out), err)
	out, cut, err := e.AppendCut(nil, row, nil, 50)
	fmt.Println(string(out), cut, err)
	// Output:
	// {"id":7,"note":"a rather long note","links":{"customer":null}} <nil>
	// {"id":7,"note":"a rath","links":{"customer":null}} [note] <nil>
}
