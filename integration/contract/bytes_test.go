package contract_test

import (
	"encoding/json"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/executors"
)

// budget is the default byte budget of an answer's JSON.
const budget = 64 << 10

// heavy fills orders: 1 to 100 have notes of a megabyte, 150 one of thirty, 201 to 300 documents of ten
// kilobytes, and 400 to 409 are light.
func heavy(db *database) string {
	note, long, document := "repeat('nö✓', 125000)", "repeat('x', 30000000)", `('{"text":"' || repeat('d', 10000) || '"}')::jsonb`
	if db.name == "sqlite" {
		note, long = "replace(hex(zeroblob(62500)), '00', 'nö✓nö')", "replace(hex(zeroblob(15000000)), '0', 'x')"
		document = `'{"text":"' || replace(hex(zeroblob(5000)), '0', 'd') || '"}'`
	}
	return `INSERT INTO tenants (id, name) VALUES (1, 'one');
		INSERT INTO orders (id, tenant_id, qty, note) ` + numbered("100", "SELECT i, 1, 1, "+note+" FROM s;") + `
		INSERT INTO orders (id, tenant_id, qty, note) VALUES (150, 1, 2, ` + long + `);
		INSERT INTO orders (id, tenant_id, qty, extra) ` + numbered("100", "SELECT 200 + i, 1, 3, "+document+" FROM s;") + `
		INSERT INTO orders (id, tenant_id, qty, note) ` + numbered("10", "SELECT 399 + i, 1, 4, 'light' FROM s;")
}

// within checks what holds of every answer, and returns it. What a machine answers that is busy with such rows
// says to send it again.
func (s *server) within(t *testing.T, tool, arguments string) answer {
	t.Helper()
	a := s.call(t, keyOne, tool, arguments)
	for n := 0; n < 10 && strings.Contains(string(a.body), "the server is busy"); n++ {
		a = s.call(t, keyOne, tool, arguments)
	}
	if a.isError || len(a.body) > budget || !json.Valid(a.body) || !utf8.Valid(a.body) {
		t.Fatalf("%s %s: %d bytes, %.300s", tool, arguments, len(a.body), a.body)
	}
	return a
}

// A page holds whole rows within its budget and says how to go on; one row too large is shortened, and
// says where. A walk delivers each row once. Little of what does not fit is fetched: of two rows so many characters as a page has bytes.
func TestByteBudget(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		db.exec(t, heavy(db))
		// A hundred megabytes are looked at, which a busy machine may take its time for.
		with, w := watched(settings{executor: executors.Options{StatementTimeout: time.Minute}})
		s := db.serve(t, with, db.shop()...)
		w.take()
		for _, test := range []struct {
			name, arguments  string
			returned, atMost int
			truncated        bool
			cut              []string
		}{
			{"notes of a megabyte", `"filter":{"qty":1}`, 1, 1, true, []string{"note"}},
			{"all fields but the note", `"filter":{"qty":1},"fields":["id","qty"],"limit":100`, 100, 100, false, nil},
			{"the note alone", `"filter":{"qty":1},"fields":["note"],"limit":100`, 1, 1, true, []string{"note"}},
			{"one note of thirty", `"filter":{"qty":2}`, 1, 1, false, []string{"note"}},
			{"documents", `"filter":{"qty":3},"limit":100`, 2, 6, true, nil},
			{"documents alone", `"filter":{"qty":3},"limit":100,"fields":["extra"]`, 2, 6, true, nil},
			{"light rows", `"filter":{"qty":4}`, 10, 10, false, nil},
			{"a heavy one behind light ones", `"filter":{"qty":[2,4]},"sort":["-id"]`, 10, 10, true, nil},
		} {
			p := s.within(t, "list", `{"resource":"orders",`+test.arguments+`}`).page(t)
			_, _, fetched := w.take()
			if n := p.Meta.Returned; n < test.returned || n > test.atMost || p.Meta.Truncated != test.truncated || !slices.Equal(p.Meta.CutFields, test.cut) {
				t.Errorf("%s: %+v", test.name, p.Meta)
			}
			if p.Meta.HasMore != test.truncated || fetched > 5*budget {
				t.Errorf("%s: %d bytes were fetched for %+v", test.name, fetched, p.Meta)
			}
		}
		for _, arguments := range []string{`{"resource":"orders","id":150}`, `{"resource":"orders","id":150,"fields":["note"]}`, `{"resource":"orders","id":1}`} {
			var doc struct {
				Row struct{ Note string }
				Cut []string `json:"cut_fields"`
			}
			a := s.within(t, "get", arguments)
			if err := json.Unmarshal(a.body, &doc); err != nil || !slices.Equal(doc.Cut, []string{"note"}) || len(doc.Row.Note) < budget/2 {
				t.Errorf("get %s: cut %q, a note of %d bytes (%v)", arguments, doc.Cut, len(doc.Row.Note), err)
			}
			if _, _, fetched := w.take(); fetched > 5*budget {
				t.Errorf("get %s: %d bytes were fetched", arguments, fetched)
			}
		}
		if a := s.within(t, "get", `{"resource":"orders","id":150,"fields":["id"]}`); strings.Contains(string(a.body), "cut_fields") {
			t.Errorf("nothing was cut: %s", a.body)
		}
		s.goesOn(t)
	})
}

