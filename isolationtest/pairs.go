package isolationtest

import (
	"encoding/base64"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// compare asks what must be answered alike: rows of the other tenant and rows that never were, what is hidden
// and what does not exist, and cursors of every wrong kind.
func (k *kit) compare() {
	for _, s := range k.sides {
		for _, name := range s.names {
			k.absent(s, name)
			k.cursors(s, name)
		}
		for _, token := range s.tenant.Fewer {
			k.hidden(s, token)
		}
	}
}

// pair sends two requests whose answers must be the same but for what they repeat of the caller's own words.
func (k *kit) pair(rule, token string, a, b request, words ...string) {
	if k.failed != nil {
		return
	}
	k.report.Pairs++
	one, two := k.send(token, a).stable(), k.send(token, b).stable()
	for _, w := range words {
		one, two = strings.ReplaceAll(one, w, "…"), strings.ReplaceAll(two, w, "…")
	}
	if rule == ruleHidden { // what the spelling suggests is looked at by itself
		one, two = suggested.ReplaceAllString(one, ""), suggested.ReplaceAllString(two, "")
	}
	if one != two {
		k.leak(rule, a, fmt.Sprintf("the answers differ from byte %d on", differAt(one, two)))
	}
}

func differAt(a, b string) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

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

const (
	ruleAbsent = "a row of the other tenant is not as one that never was"
	ruleHidden = "what is hidden is not as what does not exist"
	ruleCursor = "a cursor opens what it was not made for, or is refused in words of its own"
	ruleChange = "the answer changes with the other tenant's rows"
)

// absent compares keys of the other tenant with keys of nobody.
func (k *kit) absent(s *side, name string) {
	for _, foreign := range firstTwo(k.foreignIDs(s, name)) {
		nobody := k.nobody(name, foreign)
		if nobody == "" {
			continue
		}
		get := func(id string) request { return k.tool("get", args{"resource": name, "id": id}) }
		ids := func(id string) request {
			return k.tool("list", args{"resource": name, "ids": []string{id}, "count": "exact"})
		}
		read := func(id string) request {
			return request{Method: "resources/read", Params: args{"uri": rowURI(name, id)}}
		}
		for _, call := range []func(string) request{get, ids, read} {
			k.pair(ruleAbsent, s.tenant.Token, call(foreign), call(nobody), rowURI(name, foreign), rowURI(name, nobody), foreign, nobody)
		}
	}
}

// nobody is a key like another that no row of either tenant has.
func (k *kit) nobody(name, like string) string {
	for at := len(like) - 1; at >= 0; at-- {
		for _, c := range "9876543210" {
			id := like[:at] + string(c) + like[at+1:]
			if strings.IndexByte("0123456789", like[at]) < 0 || at == 0 && c == '0' {
				continue
			}
			taken := func(s *side) bool { return s.known[name] != nil && slices.Contains(s.known[name].ids, id) }
			if !slices.ContainsFunc(k.sides[:], taken) {
				return id
			}
		}
	}
	return ""
}

// cursors tries a cursor where it must not open. All refusals are the same.
func (k *kit) cursors(s *side, name string) {
	first := args{"resource": name, "limit": 1}
	own, foreign := k.cursor(s.tenant.Token, first), k.cursor(k.other(s).tenant.Token, first)
	if own == "" {
		return
	}
	bad := k.tool("list", args{"resource": name, "limit": 1, "cursor": "AAAA"})
	if foreign != "" {
		k.refused(s, bad, args{"resource": name, "limit": 1, "cursor": foreign})
	}
	k.refused(s, bad, args{"resource": name, "limit": 1, "cursor": flipped(own)})
	k.refused(s, bad, args{"resource": name, "limit": 1, "cursor": own, "ids": k.sides[0].idsOr(name)})
	for _, other := range s.names {
		if other != name {
			k.refused(s, bad, args{"resource": other, "limit": 1, "cursor": own})
		}
	}
	if kn := s.known[name]; len(kn.schema.Sortable) > 0 {
		k.refused(s, bad, args{"resource": name, "limit": 1, "cursor": own, "sort": []string{"-" + kn.schema.Sortable[0]}})
	}
}

func (s *side) idsOr(name string) []string {
	if kn := s.known[name]; kn != nil && len(kn.ids) > 0 {
		return kn.ids[:1]
	}
	return []string{"1"}
}

func (k *kit) refused(s *side, bad request, a args) {
	k.pair(ruleCursor, s.tenant.Token, k.tool("list", a), bad)
}

func (k *kit) cursor(token string, a args) string {
	doc, _ := k.send(token, k.tool("list", maps.Clone(a))).answer()
	meta, _ := doc["meta"].(map[string]any)
	text, _ := meta["next_cursor"].(string)
	return text
}

// flipped is a cursor with one bit of its middle turned.
func flipped(cursor string) string {
	raw, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil || len(raw) == 0 {
		return cursor + "A"
	}
	raw[len(raw)/2] ^= 1
	return base64.RawURLEncoding.EncodeToString(raw)
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
		func(n string) request { return k.tool("list", args{"resource": n, "sort": []string{"id"}, "count": "exact"}) },
		func(n string) request { return k.tool("get", args{"resource": n, "id": "1"}) },
		func(n string) request { return k.tool("resource_schema", args{"resource": n}) },
		func(n string) request { return k.tool("aggregate", args{"resource": n}) },
		func(n string) request { return request{Method: "resources/read", Params: args{"uri": "tenantry://" + n}} },
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
		if dotted {
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

// change alters the rows of one tenant and repeats the attack of the other.
func (k *kit) change() error {
	for _, s := range k.sides {
		for i, change := range k.app.Changes {
			if err := change(k.ctx, k.other(s).mark); err != nil {
				return fmt.Errorf("change %d of mark %d: %w", i+1, k.other(s).mark.n, err)
			}
			k.repeat(s)
		}
		if other := k.other(s); len(k.app.Changes) > 0 {
			k.renew(other)
		}
	}
	return nil
}

// repeat compares every answer with the one before.
func (k *kit) repeat(s *side) {
	for _, e := range s.script {
		k.report.Pairs++
		if now := k.send(e.token, e.request).stable(); now != e.stable {
			k.leak(ruleChange, e.request, fmt.Sprintf("the answers differ from byte %d on", differAt(now, e.stable)))
		}
	}
}

// renew takes the answers as they are now: the tenant's own rows have changed.
func (k *kit) renew(s *side) {
	for i, e := range s.script {
		s.script[i].stable = k.send(e.token, e.request).stable()
	}
}
