package mcpserver_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/resource"
)

// library stands in for an executor whose resources have names of every kind. One of them only Bob sees.
type library struct {
	*shop
	names []string
}

func newLibrary(names ...string) library {
	if names == nil {
		names = []string{"orders", "order_lines", "order/lines", "größe <1>", "slow", "crash", "broken", "away"}
	}
	return library{newShop(), names}
}

const hidden = "payroll"

func (l library) visible(p *auth.Principal) []string {
	if p.Subject() == "bob" {
		return append(slices.Clone(l.names), hidden)
	}
	return l.names
}

func (l library) find(p *auth.Principal, name string) error {
	if slices.Contains(l.visible(p), name) {
		return nil
	}
	err := resource.Errorf(resource.UnknownResource, "/resource", "there is no resource %s: send a name from the list of resources", resource.Echo(name))
	err.Allowed, err.Suggestions = l.visible(p), resource.Nearest(name, l.visible(p))
	return err
}

func (l library) Resources(p *auth.Principal) *executors.Answer {
	l.asked("resources")
	if slices.Contains(l.names, "no list") {
		panic("SECRET of another tenant")
	}
	type entry struct {
		Name        string `json:"name"`
		Description string `json:"description"`
		Note        string `json:"note,omitempty"`
	}
	var entries []entry
	for i, name := range l.visible(p) {
		e := entry{Name: name, Description: "All of <" + name + ">."}
		if i == 0 {
			e.Note = "Ask for few."
		}
		entries = append(entries, e)
	}
	body, err := json.Marshal(map[string]any{"resources": entries})
	if err != nil {
		panic(err)
	}
	return &executors.Answer{JSON: body, Rows: len(entries)}
}

func (l library) Schema(_ context.Context, p *auth.Principal, name string, _ resource.Errors) (*executors.Answer, error) {
	l.asked(name)
	if err := l.find(p, name); err != nil {
		return nil, err
	}
	return answer(`{"name":%q,"description":"A \"<b>\" of\nlines\u2028.","key":{"fields":["id"],"type":"bigint"},"examples":[{"resource":%[1]q}]}`, name), nil
}

func (l library) Get(ctx context.Context, p *auth.Principal, req executors.GetRequest) (*executors.Answer, error) {
	l.asked(req)
	if err := l.find(p, req.Resource); err != nil {
		return nil, err
	}
	var id string
	if err := json.Unmarshal(req.ID, &id); err != nil {
		return nil, err
	}
	switch {
	case req.Resource == "crash":
		panic("SECRET of another tenant")
	case req.Resource == "broken":
		return nil, errors.New(`ERROR: relation "secret_table" does not exist (SQLSTATE 42P01) host=10.0.0.7`)
	case req.Resource == "away":
		return nil, resource.Errorf(resource.Unavailable, "", "the database cannot be reached now: send the same call later")
	case req.Resource == "slow":
		l.started <- struct{}{}
		<-ctx.Done()
		l.ended <- context.Cause(ctx)
		return nil, ctx.Err()
	case strings.HasPrefix(id, "x"):
		bad := resource.Errorf(resource.InvalidArgument, "/id", "%s is not a bigint: send a whole number", resource.Echo(id))
		bad.Example = 7
		return nil, resource.Errors{bad}
	case id != "7" && id != "A/1:3":
		return nil, resource.Errorf(resource.NotFound, "/id", "%s has no row with the id %s", req.Resource, resource.Echo(id))
	}
	return answer(`{"resource":%q,"row":{"id":%q,"tenant":%q,"note":"a \"quoted\" <b>\\n\u2028é"}}`, req.Resource, id, p.Tenant().Key()), nil
}

// rpc is a JSON-RPC response to a query, taken apart.
type rpc struct {
	Result struct {
		Contents  []struct{ URI, MimeType, Text string }
		Resources []struct {
			Name, Title, URI, MimeType, Description string
		}
		ResourceTemplates []struct{ Name, Title, URITemplate, MimeType string }
		NextCursor        *string
		Completion        struct {
			Values  []string
			Total   int
			HasMore bool
		}
		CacheScope string
		ResultType string
	}
	Error *struct {
		Code    int64
		Message string
		Data    struct {
			Code, URI            string
			Allowed, Suggestions []string
			Example              any
		}
	}
}

func rpcOf(t testing.TB, body string) (out rpc) {
	t.Helper()
	if err := json.Unmarshal([]byte(body), &out); err != nil {
		t.Fatalf("%v in %s", err, body)
	}
	return out
}

func readCall(uri string) string { return request("resources/read", fmt.Sprintf(`{"uri":%q}`, uri)) }

// modern is a request of the sessionless revision, with its headers.
func modern(method, params, name string) (body string, headers []string) {
	if params != "" {
		params += ","
	}
	headers = []string{"Mcp-Protocol-Version", newest, "Mcp-Method", method}
	if name != "" {
		headers = append(headers, "Mcp-Name", name)
	}
	return request(method, "{"+params+modernMeta+"}"), headers
}
