package contract_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/scope"
	"github.com/tenantry/tenantry/serializer"
)

// loosely are what clients send, and the strict form that means the same.
var loosely = []struct{ tool, loose, strict string }{
	{"list", `{"resource":"orders","limit":"2"}`, `{"resource":"orders","limit":2}`},
	{"list", `{"resource":"orders","limit":2.0}`, `{"resource":"orders","limit":2}`},
	{"list", `{"resource":"orders","limit":0.2e1,"offset":"1"}`, `{"resource":"orders","limit":2,"offset":1}`},
	{"list", `{"resource":"orders","filter":"{\"qty\":2}"}`, `{"resource":"orders","filter":{"qty":2}}`},
	{"list", `{"resource":"orders","filter":" { } "}`, `{"resource":"orders"}`},
	{"list", `{"resource":"orders","filter":{}}`, `{"resource":"orders"}`},
	{"list", `{"resource":"orders","fields":"id,total"}`, `{"resource":"orders","fields":["id","total"]}`},
	{"list", `{"resource":"orders","fields":" id , total ,"}`, `{"resource":"orders","fields":["id","total"]}`},
	{"list", `{"resource":"orders","fields":"[\"id\",\"total\"]"}`, `{"resource":"orders","fields":["id","total"]}`},
	{"list", `{"resource":"orders","fields":["id","id"]}`, `{"resource":"orders","fields":["id"]}`},
	{"list", `{"resource":"orders","sort":"-placed_at"}`, `{"resource":"orders","sort":["-placed_at"]}`},
	{"list", `{"resource":"orders","sort":"-qty,id"}`, `{"resource":"orders","sort":["-qty","id"]}`},
	{"list", `{"resource":"orders","sort":"[\"-qty\"]"}`, `{"resource":"orders","sort":["-qty"]}`},
	{"list", `{"resource":"orders","include":"customer"}`, `{"resource":"orders","include":["customer"]}`},
	{"list", `{"resource":"orders","include":"parent,customer"}`, `{"resource":"orders","include":["parent","customer"]}`},
	{"list", `{"resource":"orders","include":" customer , parent ,"}`, `{"resource":"orders","include":["customer","parent"]}`},
	{"list", `{"resource":"orders","include":"[\"parent\",\"customer\"]"}`, `{"resource":"orders","include":["parent","customer"]}`},
	{"list", `{"resource":"orders","include":" [ \"customer\" ] ","fields":"id, customer"}`, `{"resource":"orders","include":["customer"],"fields":["id","customer"]}`},
	{"list", `{"resource":"orders","include":"[]"}`, `{"resource":"orders"}`},
	{"get", `{"resource":"orders","id":10,"include":"customer, parent"}`, `{"resource":"orders","id":"10","include":["customer","parent"]}`},
	{"get", `"{\"resource\":\"orders\",\"id\":10,\"include\":\"[\\\"customer\\\"]\"}"`, `{"resource":"orders","id":"10","include":["customer"]}`},
	{"list", `{"resource":"orders","ids":"10,12"}`, `{"resource":"orders","ids":["10","12"]}`},
	{"list", `{"resource":"orders","ids":[10,12.0]}`, `{"resource":"orders","ids":["10","12"]}`},
	{"list", `{"resource":"orders","ids":"[1e1,\"12\"]"}`, `{"resource":"orders","ids":["10","12"]}`},
	{"list", `{"resource":"orders","fields":null,"sort":"","filter":{},"cursor":null,"limit":"","offset":null,"ids":null,"updated_since":"","count":null,"include":""}`, `{"resource":"orders"}`},
	{"list", `{"resource":"orders","fields":[],"sort":[],"include":[],"filter":null}`, `{"resource":"orders"}`},
	{"list", `{"resource":"orders","fields":"[]","sort":"[]"}`, `{"resource":"orders"}`},
	{"list", `"{\"resource\":\"orders\",\"limit\":\"2\"}"`, `{"resource":"orders","limit":2}`},
	{"list", `{"resource":"orders","filter":{"note":5}}`, `{"resource":"orders","filter":{"note":"5"}}`},
	{"list", `{"resource":"orders","filter":{"note":5.0}}`, `{"resource":"orders","filter":{"note":"5.0"}}`},
	{"list", `{"resource":"orders","filter":{"qty":"2","urgent":"true"}}`, `{"resource":"orders","filter":{"qty":2,"urgent":true}}`},
	{"get", `{"resource":"orders","id":10}`, `{"resource":"orders","id":"10"}`},
	{"get", `{"resource":"orders","id":10.0}`, `{"resource":"orders","id":"10"}`},
	{"get", `{"resource":"orders","id":1e1,"fields":null}`, `{"resource":"orders","id":"10"}`},
	{"get", `"{\"resource\":\"orders\",\"id\":10,\"fields\":\"id,total\"}"`, `{"resource":"orders","id":"10","fields":["id","total"]}`},
	{"resource_schema", `"{\"resource\":\"orders\"}"`, `{"resource":"orders"}`},
	{"resources", `null`, `{}`},
	{"resources", `""`, `{}`},
	{"resources", `"{}"`, `{}`},
}

