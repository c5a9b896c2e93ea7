package isolationtest

import (
	"encoding/base64"
	"fmt"
	"maps"
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
	for _, kind := range []string{"9876543210", "zyxwvutsrqponmlkjihgfedcba", "ZYXWVUTSRQPONMLKJIHGFEDCBA"} {
		for at := len(like) - 1; at >= 0; at-- {
			for _, c := range kind {
				id := like[:at] + string(c) + like[at+1:]
				if strings.IndexByte(kind, like[at]) < 0 || at == 0 && c == '0' {
					continue
				}
				taken := func(s *side) bool { return s.known[name] != nil && slices.Contains(s.known[name].ids, id) }
				if !slices.ContainsFunc(k.sides[:], taken) {
					return id
				}
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
