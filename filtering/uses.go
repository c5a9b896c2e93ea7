package filtering

import "slices"

// Uses returns the columns that the filter compares, each once, and whether a condition of the host is
// in it, which may read any column of the row.
func (f Filter) Uses() (columns []string, custom bool) {
	if f.Empty() {
		return nil, false
	}
	walk(f.root, func(k *Key) {
		switch {
		case k.Custom != nil:
			custom = true
		case !slices.Contains(columns, k.Column.Name):
			columns = append(columns, k.Column.Name)
		}
	})
	return columns, custom
}

// walk visits the key of every comparison.
func walk(n node, visit func(*Key)) {
	switch n := n.(type) {
	case leaf:
		visit(n.key)
	case nullTest:
		visit(n.key)
	case hosted:
		visit(n.key)
	case negation:
		walk(n.part, visit)
	case group:
		for _, part := range n.parts {
			walk(part, visit)
		}
	}
}
