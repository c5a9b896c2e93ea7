package executors

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// RowsOf decodes the rows of an answer of List into structs by their json tags, and passes an error on. Exact
// numbers are text in an answer and a json.Number takes either form; a bigint that may be beyond 2^53 is
// decoded into one.
//
//	orders, err := executors.RowsOf[Order](c.Reader().List(ctx, req))
func RowsOf[T any](a *Answer, err error) ([]T, error) {
	doc, err := decoded[struct{ Rows []T }](a, err)
	return doc.Rows, err
}

// RowOf is RowsOf for the row of an answer of Get.
func RowOf[T any](a *Answer, err error) (T, error) {
	doc, err := decoded[struct{ Row T }](a, err)
	return doc.Row, err
}

// GroupsOf is RowsOf for the groups of an answer of Aggregate. Members are named as they were asked for, such
// as `json:"sum:total"`; without a group_by there is one group, and what is made of no rows is null.
func GroupsOf[T any](a *Answer, err error) ([]T, error) {
	doc, err := decoded[struct{ Groups []T }](a, err)
	return doc.Groups, err
}

func decoded[T any](a *Answer, err error) (out T, _ error) {
	if err != nil {
		return out, err
	}
	d := json.NewDecoder(bytes.NewReader(a.JSON))
	d.UseNumber()
	if err := d.Decode(&out); err != nil {
		return out, fmt.Errorf("executors: %w", err)
	}
	return out, nil
}
