package executors

import (
	"slices"

	"github.com/tenantry/tenantry/resource"
)

// grammar is the one place where an agent reads how to filter.
const grammar = `filter is an object of filter keys, all of which must hold. ` +
	`A key takes a bare value (equality; an array means any of; null means is null), one {"op":…,"value":…}, or an array of such conditions, which must all hold. ` +
	`{"any":[{…},{…}]} holds when one of its objects does, {"not":{…}} when its object does not; both stand beside keys and nest. ` +
	`A key goes through a relation as "customer.email", through two at most: it holds when some related row fulfils it, and the conditions of one object on one relation are about the same related row. ` +
	`A string is one literal value: commas do not split it. matches, does_not_match, starts_with and ends_with are literal and ignore case. ` +
	`not_eq, not_in and does_not_match include rows without a value. ` +
	`Instants are RFC 3339 with an offset; a bare date means that whole day in UTC. Numbers that are too long for JSON are given and taken as text. ` +
	`A filter with "requires" needs that key beside it with one plain value.`

func format(t resource.Type) string {
	switch t.Kind {
	case resource.Date:
		return "YYYY-MM-DD"
	case resource.TimestampTZ:
		return "RFC 3339 in UTC, six decimals"
	case resource.Timestamp:
		return "YYYY-MM-DDTHH:MM:SS.ffffff without an offset"
	case resource.Numeric:
		return "decimal as text"
	case resource.BigInt:
		return "number, or its digits as text beyond 2^53"
	case resource.Bytea:
		return "base64"
	default:
		return ""
	}
}

// examples are arguments of list that succeed on this resource for this caller.
func examples(bd *bound, v *view) []map[string]any {
	name := bd.res.Name()
	out := []map[string]any{{"resource": name, "limit": 5}}
	if ex := filterExample(v); ex != nil {
		out = append(out, map[string]any{"resource": name, "filter": ex})
	}
	if ex := rangeExample(v); ex != nil {
		out = append(out, map[string]any{"resource": name, "filter": ex, "count": "capped"})
	}
	last := map[string]any{"resource": name}
	if len(v.sortable) > 0 {
		last["sort"] = []string{"-" + v.sortable[0]}
	}
	if len(v.fields) > 0 {
		n := min(len(v.fields), 3)
		fields := make([]string, n)
		for i, f := range v.fields[:n] {
			fields[i] = f.Name
		}
		last["fields"] = fields
	}
	return append(out, last)
}

// filterExample is an equality, with its companion when it needs one.
func filterExample(v *view) map[string]any {
	for _, k := range v.keys.All() {
		value := sample(k.Column.Type)
		if value == nil {
			continue
		}
		ex := map[string]any{k.Name: value}
		if c, ok := v.keys.Find(k.Companion); ok && k.Companion != "" {
			if c.Companion != "" || sample(c.Column.Type) == nil {
				continue
			}
			ex[c.Name] = sample(c.Column.Type)
		}
		return ex
	}
	return nil
}

func rangeExample(v *view) map[string]any {
	for _, k := range v.keys.All() {
		value := sample(k.Column.Type)
		if k.Custom == nil && k.Companion == "" && value != nil && slices.Contains(k.Column.Type.Operators(), resource.Gteq) {
			return map[string]any{k.Name: map[string]any{"op": resource.Gteq, "value": value}}
		}
	}
	return nil
}

// sample is a value that a filter key of the type takes; nil when there is none worth showing.
func sample(t resource.Type) any {
	switch t.Kind {
	case resource.SmallInt, resource.Integer, resource.BigInt:
		return 1
	case resource.Numeric, resource.Real, resource.Double:
		return "19.90"
	case resource.Boolean:
		return true
	case resource.Text, resource.VarChar, resource.CIText, resource.Char, resource.Printed:
		return "text"
	case resource.UUID:
		return "6f1f2c9e-3b1a-4f0e-9a52-1f7f4c0d2b11"
	case resource.Enum:
		if len(t.Labels) > 0 {
			return t.Labels[0]
		}
		return nil
	case resource.Date:
		return "2026-07-01"
	case resource.Timestamp:
		return "2026-07-01T09:30:00" // a bare date is no value of a custom filter
	case resource.TimestampTZ:
		return "2026-07-01T09:30:00Z"
	case resource.Bytea, resource.XML, resource.JSON, resource.JSONB, resource.Array:
		return nil
	default:
		return nil
	}
}
