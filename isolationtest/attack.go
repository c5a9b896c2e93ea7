package isolationtest

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// attack runs every call of every tenant and token.
func (k *kit) attack() {
	for _, s := range k.sides {
		calls := k.calls(s)
		for _, token := range append([]string{s.tenant.Token}, s.tenant.Fewer...) {
			for _, r := range calls {
				k.record(s, token, r)
			}
		}
	}
}

// record asks and keeps the exchange, to be repeated when the other tenant's rows have changed.
func (k *kit) record(s *side, token string, r request) {
	if k.failed != nil {
		return
	}
	k.serial++
	r.modern = k.serial%3 == 0
	got := k.ask(s, token, r)
	s.script = append(s.script, exchange{r, token, got.stable()})
	k.counts(s, token, r, got)
}

// ask sends a request of a tenant and looks for what is not its own.
func (k *kit) ask(s *side, token string, r request) reply {
	got := k.send(token, r)
	if mark := k.foreign(s, got); mark != "" {
		small := k.shrink(s, token, r)
		k.leak("a value of the other tenant in the reply", small, mark)
	}
	return got
}

// foreign is what of the other tenant stands in a reply.
func (k *kit) foreign(s *side, got reply) string {
	headers := got.headers()
	for _, text := range [][]byte{headers, got.body} {
		if mark := k.oracle.Foreign(text, got.sent, s.mark); mark != "" {
			return mark
		}
	}
	all := append(headers, got.body...)
	_, isError := got.answer()
	for i, text := range k.other(s).tenant.Texts {
		for _, form := range spellings(text) {
			if bytes.Contains(all, []byte(form)) && (!isError || !bytes.Contains(got.sent, []byte(spellings(text)[1]))) {
				return fmt.Sprintf("text %d of the other tenant", i+1)
			}
		}
	}
	return ""
}

// spellings are the ways in which a text stands in a header, in JSON, and in JSON within JSON; none of no text.
func spellings(text string) []string {
	if text == "" {
		return nil
	}
	inner := func(s string) string { return strings.TrimSuffix(strings.TrimPrefix(string(encode(s)), `"`), `"`) }
	once := inner(text)
	return []string{text, once, inner(once)}
}

// shown is a call as a report may show it.
func (k *kit) shown(r request) string {
	call := r.String()
	for _, s := range k.sides {
		for i, text := range s.tenant.Texts {
			for _, form := range slices.Backward(spellings(text)) {
				call = strings.ReplaceAll(call, form, fmt.Sprintf("(text %d)", i+1))
			}
		}
	}
	return call
}

func (k *kit) leak(rule string, r request, detail string) {
	call := k.shown(r)
	for _, l := range k.report.Leaks {
		if l.Rule == rule && l.Call == call {
			return
		}
	}
	k.report.Leaks = append(k.report.Leaks, Leak{rule, call, detail})
}

// counts compares a count with the rows that were counted: both are those of the tenant.
func (k *kit) counts(s *side, token string, r request, got reply) {
	args := r.arguments()
	if args["count"] != "exact" || args["limit"] != pageOf || args["offset"] != nil || args["cursor"] != nil {
		return
	}
	doc, bad := got.answer()
	meta, _ := doc["meta"].(map[string]any)
	if bad || meta["has_more"] != false || meta["total_count"] == nil {
		return
	}
	if fmt.Sprint(meta["total_count"]) != fmt.Sprint(meta["returned"]) {
		k.leak("a count of other rows than those that are shown", r, fmt.Sprintf("%v rows are shown and %v counted", meta["returned"], meta["total_count"]))
	}
	if k.aggregates(s) {
		k.groups(token, r, fmt.Sprint(meta["returned"]))
	}
}

// groups compares what aggregate counts with the rows of the same filter.
func (k *kit) groups(token string, r request, want string) {
	args := map[string]any{"resource": r.arguments()["resource"], "measures": []string{"count"}}
	if f := r.arguments()["filter"]; f != nil {
		args["filter"] = f
	}
	if r.arguments()["ids"] != nil || r.arguments()["updated_since"] != nil {
		return
	}
	call := k.tool("aggregate", args)
	doc, bad := k.send(token, call).answer()
	counted := membersOf(doc["groups"], "count")
	if !bad && len(counted) == 1 && counted[0] != want {
		k.leak("an aggregate of other rows than those that are shown", call, fmt.Sprintf("%s rows are shown and %s counted", want, counted[0]))
	}
}

func (k *kit) aggregates(s *side) bool {
	for _, kn := range s.known {
		if kn.schema.Aggregates != nil {
			return true
		}
	}
	return false
}
