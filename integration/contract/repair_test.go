package contract_test

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// mistaken are calls that are refused for a mistake in what is looked for, shown or paged: get where the arguments begin with an id, else
// list, of the resource orders unless they name another.
var mistaken = []string{
	`"filter":{"statee":"paid"}`, `"filters":{"state":"paid"}`, `"where":{"state":"paid"}`, `"filter":{"state":{"operator":"eq","value":"paid"}}`,
	`"filter":{"state":{"op":"equals","value":"paid"}}`, `"order_by":"id"`, `"fields":["idd"]`, `"sort":["totl"]`, `"sort":["-placed_att","qty"]`, `"fields":["id","stat","Note"]`,
	`"filter":{"state":{"op":"eq"}}`, `"filter":{"state":{"value":"paid"}}`, `"filter":{"state":{}}`, `"filter":{"state":{"op":"in","value":[]}}`, `"filter":{"note":{"op":"matches","value":null}}`,
	`"filter":{"qty":{"op":"gt","value":null}}`, `"filter":{"note":{"op":"matches","value":""}}`, `"filter":{"any":[]}`, `"filter":{"any":[{}]}`, `"filter":{"not":{}}`, `"filter":{"state":[]}`,
	`"filter":{"qty":{"op":"is_null","value":"yes"}}`, `"filter":{"any":[{"qty":1},{"qty":"x"}]}`, `"filter":{"not":{"statee":"paid"}}`, `"filter":{"sku":null}`,
	`"filter":{"qty":[{"op":"gteq","value":1},5]}`, `"filter":{"qty":[[1,2]]}`, `"filter":[]`, `"filter":"paid"`, `"filter":{"qty":{"op":"eq","value":[1,2]}}`, `"filter":{"qty":{"op":"in","value":1}}`,
	`"filter":{"ref":"xyz"}`, `"filter":{"qty":99999999999999999999}`, `"filter":{"qty":"abc"}`, `"filter":{"qty":1.5}`, `"filter":{"due":"2026-02-30"}`, `"filter":{"placed_at":"yesterday-ish"}`,
	`"filter":{"note":"a\u0000b"}`, `"filter":{"urgent":1}`, `"filter":{"note":true}`, `"filter":{"total":"12,50"}`, `"filter":{"due":"07/01/2026"}`, `"filter":{"urgent":"True"}`, `"filter":{"note":{"op":"like","value":"a%"}}`,
	`"filter":{"qty":{"op":"matches","value":"1"}}`, `"filter":{"placed_at":{"op":"gteq","value":"2026-07-07T00:00:00"}}`, `"filter":{"placed_at":{"op":"gt","value":"now"}}`, `"filter":{"placed_at":"2026-07-07 12:00:00+02"}`,
	`"updated_since":"2026-07-07T00:00:00"`, `"updated_since":"last week"`, `"filter":{"placed_at":{"op":"lt","value":"infinity"}}`, `"filter":{"total":{"op":"gt","value":"NaN"}}`,
	`"cursor":"x"`, `"cursor":"!!!!"`, `"cursor":"W10"`, `"cursor":5`,
	`"limit":-1`, `"limit":0`, `"limit":10.5`, `"limit":true`, `"limit":[10]`, `"limit":"ten"`, `"offset":-1`, `"offset":1000000`, `"offset":9223372036854775807`, `"offset":"last"`,
	`"count":"all"`, `"count":true`, `"ids":[]`, `"ids":["abc"]`, `"ids":[1.5]`, `"ids":{"id":1}`, `"fields":5`, `"sort":{"qty":"desc"}`, `"sort":["qty","-qty"]`, `"sort":["qty desc"]`,
	`"id":"abc"`, `"id":99999999999999999999`, `"id":1.5`, `"id":"1e1"`, `"id":[10]`, `"id":"10\u0000"`, `"id":10,"fields":["idd"]`, `"id":10,"filter":{}`,
	`"include":["custmer"]`, `"include":"customer,paren"`, `"include":["customer","note"]`, `"include":{"customer":1}`, `"include":5`, `"include":[["customer"]]`, `"include":["customer.parent"]`, `"include":["orders"]`,
	`"fields":["id","custmer"]`, `"fields":["customer.email"]`, `"sort":["customer"]`, `"sort":["customer.email"]`, `"filter":{"customer":1}`, `"filter":{"parent":{"op":"is_null","value":true}}`,
	`"filter":{"customer.emial":"a"}`, `"filter":{"custmer.email":"a"}`, `"filter":{"customer.credit_note":"n"}`, `"filter":{"customer":{"email":"a"}}`, `"filter":{"customer.":1}`, `"filter":{"parent.parent.parent.id":1}`,
	`"filter":{"customer.id":"abc"}`, `"filter":{"customer.email":{"op":"gt","value":"a"}}`, `"filter":{"customer.email":{"op":"matches","value":""}}`, `"filter":{"parent.qty":[[1]]}`, `"filter":{"parent.qty":{"op":"in","value":[]}}`,
	`"filter":{"parent.statee":"paid"}`, `"filter":{"parent.customer.emial":"a"}`, `"filter":{"any":[{"parent.qty":"many"},{"customer.emai":"a"}]}`, `"filter":{"parent.placed_at":"2026-07-07T00:00:00"}`,
	`"id":10,"include":["custmer"]`, `"id":10,"include":["lines"]`,
	`"resource":"order"`, `"resource":"costumers"`, `"resource":""`, `"limit":"ten","offset":"last","fields":["idd"],"filter":{"statee":"paid"}`,
}

