package contract_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// included is what the tests read of embedded rows.
type included struct {
	Customer *struct{ ID int }
	Items    struct {
		Rows []struct {
			ID  int
			SKU *string
		}
		HasMore bool `json:"has_more"`
	}
}

// text is a text of n bytes, on both databases.
func (db *database) text(n int) string {
	if db.name == "postgres" {
		return fmt.Sprintf("repeat('x', %d)", n)
	}
	return fmt.Sprintf("replace(hex(zeroblob(%d)), '00', 'x')", n)
}

const pageBytes = 64 << 10

// A page with embedded rows keeps the budget too: whole rows with all that is related to them, and a cursor.
func TestIncludedRowsKeepTheBudget(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		db.related(t)
		db.exec(t, `INSERT INTO clients (id, tenant_id, email) VALUES (1, 1, `+db.text(900)+`)`)
		db.exec(t, `INSERT INTO purchases (id, tenant_id, bill_to, note) `+numbered("60", "SELECT i, 1, 1, 'n' FROM s"))
		db.exec(t, `INSERT INTO items (id, tenant_id, purchase_id, sku) `+numbered("180", "SELECT i, 1, (i + 2) / 3, "+db.text(700)+" FROM s"))
		s := db.serve(t, settings{}, relatedSpecs()...)
		var ids []string
		cursor, pages := "", 0
		for {
			a := s.call(t, keyOne, "list", fmt.Sprintf(
				`{"resource":"purchases","limit":100,"sort":["note"],"include":["customer","items"],"count":"exact","cursor":%q}`, cursor))
			p := a.page(t)
			if pages++; len(a.body) > pageBytes || pages > 30 || *p.Meta.TotalCount != 60 {
				t.Fatalf("page %d has %d bytes", pages, len(a.body))
			}
			for _, row := range p.Rows {
				var got included
				if err := json.Unmarshal(row["included"], &got); err != nil {
					t.Fatal(err)
				}
				if got.Customer == nil || len(got.Items.Rows) != 3 || got.Items.HasMore {
					t.Errorf("row %s: %+v", row["id"], got)
				}
			}
			ids = append(ids, p.ids()...)
			if cursor = p.Meta.NextCursor; cursor == "" {
				break
			}
			if len(a.body) < pageBytes*3/4 || !p.Meta.Truncated {
				t.Errorf("page %d ends early, at %d bytes", pages, len(a.body))
			}
		}
		var want []string
		for i := range 60 {
			want = append(want, fmt.Sprint(i+1))
		}
		if diff := cmp.Diff(want, ids); diff != "" {
			t.Errorf("the walk (-want +got):\n%s", diff)
		}
	})
}

// One row with more around it than a page holds is answered with what fits.
func TestOneRowWithMoreThanFits(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		db.related(t)
		db.exec(t, `INSERT INTO clients (id, tenant_id, email) VALUES (1, 1, `+db.text(900_000)+`), (2, 1, `+db.text(15_000)+`)`)
		db.exec(t, `INSERT INTO purchases (id, tenant_id, bill_to, note) VALUES (1, 1, 1, 'a'), (2, 1, NULL, 'b'), (3, 1, 2, `+db.text(60_000)+`), (4, 1, 2, `+db.text(1_000_000)+`)`)
		db.exec(t, `INSERT INTO items (id, tenant_id, purchase_id, sku) `+numbered("40", "SELECT i, 1, 2, "+db.text(9_000)+" FROM s WHERE i <= 20"))
		s := db.serve(t, settings{}, relatedSpecs()...)
		for _, tt := range []struct {
			name, arguments string
			cut             []string
			items           int
			more            bool
		}{
			{"an embedded row with a long value", `"id":1`, []string{"customer.email"}, 0, false},
			{"too many embedded rows", `"id":2`, nil, 7, true},
			{"no room for an embedded row", `"id":3`, []string{"customer"}, 0, false},
			{"no room in the row itself", `"id":4`, []string{"note", "customer"}, 0, false},
		} {
			a := s.call(t, keyOne, "get", `{"resource":"purchases",`+tt.arguments+`,"include":["customer","items"]}`)
			var doc struct {
				Row struct{ Included included }
				Cut []string `json:"cut_fields"`
			}
			if err := json.Unmarshal(a.body, &doc); err != nil || a.isError || len(a.body) > pageBytes {
				t.Fatalf("%s: %d bytes: %v", tt.name, len(a.body), err)
			}
			if diff := cmp.Diff(tt.cut, doc.Cut); diff != "" {
				t.Errorf("%s: cut_fields (-want +got):\n%s", tt.name, diff)
			}
			if got := doc.Row.Included; len(got.Items.Rows) != tt.items || got.Items.HasMore != tt.more {
				t.Errorf("%s: %d items, %v", tt.name, len(got.Items.Rows), got.Items.HasMore)
			}
			list := s.call(t, keyOne, "list", `{"resource":"purchases","ids":[`+strings.TrimPrefix(tt.arguments, `"id":`)+`],"include":["customer","items"]}`)
			if p := list.page(t); len(list.body) > pageBytes || len(p.Rows) != 1 || p.Meta.HasMore {
				t.Errorf("%s: list has %d bytes and %d rows", tt.name, len(list.body), len(p.Rows))
			} else if diff := cmp.Diff(tt.cut, p.Meta.CutFields); diff != "" {
				t.Errorf("%s: list cut_fields (-want +got):\n%s", tt.name, diff)
			}
		}
	})
}
