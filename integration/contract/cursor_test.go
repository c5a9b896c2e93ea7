package contract_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/serializer"
)

// ring is a key ring of cursors.
func ring(keys ...string) settings {
	s := settings{}
	for _, k := range keys {
		s.executor.CursorKeys = append(s.executor.CursorKeys, []byte(strings.Repeat(k, 16)))
	}
	return s
}

// pageAfter is the list arguments of a page behind a cursor.
func pageAfter(t *testing.T, cursor, rest string) string {
	t.Helper()
	return `{"resource":"orders","limit":1,"cursor":` + jsonOf(t, cursor) + rest + `}`
}

// crossed are cursors that are what they were, and calls they do not belong to.
var crossed = []struct{ name, key, arguments string }{
	{"another tenant", keyTwo, `,"sort":["note"]`},
	{"another subject", keyOneLow, `,"sort":["note"]`},
	{"another resource", keyOne, `,"resource":"customers","sort":["email"]`},
	{"no sort", keyOne, ``},
	{"the other direction", keyOne, `,"sort":["-note"]`},
	{"another sort", keyOne, `,"sort":["total"]`},
	{"the key the other way", keyOne, `,"sort":["note","-id"]`},
	{"a filter", keyOne, `,"sort":["note"],"filter":{"qty":1}`},
	{"ids", keyOne, `,"sort":["note"],"ids":[10,11]`},
	{"updated_since", keyOne, `,"sort":["note"],"updated_since":"2026-07-01"`},
}

// Whatever is wrong with a cursor, the answer is one and the same, and shows nothing.
func TestBadCursors(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		with, w := watched(ring("a"))
		db.exec(t, `INSERT INTO tenants (id, name) VALUES (1, 'one'), (2, 'two');`+twins)
		s := db.serve(t, with, db.shop()...)
		cursor := s.call(t, keyOne, "list", `{"resource":"orders","sort":["note"],"limit":1}`).page(t).Meta.NextCursor
		refusal := s.call(t, keyOne, "list", pageAfter(t, "x", `,"sort":["note"]`))
		if e := refusal.refused(t); e.Code != "invalid_cursor" || e.Path != "/cursor" || !strings.Contains(e.Message, "start again without cursor") {
			t.Errorf("the refusal: %+v", e)
		}
		w.take()
		for _, bad := range damaged(t, cursor) {
			if a := s.call(t, keyOne, "list", pageAfter(t, bad, `,"sort":["note"]`)); string(a.body) != string(refusal.body) {
				t.Errorf("%.80q: %s", bad, a.body)
			}
		}
		for _, test := range crossed {
			arguments := pageAfter(t, cursor, test.arguments)
			if strings.Contains(test.arguments, `"resource"`) {
				arguments = strings.Replace(arguments, `"resource":"orders",`, "", 1)
			}
			if a := s.call(t, test.key, "list", arguments); string(a.body) != string(refusal.body) {
				t.Errorf("%s: %s", test.name, a.body)
			}
		}
		if calls, _, _ := w.take(); calls != 0 {
			t.Errorf("%d calls went to the database", calls)
		}
		if got := s.call(t, keyOne, "list", pageAfter(t, cursor, `,"sort":["note"]`)).page(t).ids(); !cmp.Equal([]string{"12"}, got) {
			t.Errorf("the cursor itself leads to %s", got)
		}
		empty := s.call(t, keyOne, "list", pageAfter(t, "", `,"sort":["note"]`)).page(t).ids()
		if diff := cmp.Diff([]string{"10"}, empty); diff != "" {
			t.Errorf("an empty cursor is none (-want +got):\n%s", diff)
		}
	})
}

// damaged are texts near a cursor and far from it.
func damaged(t *testing.T, cursor string) []string {
	t.Helper()
	out := []string{
		"!!!!", cursor + "!", cursor + "A", cursor + "=", cursor + "\n", cursor + " ", " " + cursor, cursor[:len(cursor)-1], cursor[1:], cursor + cursor,
		cursor[:len(cursor)/2], "AA", "null", "0", "é", "\u0000", strings.Repeat("A", 100_000), cursor[:8] + "\n" + cursor[8:], cursor[:8] + "\r" + cursor[8:],
	}
	for _, plain := range []string{"[]", `{"v":[1,2,3]}`, "[" + strings.Repeat("1,", 20_000) + "1]", "\x01", "\x01\x00"} {
		out = append(out, base64.RawURLEncoding.EncodeToString([]byte(plain)), base64.StdEncoding.EncodeToString([]byte(plain)))
	}
	raw, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil {
		t.Fatal(err)
	}
	for i := range raw {
		raw[i] ^= 1 << (i % 8)
		out = append(out, base64.RawURLEncoding.EncodeToString(raw))
		raw[i] ^= 1 << (i % 8)
	}
	for i := range cursor {
		out = append(out, respelt(cursor, i))
	}
	return out
}