// strictly are what is refused, with the code and the path of the refusal.
var strictly = []struct{ tool, arguments, code, path string }{
	{"resources", `[]`, "invalid_argument", ""},
	{"resources", `5`, "invalid_argument", ""},
	{"resources", `"[]"`, "invalid_argument", ""},
	{"resources", `{"resource":"orders"}`, "unknown_argument", "/resource"},
	{"resource_schema", `{"resource":5}`, "invalid_argument", "/resource"},
	{"resource_schema", `{}`, "invalid_argument", "/resource"},
	{"resource_schema", `{"resource":"orders","fields":"id"}`, "unknown_argument", "/fields"},
	{"get", `{"resource":"orders"}`, "invalid_argument", "/id"},
	{"get", `{"resource":"orders","id":""}`, "invalid_argument", "/id"},
	{"get", `{"resource":"orders","id":"1e1"}`, "invalid_argument", "/id"},
	{"get", `{"resource":"orders","id":"10.0"}`, "invalid_argument", "/id"},
	{"get", `{"resource":"orders","id":" 10"}`, "invalid_argument", "/id"},
	{"get", `{"resource":"orders","id":[10]}`, "invalid_argument", "/id"},
	{"get", `{"resource":"orders","id":true}`, "invalid_argument", "/id"},
	{"get", `{"resource":"orders","id":10,"limit":1}`, "unknown_argument", "/limit"},
	{"list", `{"resource":"orders","limit":"null"}`, "invalid_argument", "/limit"},
	{"list", `{"resource":"orders","fields":"null"}`, "unknown_field", "/fields/0"},
	{"list", `{"resource":"orders","fields":["null"]}`, "unknown_field", "/fields/0"},
	{"list", `{"resource":"orders","fields":5}`, "invalid_argument", "/fields"},
	{"list", `{"resource":"orders","fields":[1]}`, "invalid_argument", "/fields"},
	{"list", `{"resource":"orders","fields":{"id":true}}`, "invalid_argument", "/fields"},
	{"list", `{"resource":"orders","fields":"[\"id\""}`, "invalid_argument", "/fields"},
	{"list", `{"resource":"orders","sort":"null"}`, "unknown_field", "/sort/0"},
	{"list", `{"resource":"orders","sort":["null"]}`, "unknown_field", "/sort/0"},
	{"list", `{"resource":"orders","sort":{"qty":"desc"}}`, "invalid_argument", "/sort"},
	{"list", `{"resource":"orders","sort":["qty desc"]}`, "unknown_field", "/sort/0"},
	{"list", `{"resource":"orders","sort":["qty","-qty"]}`, "invalid_argument", "/sort/1"},
	{"list", `{"resource":"orders","include":"null"}`, "unknown_field", "/include/0"},
	{"list", `{"resource":"orders","include":"customer,[]"}`, "unknown_field", "/include/1"},
	{"list", `{"resource":"orders","include":"customer parent"}`, "unknown_field", "/include/0"},
	{"list", `{"resource":"orders","include":"Customer"}`, "unknown_field", "/include/0"},
	{"list", `{"resource":"orders","include":5}`, "invalid_argument", "/include"},
	{"list", `{"resource":"orders","include":[1]}`, "invalid_argument", "/include"},
	{"list", `{"resource":"orders","include":{"customer":true}}`, "invalid_argument", "/include"},
	{"list", `{"resource":"orders","include":"[\"customer\""}`, "invalid_argument", "/include"},
	{"get", `{"resource":"orders","id":10,"include":"[customer]"}`, "invalid_argument", "/include"},
	{"list", `{"resource":"orders","filter":"null"}`, "invalid_filter", "/filter"},
	{"list", `{"resource":"orders","filter":"qty=2"}`, "invalid_filter", "/filter"},
	{"list", `{"resource":"orders","filter":[{"qty":2}]}`, "invalid_filter", "/filter"},
	{"list", `{"resource":"orders","filter":true}`, "invalid_filter", "/filter"},
	{"list", `{"resource":"orders","filter":{"qty":"2.0"}}`, "invalid_filter", "/filter/qty"},
	{"list", `{"resource":"orders","filter":{"urgent":"True"}}`, "invalid_filter", "/filter/urgent"},
	{"list", `{"resource":"orders","ids":5}`, "invalid_argument", "/ids"},
	{"list", `{"resource":"orders","ids":[]}`, "invalid_argument", "/ids"},
	{"list", `{"resource":"orders","ids":","}`, "invalid_argument", "/ids"},
	{"list", `{"resource":"orders","ids":["null"]}`, "invalid_argument", "/ids/0"},
	{"list", `{"resource":"orders","ids":"[1,"}`, "invalid_argument", "/ids"},
	{"list", `{"resource":"orders","count":true}`, "invalid_argument", "/count"},
	{"list", `{"resource":"orders","count":"Exact"}`, "invalid_argument", "/count"},
	{"list", `{"resource":"orders","cursor":"null"}`, "invalid_cursor", "/cursor"},
	{"list", `{"resource":"orders","cursor":5}`, "invalid_argument", "/cursor"},
	{"list", `{"resource":"orders","updated_since":"null"}`, "invalid_argument", "/updated_since"},
	{"list", `{"resource":"orders","updated_since":5}`, "invalid_argument", "/updated_since"},
	{"list", `{"resource":"orders","Limit":5}`, "unknown_argument", "/Limit"},
	{"list", `{"resource":"orders","limit":1,"limit":2}`, "invalid_argument", "/limit"},
	{"list", `{"resource":"orders","limit":null,"limit":2}`, "invalid_argument", "/limit"},
	{"list", `{"resource":"Orders"}`, "unknown_resource", "/resource"},
	{"list", `{"resource":null}`, "invalid_argument", "/resource"},
	{"list", `"resource"`, "invalid_argument", ""},
}

