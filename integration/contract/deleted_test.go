package contract_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A row that its resource leaves out is not there for a relation that leads to it, no more than a foreign one: the
// link is the bare key, nothing is embedded, and what follows the link is what follows a key that never was.
func TestLeftOutTargets(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		s := db.startRelated(t, cross)
		absent := s.call(t, keyOne, "get", `{"resource":"clients","id":999}`)
		_, _, nowhere := s.read(t, keyOne, "tenantry://clients/999")
		for id, what := range map[string]string{"3": "left out", "4": "foreign"} {
			as := strings.NewReplacer(`\"`+id+`\"`, `\"999\"`, `"`+id+`"`, `"999"`, "clients/"+id, "clients/999")
			got := s.call(t, keyOne, "get", `{"resource":"clients","id":`+id+`}`)
			if e := got.refused(t); e.Code != "not_found" || as.Replace(string(got.body)) != string(absent.body) {
				t.Errorf("a %s client: %s, and one that never was: %s", what, got.body, absent.body)
			}
			_, _, gone := s.read(t, keyOne, "tenantry://clients/"+id)
			if said(gone) == "" || as.Replace(said(gone)) != said(nowhere) {
				t.Errorf("a %s client by its URI: %s, and one that never was: %s", what, said(gone), said(nowhere))
			}
		}
		const row = `{"id":12,"note":"poison","links":{"customer":4,"parent":null,"receiver":3},"included":{"customer":null,"receiver":null,"parent":null}}`
		for tool, arguments := range map[string]string{"get": `"id":12`, "list": `"ids":[12]`} {
			got := string(s.call(t, keyOne, tool, `{"resource":"purchases",`+arguments+`,"include":["customer","receiver","parent"]}`).body)
			if !strings.Contains(got, row) {
				t.Errorf("%s: %s, want %s", tool, got, row)
			}
		}
		if diff := cmp.Diff([]string{
			`1 {"clients":[1]} {"clients":{"rows":[{"id":1,"email":"a@x","links":{"firm":1}}],"has_more":false}}`,
			`3 {"clients":[2]} {"clients":{"rows":[{"id":2,"email":"b@x","links":{"firm":3}}],"has_more":false}}`,
		}, s.members(t, keyOne, `{"resource":"firms","fields":["id","clients"],"include":["clients"]}`, "id", "links", "included")); diff != "" {
			t.Errorf("from the other side (-want +got):\n%s", diff)
		}
	})
}

// said is all that an error of resources/read says, or "".
func said(e *uriError) string {
	if e == nil {
		return ""
	}
	return fmt.Sprintf("%d %s %s", e.Code, e.Message, e.Data)
}

// Nor does a filter reach it, its complement, or a count of either.
func TestFiltersByLeftOutTargets(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		s := db.startRelated(t, cross)
		for _, tt := range []struct {
			name, filter string
			total        int
		}{
			{"purchases", `{"receiver.email":"gone@x"}`, 0},
			{"purchases", `{"receiver.id":3}`, 0},
			{"purchases", `{"receiver.id":[3,4]}`, 0},
			{"purchases", `{"receiver.email":{"op":"starts_with","value":"g"}}`, 0},
			{"purchases", `{"receiver.firm.name":"Acme"}`, 0},
			{"purchases", `{"receiver.profile.bio":"of a deleted one"}`, 0},
			{"purchases", `{"customer.id":4}`, 0},
			{"purchases", `{"not":{"receiver.id":3}}`, 5},
			{"purchases", `{"receiver.email":{"op":"not_eq","value":"gone@x"}}`, 5},
			{"purchases", `{"receiver.id":{"op":"is_null","value":true}}`, 0},
			{"firms", `{"clients.email":"gone@x"}`, 0},
			{"firms", `{"clients.id":[1,3]}`, 1},
			{"clients", `{"id":[1,3,4]}`, 1},
		} {
			a := s.call(t, keyOne, "list", `{"resource":"`+tt.name+`","limit":0,"count":"exact","filter":`+tt.filter+`}`)
			rows := len(s.find(t, keyOne, tt.name, tt.filter))
			if got := a.page(t).counted(); got != fmt.Sprint(tt.total, " exact") || rows != tt.total {
				t.Errorf("%s: %d rows, counted %s, want %d", tt.filter, rows, got, tt.total)
			}
		}
	})
}
