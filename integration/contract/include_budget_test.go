package contract_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
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
		db.exec(t, `INSERT INTO purchases (id, tenant_id, bill_to, note) VALUES (1, 1, 1, 'a'), (2, 1, NULL, 'b'), (3, 1, 2, `+db.text(60_000)+`), (4, 1, 2, `+db.text(1_000_000)+`), (5, 1, 2, 'c'), (6, 1, NULL, 'd')`)
		db.exec(t, `INSERT INTO items (id, tenant_id, purchase_id, sku) VALUES (100, 1, 6, `+db.text(900_000)+`), (101, 1, 6, `+db.text(60_000)+`)`)
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
			{"an embedded row beside a long value", `"id":3`, []string{"note"}, 0, false},
			{"an embedded row beside a value longer than a page", `"id":4`, []string{"note"}, 0, false},
			{"an embedded row that fits", `"id":5`, nil, 0, false},
			{"one embedded row of many, longer than a page", `"id":6`, []string{"items.sku"}, 1, true},
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

// However long the related rows are, a row that is not the first of its page has all of them, whole, and a first
// row that has not is alone and says so.
func TestRowsKeepAllThatIsRelated(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		const parents, children = 40, 160
		db.related(t)
		rnd := rand.New(rand.NewPCG(7, 7))
		type row struct{ email, items, sizes int }
		want := make([]row, parents+1)
		var rows strings.Builder
		for id := 1; id <= parents; id++ {
			want[id].email = []int{0, 10, 9_000, 30_000, 70_000}[rnd.IntN(5)]
			fmt.Fprintf(&rows, `INSERT INTO clients (id, tenant_id, email) VALUES (%d, 1, %s); INSERT INTO purchases (id, tenant_id, bill_to) VALUES (%d, 1, %d);`,
				id, db.text(want[id].email), id, id)
		}
		for id := 1; id <= children; id++ {
			size, parent := []int{1, 500, 13_000, 25_000, 90_000}[rnd.IntN(5)], 1+rnd.IntN(parents)
			want[parent].items, want[parent].sizes = want[parent].items+1, want[parent].sizes+size
			fmt.Fprintf(&rows, `INSERT INTO items (id, tenant_id, purchase_id, sku) VALUES (%d, 1, %d, %s);`, id, parent, db.text(size))
		}
		db.exec(t, rows.String())
		s := db.serve(t, settings{}, relatedSpecs()...)
		cursor, seen := "", 0
		for range parents + 1 {
			a := s.call(t, keyOne, "list", fmt.Sprintf(`{"resource":"purchases","limit":100,"include":["customer","items"],"cursor":%q}`, cursor))
			p := a.page(t)
			if len(a.body) > pageBytes {
				t.Fatalf("%d bytes", len(a.body))
			}
			for i, r := range p.Rows {
				var got struct {
					Customer struct{ Email string }
					Items    struct {
						Rows    []struct{ SKU string }
						HasMore bool `json:"has_more"`
					}
				}
				if err := json.Unmarshal(r["included"], &got); err != nil {
					t.Fatal(err)
				}
				sizes := 0
				for _, item := range got.Items.Rows {
					sizes += len(item.SKU)
				}
				seen++
				w := want[seen]
				whole := len(got.Customer.Email) == w.email && len(got.Items.Rows) == w.items && sizes == w.sizes && !got.Items.HasMore
				told := len(p.Rows) == 1 && i == 0 && (len(p.Meta.CutFields) > 0 || got.Items.HasMore)
				if whole == told || string(r["id"]) != fmt.Sprint(seen) {
					t.Errorf("row %s: email %d of %d, items %d of %d with %d of %d bytes, more %v, %+v", r["id"],
						len(got.Customer.Email), w.email, len(got.Items.Rows), w.items, sizes, w.sizes, got.Items.HasMore, p.Meta)
				}
			}
			if cursor = p.Meta.NextCursor; cursor == "" {
				break
			}
		}
		if seen != parents {
			t.Errorf("walked over %d of %d", seen, parents)
		}
	})
}
