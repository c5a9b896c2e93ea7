// Package told holds answers of list and get against what resource_schema tells of their rows, by a validator
// that nobody here wrote.
package told

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/schema"
)

// Check returns what is wrong with the rows of an answer to a call of list or get, and how many rows it looked
// at. A call that names fields is answered by fewer than the schema has, and is not looked at.
func Check(x *executors.Executor, p *auth.Principal, arguments, answer []byte) (rows int, err error) {
	var asked struct {
		Resource string
		Fields   any
	}
	if json.Unmarshal(arguments, &asked) != nil || asked.Fields != nil {
		return 0, nil // sent in a form that only the tools read
	}
	var doc struct {
		Row  map[string]json.RawMessage
		Rows []map[string]json.RawMessage
	}
	if err := json.Unmarshal(answer, &doc); err != nil {
		return 0, err
	}
	if doc.Row != nil {
		doc.Rows = append(doc.Rows, doc.Row)
	}
	if len(doc.Rows) == 0 {
		return 0, nil
	}
	view, err := x.RowSchema(p, asked.Resource)
	if err != nil {
		return 0, err
	}
	foreign, err := compile(view)
	if err != nil {
		return 0, err
	}
	for _, row := range doc.Rows {
		if err := keeps(view, foreign, row); err != nil {
			return rows, fmt.Errorf("%s: %w", asked.Resource, err)
		}
		rows++
	}
	return rows, nil
}

// compiled keeps the schemas of views, which callers who see the same share.
var compiled sync.Map

func compile(view *schema.View) (*jsonschema.Schema, error) {
	if s, ok := compiled.Load(view); ok {
		return s.(*jsonschema.Schema), nil
	}
	s, err := compileOnce(view)
	if err == nil {
		compiled.Store(view, s)
	}
	return s, err
}

func compileOnce(view *schema.View) (*jsonschema.Schema, error) {
	text, err := view.JSON(context.Background(), schema.Full, nil)
	if err != nil {
		return nil, err
	}
	parsed, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	c.AssertContent()
	if err := c.AddResource("row.json", parsed); err != nil {
		return nil, err
	}
	return c.Compile("row.json")
}

// keeps holds the fields of one row against both: the foreign reading of the schema and our own.
func keeps(view *schema.View, foreign *jsonschema.Schema, row map[string]json.RawMessage) error {
	delete(row, "links")
	delete(row, "included")
	text, err := json.Marshal(row)
	if err != nil {
		return err
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return err
	}
	if err := foreign.Validate(value); err != nil {
		return fmt.Errorf("%s: %w", text, err)
	}
	_, err = view.Project(json.RawMessage(text))
	return err
}