// What loses nothing is accepted and means the strict form; everything else is refused with what to
// send, before any statement.
func TestLenience(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		db.exec(t, `INSERT INTO tenants (id, name) VALUES (1, 'one'), (2, 'two');`+twins+`UPDATE orders SET note = '5', urgent = true WHERE id = 11;`)
		with, w := watched(settings{})
		s := db.serve(t, with, db.shop()...)
		for _, test := range loosely {
			loose, strict := s.call(t, keyOne, test.tool, test.loose), s.call(t, keyOne, test.tool, test.strict)
			if loose.isError || masked(loose) != masked(strict) {
				t.Errorf("%s %s\n%s\nand strictly\n%s", test.tool, test.loose, loose.body, strict.body)
			}
		}
		for _, absent := range []string{"", `,"arguments":null`} {
			_, got := s.post(t, keyOne, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"resources"`+absent+`}}`)
			_, want := s.post(t, keyOne, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"resources","arguments":{}}}`)
			if string(got) != string(want) {
				t.Errorf("resources%s: %s", absent, got)
			}
		}
		w.take()
		for _, test := range strictly {
			e := s.call(t, keyOne, test.tool, test.arguments).refused(t)
			if e.Code != test.code || e.Path != test.path || strings.Contains(e.Message, "\n") || len(e.Message) > 400 {
				t.Errorf("%s %s: %+v", test.tool, test.arguments, e)
			}
		}
		if calls, _, _ := w.take(); calls != 0 {
			t.Errorf("%d calls went to the database", calls)
		}
	})
}

// masked is an answer without its cursor, which is sealed anew each time.
func masked(a answer) string {
	text := string(a.body)
	if i := strings.Index(text, `"next_cursor":"`); i >= 0 {
		text = text[:i]
	}
	return text
}

// A key of text may hold a comma: one string is one key, unless it is the text of an array.
func TestLenienceOfTextKeys(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		db.table(t, "places", "tenant_id", "id text UNIQUE, region text, tenant_id int, PRIMARY KEY (id, region)")
		db.exec(t, `INSERT INTO places VALUES ('a,b', 'x', 1), ('a', 'x', 1), ('b', 'x', 1), ('c:d/e%', 'x,y', 1), ('[1]', 'x', 1)`)
		places := resource.Spec{Name: "places", Table: "places", Key: []string{"id"}, Scope: scope.Column("tenant_id"), Serializer: serializer.Columns("id")}
		pairs := places
		pairs.Name, pairs.Key = "pairs", []string{"id", "region"}
		s := db.serve(t, settings{}, places, pairs)
		for _, test := range []struct {
			resource, ids string
			want          []string
		}{
			{"places", `"a,b"`, []string{`"a,b"`}},
			{"places", `["a,b","b"]`, []string{`"a,b"`, `"b"`}},
			{"places", `"[\"a\",\"b\"]"`, []string{`"a"`, `"b"`}},
			{"places", `["[1]"]`, []string{`"[1]"`}},
			{"pairs", `"a,b:x"`, []string{`"a,b"`}},
			{"pairs", `"c%3Ad%2Fe%25:x,y"`, []string{`"c:d/e%"`}},
			{"pairs", `["a:x","b:x","b:y"]`, []string{`"a"`, `"b"`}},
		} {
			got := s.call(t, keyOne, "list", fmt.Sprintf(`{"resource":%q,"ids":%s}`, test.resource, test.ids)).page(t).ids()
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("%s %s (-want +got):\n%s", test.resource, test.ids, diff)
			}
		}
		for _, ids := range []string{`"a"`, `"a:b:c"`, `["a:x","b"]`, `5`, `"%zz:x"`} {
			if e := s.call(t, keyOne, "list", `{"resource":"pairs","ids":`+ids+`}`).refused(t); e.Code != "invalid_argument" {
				t.Errorf("%s: %+v", ids, e)
			}
		}
	})
}
