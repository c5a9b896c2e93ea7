package executors

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/tenantry/tenantry/resource"
)

// RowsOf decodes the rows of an answer of List into structs by their json tags, and passes an error on. It is
// one page, of 25 rows unless Limit says otherwise: see AllRows and Answer.More. Exact numbers are text in an
// answer and a json.Number takes either form; a bigint that may be beyond 2^53 is decoded into one.
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
// as `json:"sum:total"`; without a group_by there is one group, and what is made of no rows is null. There are
// 25 groups at most unless Limit says otherwise, and Answer.More tells of further ones.
func GroupsOf[T any](a *Answer, err error) ([]T, error) {
	doc, err := decoded[struct{ Groups []T }](a, err)
	return doc.Groups, err
}

// AllRows reads every row of a listing, page by page, and decodes them as RowsOf does. List is the method of a
// Reader or, with a caller of its own, of an Executor. More than most rows, and a row with a value that was too
// long for a page, are errors that an agent can be shown: a part of the rows would be a wrong answer.
//
//	orders, err := executors.AllRows[Order](ctx, c.Reader().List, req, 1000)
func AllRows[T any](ctx context.Context, list func(context.Context, ListRequest) (*Answer, error), req ListRequest, most int) ([]T, error) {
	if req.Limit == nil {
		req.Limit = &most // a page has at most what its resource allows
	}
	var out []T
	for {
		a, err := list(ctx, req)
		doc, err := decoded[struct {
			Rows []T
			Meta struct {
				Next string   `json:"next_cursor"`
				Cut  []string `json:"cut_fields"`
			}
		}](a, err)
		if err != nil {
			return nil, err
		}
		out = append(out, doc.Rows...)
		switch {
		case len(doc.Meta.Cut) > 0:
			return nil, resource.Errorf(resource.LimitExceeded, "", "a row holds a value that is too long to be read here")
		case len(out) > most || len(out) == most && a.More:
			return nil, resource.Errorf(resource.LimitExceeded, "", "there are more than %d rows to look at: ask for fewer", most)
		case !a.More:
			return out, nil
		}
		req.Cursor, req.Offset = doc.Meta.Next, 0
	}
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