// goesOn walks over all rows of heavy.
func (s *server) goesOn(t *testing.T) {
	t.Helper()
	want, got, cursor := []string{}, []string{}, ""
	for _, span := range [][2]int{{400, 409}, {201, 300}, {150, 150}, {1, 100}} {
		for id := span[1]; id >= span[0]; id-- {
			want = append(want, fmt.Sprint(id))
		}
	}
	for range len(want) + 1 {
		p := s.within(t, "list", fmt.Sprintf(`{"resource":"orders","limit":100,"sort":"-id","cursor":%q,"count":"exact"}`, cursor)).page(t)
		got = append(got, p.ids()...)
		if p.counted() != "211 exact" {
			t.Fatalf("behind %s rows: %+v", p.ids(), p.Meta)
		}
		if cursor = p.Meta.NextCursor; cursor == "" {
			break
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("walked (-want +got):\n%s", diff)
	}
}

// In parallel: fifty such calls fit into a bounded heap. Not parallel to other tests, for its sake.
func TestByteBudgetOfManyCalls(t *testing.T) {
	for name, start := range map[string]func(*testing.T) *database{"postgres": newPostgres, "sqlite": newSQLite} {
		t.Run(name, func(t *testing.T) {
			db := start(t)
			db.exec(t, heavy(db))
			s := db.serve(t, settings{}, db.shop()...)
			at := func() uint64 {
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				return m.HeapAlloc
			}
			runtime.GC()
			before, most, stop := at(), uint64(0), make(chan struct{})
			var sampler, clients sync.WaitGroup
			var served atomic.Int64
			sampler.Go(func() {
				ticker := time.NewTicker(10 * time.Millisecond)
				defer ticker.Stop()
				for {
					select {
					case <-stop:
						return
					case <-ticker.C:
						most = max(most, at())
					}
				}
			})
			for n := range 50 {
				clients.Go(func() {
					arguments := fmt.Sprintf(`{"resource":"orders","filter":{"qty":%d}}`, 1+n%3)
					switch a := s.call(t, keyOne, "list", arguments); {
					case !a.isError && len(a.body) <= budget:
						served.Add(1)
					case !a.isError || !strings.Contains(string(a.body), "busy"):
						t.Errorf("%s: %d bytes, %.300s", arguments, len(a.body), a.body)
					}
				})
			}
			clients.Wait()
			close(stop)
			sampler.Wait()
			if served.Load() < poolSize {
				t.Errorf("%d calls were served", served.Load())
			}
			if most > before+64<<20 {
				t.Errorf("the heap grew from %d to %d MB", before>>20, most>>20)
			}
		})
	}
}
