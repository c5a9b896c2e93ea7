package contract_test

import (
	"net/http"
	"strings"
	"testing"
)

// unheld are values that their column cannot hold, or that are no text at all, and where the refusal points.
var unheld = []struct{ tool, arguments, code, path string }{
	{"list", `"filter":{"ref":"xyz"}`, "invalid_filter", "/filter/ref"},
	{"list", `"filter":{"qty":99999999999999999999}`, "invalid_filter", "/filter/qty"},
	{"list", `"filter":{"qty":"abc"}`, "invalid_filter", "/filter/qty"},
	{"list", `"filter":{"qty":1.5}`, "invalid_filter", "/filter/qty"},
	{"list", `"filter":{"due":"2026-02-30"}`, "invalid_filter", "/filter/due"},
	{"list", `"filter":{"placed_at":"yesterday-ish"}`, "invalid_filter", "/filter/placed_at"},
	{"list", `"filter":{"note":"a\u0000b"}`, "invalid_filter", "/filter/note"},
	{"list", `"filter":{"note":"a\ud800b"}`, "invalid_filter", "/filter/note"},
	{"list", `"filter":{"note":["a","\udc00"]}`, "invalid_filter", "/filter/note/1"},
	{"list", `"filter":{"urgent":1}`, "invalid_filter", "/filter/urgent"},
	{"list", `"filter":{"note":true}`, "invalid_filter", "/filter/note"},
	{"list", `"filter":{"customer.email":"a\u0000b"}`, "invalid_filter", "/filter/customer.email"},
	{"list", `"filter":{"customer.id":"abc"}`, "invalid_filter", "/filter/customer.id"},
	{"list", `"filter":{"sku":"a\u0000b"}`, "invalid_filter", "/filter/sku"},
	{"list", `"filter":{"no\u0000te":"a"}`, "unknown_filter", "/filter/no\x00te"},
	{"list", `"filter":"{\"note\":\"a\ud800b\"}"`, "invalid_filter", "/filter"},
	{"list", `"filter":"{\"note\":\"a\\ud800b\"}"`, "invalid_filter", "/filter/note"},
	{"list", `"filter":"{\"note\":\"a\u0000b\"}"`, "invalid_filter", "/filter"},
	{"list", `"fields":"[\"id\",\"\ud800\"]"`, "invalid_argument", "/fields"},
	{"list", `"ids":"[\"1\",\"\ud800\"]"`, "invalid_argument", "/ids"},
	{"list", `"ids":["10\u0000"]`, "invalid_argument", "/ids/0"},
	{"list", `"ids":["10\ud800"]`, "invalid_argument", "/ids/0"},
	{"list", `"cursor":"a\u0000b"`, "invalid_cursor", "/cursor"},
	{"list", `"cursor":"a\ud800b"`, "invalid_cursor", "/cursor"},
	{"list", `"updated_since":"a\u0000b"`, "invalid_argument", "/updated_since"},
	{"get", `"id":"abc"`, "invalid_argument", "/id"},
	{"get", `"id":99999999999999999999`, "invalid_argument", "/id"},
	{"get", `"id":"1\u0000"`, "invalid_argument", "/id"},
	{"get", `"id":"1\ud800"`, "invalid_argument", "/id"},
}

// unheldTypes are those that need PostgreSQL's types.
var unheldTypes = []struct{ tool, arguments, code, path string }{
	{"list", `"filter":{"qty":3000000000}`, "invalid_filter", "/filter/qty"},
	{"list", `"filter":{"state":"payd"}`, "invalid_filter", "/filter/state"},
	{"list", `"filter":{"state":["paid","nope"]}`, "invalid_filter", "/filter/state/1"},
	{"list", `"filter":{"tags":{"op":"contains","value":["a\u0000b"]}}`, "invalid_filter", "/filter/tags/value/0"},
	{"list", `"filter":{"extra":{"op":"contains","value":{"a":"\u0000"}}}`, "invalid_filter", "/filter/extra/value/a"},
	{"list", `"filter":{"extra":{"op":"has_key","value":"\ud800"}}`, "invalid_filter", "/filter/extra/value"},
}

// A value that no column can hold is refused where it stands, and no statement is run for it.
func TestUnheldValuesRunNothing(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		db.exec(t, `INSERT INTO tenants (id, name) VALUES (1, 'one'), (2, 'two');`+twins)
		with, w := watched(settings{})
		s := db.serve(t, with, db.shop()...)
		refusals := unheld
		if db.name == "postgres" {
			refusals = append(refusals[:len(refusals):len(refusals)], unheldTypes...)
		}
		w.take()
		for _, test := range refusals {
			e := s.call(t, keyOne, test.tool, `{"resource":"orders",`+test.arguments+`}`).refused(t)
			if e.Code != test.code || e.Path != test.path || e.Message == "" {
				t.Errorf("%s: %+v", test.arguments, e)
			}
			if calls, _, _ := w.take(); calls != 0 {
				t.Errorf("%s: %d calls went to the database", test.arguments, calls)
			}
		}
		if s.call(t, keyOne, "list", `"{\"resource\":\"orders\",\"filter\":{\"note\":\"a\ud800b\"}}"`).refused(t).Code != "invalid_argument" {
			t.Error("half of a pair in the text of all arguments")
		}
	})
}

// Bytes that are not UTF-8 make a body that is no JSON, wherever they stand in it.
func TestBytesThatAreNoText(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		db.exec(t, `INSERT INTO tenants (id, name) VALUES (1, 'one'), (2, 'two');`+twins)
		with, w := watched(settings{})
		s := db.serve(t, with, db.shop()...)
		w.take()
		for _, bad := range []string{"a\xffb", "\xc0\x80", "a\xed\xa0\x80b", "\xf5\x80\x80\x80", "\xe2\x82"} {
			for _, arguments := range []string{
				`{"resource":"orders","filter":{"note":"` + bad + `"}}`, `{"resource":"orders","filter":{"` + bad + `":"a"}}`, `{"resource":"orders","ids":["` + bad + `"]}`,
				`{"resource":"orders","cursor":"` + bad + `"}`, `{"resource":"orders","filter":"{\"note\":\"` + bad + `\"}"}`, `{"resource":"` + bad + `"}`,
			} {
				status, reply := s.post(t, keyOne, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":`+arguments+`}}`)
				if status != http.StatusBadRequest || !strings.Contains(string(reply), `"code":-32700`) || !strings.Contains(string(reply), "UTF-8") {
					t.Errorf("%q: HTTP %d %s", arguments, status, reply)
				}
			}
		}
		if calls, _, _ := w.take(); calls != 0 {
			t.Errorf("%d calls went to the database", calls)
		}
		if logs := s.logs.String(); strings.Contains(logs, `"level":"ERROR"`) {
			t.Errorf("the log takes it for a fault:\n%s", logs)
		}
	})
}
