package isolationtest

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

var (
	suggested = regexp.MustCompile(`,?\\?"suggestions\\?":\[[^\]]*\]`)
	offered   = regexp.MustCompile(`\\?"(?:suggestions|allowed)\\?":\[[^\]]*\]`)
)

// unnamed asks for a misspelt name and looks for the right one in what is offered instead.
func (k *kit) unnamed(token, name string, r request) {
	k.report.Pairs++
	for _, list := range offered.FindAllString(string(k.send(token, r).body), -1) {
		if strings.Contains(strings.ReplaceAll(list, `\"`, `"`), `"`+name+`"`) {
			k.leak(ruleHidden, r, "the answer offers the name of what is hidden")
		}
	}
}

// hidden compares what a token may not see with what does not exist.
func (k *kit) hidden(s *side, token string) {
	doc, bad := k.send(token, k.tool("resources", args{})).answer()
	if bad {
		k.fail(fmt.Errorf("a token with fewer scopes cannot list the resources"))
		return
	}
	visible := membersOf(doc["resources"], "name")
	for _, res := range k.app.Registry.All() {
		if !slices.Contains(visible, res.Name()) {
			k.hiddenResource(token, res.Name(), visible)
		}
	}
	for _, name := range visible {
		if s.known[name] != nil {
			k.hiddenMembers(s, token, name)
		}
	}
}

func (k *kit) hiddenResource(token, name string, visible []string) {
	absent := stranger(name, visible)
	for _, call := range []func(string) request{
		func(n string) request { return k.tool("list", args{"resource": n}) },
		func(n string) request {
			return k.tool("list", args{"resource": n, "sort": []string{"id"}, "count": "exact"})
		},
		func(n string) request { return k.tool("get", args{"resource": n, "id": "1"}) },
		func(n string) request { return k.tool("resource_schema", args{"resource": n}) },
		func(n string) request { return k.tool("aggregate", args{"resource": n}) },
		func(n string) request {
			return request{Method: "resources/read", Params: args{"uri": "tenantry://" + n}}
		},
		func(n string) request { return request{Method: "resources/read", Params: args{"uri": rowURI(n, "1")}} },
		completion,
	} {
		k.pair(ruleHidden, token, call(name), call(absent), name, absent)
		k.unnamed(token, name, call(name+"q"))
	}
}

// stranger is a name like another that is near to none of those that are visible, so that no suggestion tells
// the two apart. A name that is near to one is suggested it whether it exists or not.
func stranger(name string, visible []string) string {
	for _, letter := range "zqxwvk" {
		out := strings.Repeat(string(letter), len(name))
		if !slices.Contains(visible, out) {
			return out
		}
	}
	return name + "_"
}

// hiddenMembers compares the members of a resource that the better token sees and this one does not.
func (k *kit) hiddenMembers(s *side, token, name string) {
	var fewer schema
	if err := k.schema(token, name, &fewer); err != nil {
		k.fail(err)
		return
	}
	all := s.known[name].schema
	see := fewer.names()
	for _, member := range all.names() {
		if slices.Contains(see, member) {
			continue
		}
		first, rest, dotted := strings.Cut(member, ".")
		absent := stranger(first, see)
		switch {
		case dotted && slices.Contains(see, first): // a hidden key behind a visible relation
			absent = first + "." + stranger(rest, see)
		case dotted:
			absent += "." + rest
		}
		for _, a := range []func(string) args{
			func(n string) args { return args{"fields": []string{n}} },
			func(n string) args { return args{"include": []string{n}} },
			func(n string) args { return args{"sort": []string{"-" + n}} },
			func(n string) args { return args{"filter": args{n: "1"}} },
			func(n string) args { return args{"filter": args{"not": args{n: args{"op": "is_null", "value": true}}}} },
		} {
			call := func(n string) request { c := a(n); c["resource"] = name; return k.tool("list", c) }
			k.pair(ruleHidden, token, call(member), call(absent), member, absent)
			k.unnamed(token, member, call(member+"q"))
		}
		group := func(n string) request {
			return k.tool("aggregate", args{"resource": name, "group_by": []string{n}, "measures": []string{"count", "max:" + n}})
		}
		k.pair(ruleHidden, token, group(member), group(absent), member, absent)
	}
}

// names are all the names that the schema lets a call use.
func (s schema) names() []string {
	var out []string
	for _, a := range s.Attributes {
		out = append(out, a.Name)
	}
	for _, f := range s.Filters {
		out = append(out, f.Key)
	}
	for _, r := range s.Relationships {
		out = append(append(out, r.Name), r.FilterKeys...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}
