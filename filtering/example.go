package filtering

import "github.com/tenantry/tenantry/resource"

// sample is a value that a column of the type accepts, for examples.
func sample(t resource.Type) any {
	switch t.Kind {
	case resource.SmallInt, resource.Integer, resource.BigInt:
		return 10
	case resource.Real, resource.Double:
		return 1.5
	case resource.Numeric:
		return "19.90"
	case resource.Boolean:
		return true
	case resource.UUID:
		return "7d444840-9dc0-41d5-9f0a-1e0f5e2c8b11"
	case resource.Date:
		return "2026-07-01"
	case resource.Timestamp:
		return "2026-07-01T09:30:00"
	case resource.TimestampTZ:
		return "2026-07-01T09:30:00Z"
	case resource.Enum:
		return sampleLabel(t)
	case resource.JSONB:
		return map[string]any{"a": 1}
	case resource.Array:
		return sampleArray(t)
	case resource.Text, resource.VarChar, resource.CIText, resource.Char, resource.Printed,
		resource.Bytea, resource.XML, resource.JSON:
		return "abc"
	default:
		return "abc"
	}
}

func sampleLabel(t resource.Type) any {
	if len(t.Labels) == 0 {
		return "abc"
	}
	return t.Labels[0]
}

func sampleArray(t resource.Type) any {
	if t.Elem == nil {
		return []any{}
	}
	return []any{sample(*t.Elem)}
}

// fitting is a value that the operator accepts on the key.
func fitting(k *Key, op resource.Operator) any {
	switch op {
	case resource.IsNull:
		return true
	case resource.In, resource.NotIn:
		return []any{sample(k.Column.Type)}
	case resource.HasKey:
		return "a"
	default:
		return sample(k.Column.Type)
	}
}

func condition(op resource.Operator, v any) map[string]any {
	return map[string]any{"op": op, "value": v}
}

// beside is a filter of the key with v, and of the companions it needs.
func (k *Keys) beside(key *Key, v any) map[string]any {
	out := map[string]any{key.Name: v}
	for c := k.find(key.Companion); c != nil && out[c.Name] == nil; c = k.find(c.Companion) {
		out[c.Name] = sample(c.Column.Type)
	}
	return out
}

// example is a filter with one good condition on the key: a bare value where there is one.
func (k *Keys) example(key *Key) map[string]any {
	switch key.Column.Type.Kind {
	case resource.Array, resource.JSONB:
		return k.beside(key, condition(resource.Contains, sample(key.Column.Type)))
	default:
		return k.beside(key, sample(key.Column.Type))
	}
}

// any is a filter that the caller could send, or nil when there is no key for one.
func (k *Keys) any() any {
	if k == nil {
		return nil
	}
	for i := range k.keys {
		if takes(&k.keys[i], resource.Eq) {
			return k.example(&k.keys[i])
		}
	}
	return nil
}