// respelt is a cursor with another character in a place. The last one of some lengths has bits that mean nothing,
// and this changes such a bit.
func respelt(cursor string, i int) string {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	return cursor[:i] + string(alphabet[strings.IndexByte(alphabet, cursor[i])^1]) + cursor[i+1:]
}

// Strict base64url: no cursor has a second spelling, whatever its length.
func TestCursorsHaveOneSpelling(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		db.exec(t, `INSERT INTO tenants (id, name) VALUES (1, 'one'); INSERT INTO orders (id, tenant_id, note) VALUES (1, 1, 'a'), (2, 1, 'ab'), (3, 1, 'abc'), (4, 1, 'abcd');`)
		s := db.serve(t, settings{}, db.shop()...)
		lengths, cursor := map[int]bool{}, ""
		for range 3 {
			cursor = s.call(t, keyOne, "list", pageAfter(t, cursor, `,"sort":["note"]`)).page(t).Meta.NextCursor
			lengths[len(cursor)%4] = true
			if a := s.call(t, keyOne, "list", pageAfter(t, respelt(cursor, len(cursor)-1), `,"sort":["note"]`)); !a.isError {
				t.Errorf("a cursor of %d characters has another spelling: %s", len(cursor), a.body)
			}
		}
		if len(lengths) != 3 {
			t.Errorf("the cursors are not of all lengths: %v", lengths)
		}
	})
}

// The ring of keys and older builds: a cursor lives as long as its key is known and its resource is what
// it was. How it ages is tested where the clock can be turned, in executors.
func TestCursorsAcrossServers(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		db.exec(t, `INSERT INTO tenants (id, name) VALUES (1, 'one'), (2, 'two');`+twins)
		cursor := db.serve(t, ring("a"), db.shop()...).call(t, keyOne, "list", `{"resource":"orders","limit":1}`).page(t).Meta.NextCursor
		older := db.shop()
		older[0].Serializer = serializer.Columns("id", "note")
		older[0].Sortable = []string{"id", "note"}
		var refusal string
		for _, test := range []struct {
			name   string
			server *server
			good   bool
		}{
			{"the same keys", db.serve(t, ring("a"), db.shop()...), true},
			{"a newer key", db.serve(t, ring("b", "a"), db.shop()...), true},
			{"another key", db.serve(t, ring("b"), db.shop()...), false},
			{"a key of its own", db.serve(t, settings{}, db.shop()...), false},
			{"a resource that has changed", db.serve(t, ring("a"), older...), false},
			{"another maximum", db.serve(t, settings{executor: executors.Options{CursorKeys: ring("a").executor.CursorKeys, MaxLimit: 7}}, db.shop()...), true},
		} {
			a := test.server.call(t, keyOne, "list", pageAfter(t, cursor, ""))
			switch {
			case test.good && (a.isError || !cmp.Equal([]string{"11"}, a.page(t).ids())):
				t.Errorf("%s: %s", test.name, a.body)
			case !test.good && (!a.isError || refusal != "" && string(a.body) != refusal):
				t.Errorf("%s: %s, and before %s", test.name, a.body, refusal)
			case !test.good:
				refusal = string(a.body)
			}
		}
	})
}

// What a page shows may change from one page to the next.
func TestCursorsLeaveTheView(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		s := db.start(t, twins)
		cursor := s.call(t, keyOne, "list", `{"resource":"orders","limit":1,"filter":{"qty":[1,2,null]}}`).page(t).Meta.NextCursor
		for _, rest := range []string{`"limit":100`, `"fields":["id","note"]`, `"count":"exact"`, `"count":"capped","fields":["id"],"limit":2`, `"offset":0`} {
			p := s.call(t, keyOne, "list", `{"resource":"orders","filter":{"qty":[1,2,null]},"cursor":"`+cursor+`",`+rest+`}`).page(t)
			if diff := cmp.Diff([]string{"11", "12"}, p.ids()); diff != "" {
				t.Errorf("%s (-want +got):\n%s", rest, diff)
			}
		}
	})
}
