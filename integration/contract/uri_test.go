package contract_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/scope"
	"github.com/tenantry/tenantry/serializer"
)

// ask sends a request that is no tool call and returns its result, or its error.
func (s *server) ask(t *testing.T, key, method string, params any) (result json.RawMessage, refused *uriError) {
	t.Helper()
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	if err != nil {
		t.Fatal(err)
	}
	status, reply := s.post(t, key, string(body))
	var rpc struct {
		Result json.RawMessage
		Error  *uriError
	}
	if err := json.Unmarshal(reply, &rpc); err != nil || status != http.StatusOK || (rpc.Result == nil) == (rpc.Error == nil) {
		t.Fatalf("%s: HTTP %d %s (%v)", body, status, reply, err)
	}
	return rpc.Result, rpc.Error
}

// uriError is a JSON-RPC error, with its whole data.
type uriError struct {
	Code    int
	Message string
	Data    json.RawMessage
}

// read reads a URI and returns the text and its type, or the error.
func (s *server) read(t *testing.T, key, uri string) (text, media string, refused *uriError) {
	t.Helper()
	result, refused := s.ask(t, key, "resources/read", map[string]string{"uri": uri})
	if refused != nil {
		return "", "", refused
	}
	var doc struct {
		Contents []struct{ URI, MimeType, Text string }
	}
	if err := json.Unmarshal(result, &doc); err != nil || len(doc.Contents) != 1 || doc.Contents[0].URI != uri {
		t.Fatalf("%s: %s (%v)", uri, result, err)
	}
	return doc.Contents[0].Text, doc.Contents[0].MimeType, nil
}

// expand is the expansion of the row template by RFC 6570.
func expand(name, id string) string {
	escape := func(s string) string { return strings.ReplaceAll(url.QueryEscape(s), "+", "%20") }
	return "tenantry://" + escape(name) + "/" + escape(id)
}