// mistakenTypes are those that need PostgreSQL's types.
var mistakenTypes = []string{
	`"filter":{"state":"payd"}`, `"filter":{"state":["paid","nope"]}`, `"filter":{"qty":3000000000}`, `"filter":{"tags":"a"}`, `"filter":{"tags":["a"]}`, `"filter":{"tags":{"op":"contains","value":"a"}}`,
	`"filter":{"tags":{"op":"eq","value":[["a"],["b","c"]]}}`, `"filter":{"extra":{"a":1}}`, `"filter":{"extra":{"op":"has_key","value":5}}`, `"filter":{"state":{"op":"matches","value":"p"}}`,
	`"filter":{"parent.state":"payd"}`, `"filter":{"parent.tags":["a"]}`, `"filter":{"parent.qty":3000000000}`,
}

// lesson is all that the agent reads of a mistake.
type lesson struct {
	Code, Message, Path  string
	Allowed, Suggestions []string
	Example              json.RawMessage
}

// agent repairs the arguments of a call by what errors say, without knowing the tool.
type agent struct{ arguments map[string]any }

func decode(t *testing.T, text string) (v any) {
	t.Helper()
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	if err := dec.Decode(&v); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

var (
	sendThis  = regexp.MustCompile(`(?:send|such as) (\{.*?\}|\[.*?\]|"[^"]*"|\d+)`)
	leaveAway = regexp.MustCompile(`leave \w+ (away|out)|start again without|name it once`)
)

func (a *agent) learn(t *testing.T, l lesson) {
	t.Helper()
	path := strings.Split(strings.TrimPrefix(l.Path, "/"), "/")
	name := slices.Concat(l.Suggestions, l.Allowed)
	switch {
	case len(l.Example) > 0:
		a.follow(path, decode(t, string(l.Example)))
	case strings.HasPrefix(l.Code, "unknown_") && len(l.Suggestions) > 0:
		a.rename(path, l.Suggestions[0])
	case strings.HasPrefix(l.Code, "unknown_") && l.Path != "/resource":
		a.rename(path, "")
	case len(name) > 0:
		a.set(path, name[0])
	default:
		a.obey(t, path, l.Message)
	}
}

// obey does what the message says to send.
func (a *agent) obey(t *testing.T, path []string, message string) {
	t.Helper()
	m := sendThis.FindStringSubmatch(message)
	value, isText := a.at(path).(string)
	switch {
	case m != nil && json.Valid([]byte(m[1])):
		a.set(path, decode(t, m[1]))
	case leaveAway.MatchString(message):
		a.rename(path, "")
	case isText && strings.Contains(message, "holds the character NUL; send it without"):
		a.set(path, strings.ReplaceAll(value, "\x00", ""))
	}
}

// follow puts an example where its first name stands in the path, or at the path.
func (a *agent) follow(path []string, example any) {
	pieces, isObject := example.(map[string]any)
	for i, step := range path {
		if _, found := pieces[step]; !isObject || !found {
			continue
		}
		if at, ok := a.at(path[:i]).(map[string]any); ok {
			maps.Copy(at, pieces)
			return
		}
	}
	a.set(path, example)
}

func (a *agent) at(path []string) any {
	var v any = a.arguments
	for _, step := range path {
		switch in := v.(type) {
		case map[string]any:
			v = in[step]
		case []any:
			if i, err := strconv.Atoi(step); err == nil && i < len(in) {
				v = in[i]
			}
		}
	}
	return v
}

func (a *agent) set(path []string, value any) {
	last := path[len(path)-1]
	switch in := a.at(path[:len(path)-1]).(type) {
	case map[string]any:
		in[last] = value
	case []any:
		if i, err := strconv.Atoi(last); err == nil && i < len(in) {
			in[i] = value
		}
	}
}

// rename gives what stands at the path another name, or takes it away.
func (a *agent) rename(path []string, name string) {
	last := path[len(path)-1]
	switch in := a.at(path[:len(path)-1]).(type) {
	case map[string]any:
		if name != "" && last == "resource" {
			in[last] = name
			return
		}
		if name != "" {
			in[name] = in[last]
		}
		delete(in, last)
	case []any:
		i, err := strconv.Atoi(last)
		if err != nil || i >= len(in) {
			return
		}
		if old, ok := in[i].(string); ok && name != "" && strings.HasPrefix(old, "-") {
			name = "-" + name
		}
		if in[i] = name; name == "" {
			a.set(path[:len(path)-1], slices.Delete(in, i, i+1))
		}
	case string: // names with commas between them
		var names []any
		for name := range strings.SplitSeq(in, ",") {
			names = append(names, name)
		}
		a.set(path[:len(path)-1], names)
		a.rename(path, name)
	}
}

// An agent that reads nothing but the error repairs the call with one more, 95 times of 100.
func TestErrorsAreEnoughToRepairACall(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		s := db.start(t, twins)
		calls := mistaken
		if db.name == "postgres" {
			calls = slices.Concat(mistaken, mistakenTypes)
		}
		var lost []string
		for _, mistake := range calls {
			first := `{"resource":"orders",` + mistake + `}`
			if strings.Contains(mistake, `"resource"`) {
				first = `{` + mistake + `}`
			}
			tool := "list"
			if strings.HasPrefix(mistake, `"id"`) {
				tool = "get"
			}
			refusal := s.call(t, keyOne, tool, first)
			var doc struct {
				Error  lesson
				Errors []lesson
			}
			if err := json.Unmarshal(refusal.body, &doc); err != nil {
				t.Fatal(err)
			}
			if !refusal.isError {
				t.Errorf("%s is no mistake", first)
			}
			if len(doc.Errors) == 0 {
				doc.Errors = []lesson{doc.Error}
			}
			a := &agent{decode(t, first).(map[string]any)}
			for _, l := range slices.Backward(doc.Errors) { // so that a removal moves nothing that is still to be repaired
				a.learn(t, l)
			}
			if again := s.call(t, keyOne, tool, jsonOf(t, a.arguments)); again.isError {
				lost = append(lost, first+"\n  "+string(refusal.body)+"\n  "+jsonOf(t, a.arguments)+"\n  "+string(again.body))
			}
		}
		if len(lost)*20 > len(calls) {
			t.Errorf("%d of %d calls are not repaired", len(lost), len(calls))
		}
		for _, l := range lost {
			t.Log(l)
		}
	})
}
