package isolationtest

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
)

// kit is one run.
type kit struct {
	ctx    context.Context
	app    App
	server *httptest.Server
	oracle *Oracle
	report *Report
	sides  [2]*side
	failed error
	serial int // of what is asked, for the revisions to take turns
}

// side is one of the tenants and what it sees through its best token.
type side struct {
	tenant Tenant
	mark   Mark
	known  map[string]*known // by resource
	names  []string
	script []exchange // its attack, to be repeated
}

// exchange is a request and what it was answered.
type exchange struct {
	request
	token  string
	stable string
}

// known is a resource as one tenant sees it.
type known struct {
	schema schema
	rows   []map[string]any
	ids    []string
}

// schema is what is used of the answer of resource_schema.
type schema struct {
	Name string
	Key  struct {
		Fields []string
		Type   string
	}
	Attributes    []attribute
	Relationships []relationship
	Filters       []filter
	Sortable      []string
	Aggregates    *struct {
		GroupBy []struct {
			Field string
			Units []string
		} `json:"group_by"`
		Measures []struct {
			Field     string
			Functions []string
		}
	}
}

type attribute struct {
	Name, Type string
	Filterable bool
	Enum       []string
}

type relationship struct {
	Name, Kind, Target string
	FilterKeys         []string `json:"filter_keys"`
	Includable         bool
}

type filter struct {
	Key, Type, Requires string
	Operators           []string
}

func (k *kit) close() { k.server.Close() }

func (k *kit) fail(err error) {
	if k.failed == nil {
		k.failed = err
	}
}

// learn walks everything that each tenant may read. What is seen is checked on the way.
func (k *kit) learn() error {
	for i, s := range k.sides {
		doc, bad := k.ask(s, s.tenant.Token, k.tool("resources", map[string]any{})).answer()
		if bad {
			return fmt.Errorf("the token of tenant %d cannot list the resources", i+1)
		}
		modern := k.tool("resources", map[string]any{})
		modern.modern = true
		if got := k.ask(s, s.tenant.Token, modern); got.status != http.StatusOK {
			return fmt.Errorf("the revision %s is not answered: HTTP %d", modernVersion, got.status)
		}
		for _, name := range membersOf(doc["resources"], "name") {
			kn := &known{}
			if err := k.schema(s.tenant.Token, name, &kn.schema); err != nil {
				return err
			}
			k.walk(s, kn)
			s.known[name] = kn
			s.names = append(s.names, name)
		}
	}
	for i, s := range k.sides {
		if !s.marked() {
			return fmt.Errorf("no row that tenant %d sees holds its mark or one of its Texts: there is nothing to recognise", i+1)
		}
	}
	return k.failed
}

// marked reports whether the tenant sees a row that says whose it is.
func (s *side) marked() bool {
	for _, kn := range s.known {
		text := string(encode(kn.rows))
		holds := func(t string) bool { return t != "" && strings.Contains(text, t) }
		if holds(s.mark.Text("")) || slices.ContainsFunc(s.tenant.Texts, holds) {
			return true
		}
	}
	return false
}

func (k *kit) schema(token, name string, into *schema) error {
	doc, bad := k.send(token, k.tool("resource_schema", map[string]any{"resource": name})).answer()
	if bad {
		return fmt.Errorf("resource_schema of %s failed", name)
	}
	return json.Unmarshal(encode(doc), into)
}

const (
	pageOf   = 100
	maxPages = 10
)

// walk reads the rows of a resource as the tenant sees them.
func (k *kit) walk(s *side, kn *known) {
	args := map[string]any{"resource": kn.schema.Name, "limit": pageOf}
	for range maxPages {
		doc, bad := k.ask(s, s.tenant.Token, k.tool("list", maps.Clone(args))).answer()
		if bad {
			return
		}
		rows, _ := doc["rows"].([]any)
		for _, r := range rows {
			row, _ := r.(map[string]any)
			kn.rows = append(kn.rows, row)
			if id := idOf(kn.schema, row); id != "" {
				kn.ids = append(kn.ids, id)
			}
		}
		meta, _ := doc["meta"].(map[string]any)
		if meta["next_cursor"] == nil {
			return
		}
		args["cursor"] = meta["next_cursor"]
	}
}

// idOf is the key of a row as get takes it, or "" where no field shows it.
func idOf(s schema, row map[string]any) string {
	parts := make([]string, len(s.Key.Fields))
	for i, f := range s.Key.Fields {
		parts[i] = fmt.Sprint(row[f])
		if len(parts) > 1 {
			parts[i] = strings.NewReplacer("%", "%25", ":", "%3A", "/", "%2F").Replace(parts[i])
		}
	}
	return strings.Join(parts, ":")
}

func rowURI(resource, id string) string {
	escape := func(s string) string { return strings.ReplaceAll(url.QueryEscape(s), "+", "%20") }
	return "tenantry://" + escape(resource) + "/" + escape(id)
}

// membersOf are the members of that name of a list of objects.
func membersOf(list any, name string) []string {
	var out []string
	items, _ := list.([]any)
	for _, item := range items {
		if object, ok := item.(map[string]any); ok {
			out = append(out, fmt.Sprint(object[name]))
		}
	}
	return out
}

// foreignIDs are keys of rows that the other tenant alone sees.
func (k *kit) foreignIDs(s *side, resource string) []string {
	other := k.other(s).known[resource]
	if other == nil {
		return nil
	}
	var own []string
	if kn := s.known[resource]; kn != nil {
		own = kn.ids
	}
	return slices.DeleteFunc(slices.Clone(other.ids), func(id string) bool { return slices.Contains(own, id) })
}

func (k *kit) other(s *side) *side {
	if s == k.sides[0] {
		return k.sides[1]
	}
	return k.sides[0]
}
