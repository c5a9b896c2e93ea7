package sqlite_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/scope"
	"github.com/tenantry/tenantry/serializer"
)

// TestComputed hands a serializer what the columns hold.
func TestComputed(t *testing.T) {
	t.Parallel()
	db := open(t,
		"CREATE TABLE people (id INTEGER PRIMARY KEY, tenant_id INTEGER NOT NULL, name TEXT, born DATE, score DOUBLE)",
		"INSERT INTO people VALUES (1, 1, 'Ada', '1815-12-10', 1.5), (2, 1, NULL, NULL, NULL)")
	x := executor(t, db, resource.Spec{
		Name: "people", Table: "people", Scope: scope.Column("tenant_id"), Serializer: serializer.For[person](),
	})
	got := list(t, x, principal(t, one(t)), executors.ListRequest{Resource: "people"})
	want := []map[string]any{{"id": 1.0, "label": "Ada of 1815, 1.5"}, {"id": 2.0, "label": "nobody"}}
	if diff := cmp.Diff(want, got.Rows); diff != "" {
		t.Error(diff)
	}
}

type person struct {
	ID    int64               `json:"id"`
	Name  *string             `json:"-" db:"name"`
	Born  *time.Time          `json:"-" db:"born"`
	Score any                 `json:"-" db:"score"`
	Label serializer.Computed `json:"label" reads:"name,born,score"`
}

// ComputeLabel gives the member label.
func (p person) ComputeLabel() string {
	if p.Name == nil {
		return "nobody"
	}
	return fmt.Sprintf("%s of %d, %v", *p.Name, p.Born.Year(), p.Score)
}