// Whatever its key is made of, a row has a URI, under which it is what get answers.
func TestEveryRowHasAURI(t *testing.T) {
	t.Parallel()
	keys := []string{
		"a", "A/1", "a:b", "50%", "%2F", "%3A", "a%252Fb", "a b", "a+b", "?x=1", "#1", "é/è", `"q"`, ".", "..", "schema", "7", "null", "[1]", "a,b", "🦫", `\`, "a\nb",
	}
	part := strings.NewReplacer("%", "%25", ":", "%3A", "/", "%2F")
	onBoth(t, func(t *testing.T, db *database) {
		db.exec(t, `CREATE TABLE notes (code text PRIMARY KEY, tenant_id int NOT NULL);
			CREATE TABLE parts (code text NOT NULL, no int NOT NULL, tenant_id int NOT NULL, PRIMARY KEY (code, no));`)
		if db.name == "postgres" {
			db.exec(t, `GRANT SELECT ON notes, parts TO tenantry_reader`)
		}
		for i, key := range keys {
			text := "'" + strings.ReplaceAll(key, "'", "''") + "'"
			db.exec(t, fmt.Sprintf(`INSERT INTO notes VALUES (%s, 1); INSERT INTO parts VALUES (%[1]s, %d, 1);`, text, i))
		}
		const name = "größe/of parts"
		s := db.serve(t, settings{},
			resource.Spec{Name: "notes", Table: "notes", Scope: scope.Column("tenant_id"), Serializer: serializer.Columns("code")},
			resource.Spec{Name: name, Table: "parts", Key: []string{"code", "no"}, Scope: scope.Column("tenant_id"), Serializer: serializer.Columns("code", "no")})
		check := func(name, id string) {
			t.Helper()
			arguments, err := json.Marshal(map[string]string{"resource": name, "id": id})
			if err != nil {
				t.Fatal(err)
			}
			want := s.call(t, keyOne, "get", string(arguments))
			text, media, refused := s.read(t, keyOne, expand(name, id))
			if want.isError || refused != nil || text != string(want.body) || media != "application/json" {
				t.Errorf("%s: %s %+v, and get answers %s", expand(name, id), text, refused, want.body)
			}
		}
		for i, key := range keys {
			check("notes", key)
			check(name, fmt.Sprintf("%s:%d", part.Replace(key), i))
		}
	})
}

// A composite key may stand as rows and links show it; where it could be two keys, it is refused.
func TestCompositeKeyAsItIs(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		db.exec(t, `CREATE TABLE parts (code text NOT NULL, no int NOT NULL, tenant_id int NOT NULL, PRIMARY KEY (code, no));
			INSERT INTO parts VALUES ('12', 3, 1), ('A/1', 3, 1), ('A', 3, 1), ('%41', 3, 1);`)
		if db.name == "postgres" {
			db.exec(t, `GRANT SELECT ON parts TO tenantry_reader`)
		}
		s := db.serve(t, settings{}, resource.Spec{Name: "parts", Table: "parts", Key: []string{"code", "no"}, Scope: scope.Column("tenant_id"), Serializer: serializer.Columns("code", "no")})
		for uri, code := range map[string]string{"12:3": "12", "A%2F1:3": "A/1", "A:3": "A", "%2541%3A3": "A", "%252541%3A3": "%41"} {
			text, _, refused := s.read(t, keyOne, "tenantry://parts/"+uri)
			if want := fmt.Sprintf(`{"resource":"parts","row":{"code":%q,"no":3}}`, code); text != want {
				t.Errorf("%s: %s %+v, want %s", uri, text, refused, want)
			}
		}
		for _, uri := range []string{"%2541:3", "%41:x", "12", "12:3:4"} {
			if text, _, refused := s.read(t, keyOne, "tenantry://parts/"+uri); refused == nil || refused.Code != -32602 {
				t.Errorf("%s: %s %+v", uri, text, refused)
			}
		}
	})
}

// On this path too, what is not the caller's is what never was.
func TestURIsOfOthers(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		s := db.start(t, twins)
		same := func(key string, uris [2]string) {
			t.Helper()
			_, _, theirs := s.read(t, key, uris[0])
			_, _, nobodys := s.read(t, key, uris[1])
			if theirs == nil || nobodys == nil {
				t.Fatalf("%v are served", uris)
			}
			replace := strings.NewReplacer("20", "77", "customers", "customerz").Replace
			theirs.Message, theirs.Data = replace(theirs.Message), json.RawMessage(replace(string(theirs.Data)))
			if diff := cmp.Diff(nobodys, theirs); diff != "" || theirs.Code != -32002 {
				t.Errorf("%v: %d %s", uris, theirs.Code, diff)
			}
		}
		same(keyOne, [2]string{"tenantry://orders/20", "tenantry://orders/77"})
		same(keyOneLow, [2]string{"tenantry://customers", "tenantry://customerz"})
		same(keyOneLow, [2]string{"tenantry://customers/1", "tenantry://customerz/1"})
		same(keyOneLow, [2]string{"tenantry://customers/x", "tenantry://customerz/x"})
		if text, _, refused := s.read(t, keyTwo, "tenantry://lines/200"); refused != nil || !strings.Contains(text, `"id":200`) {
			t.Errorf("its own row: %s %+v", text, refused)
		}
		_, _, typed := s.read(t, keyOne, "tenantry://orders/x")
		if typed == nil || typed.Code != -32602 || strings.Contains(typed.Message, "\n") || !strings.Contains(string(typed.Data), `"code":"invalid_argument"`) {
			t.Errorf("an id of the wrong type: %+v", typed)
		}
	})
}

// What is listed is what the resources tool lists, in its order, and all of it can be read.
func TestListedURIs(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		s := db.start(t, twins)
		for key, want := range map[string][]string{keyOne: {"orders", "customers", "lines"}, keyOneLow: {"orders", "lines"}} {
			result, _ := s.ask(t, key, "resources/list", struct{}{})
			var list struct{ Resources []struct{ Name, URI string } }
			if err := json.Unmarshal(result, &list); err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, r := range list.Resources {
				got = append(got, r.Name)
				text, media, refused := s.read(t, key, r.URI)
				if refused != nil || media != "text/markdown" || !strings.HasPrefix(text, "# "+r.Name+"\n") || strings.Contains(text, "tenant_id") {
					t.Errorf("%s: %s %+v", r.URI, text, refused)
				}
				if told := strings.Contains(text, "`customers`"); told != (key == keyOne && r.Name == "orders") {
					t.Errorf("%s, for %s: the relation to customers is told of: %t", r.URI, key, told)
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s: %v, want %v", key, got, want)
			}
			result, _ = s.ask(t, key, "completion/complete", map[string]any{
				"ref":      map[string]string{"type": "ref/resource", "uri": "tenantry://{resource}/{id}"},
				"argument": map[string]string{"name": "resource", "value": "c"},
			})
			if strings.Contains(string(result), "customers") != slices.Contains(want, "customers") {
				t.Errorf("%s: %s", key, result)
			}
		}
	})
}
