package filtering

import "slices"

// Uses returns the columns of the row that the filter compares or follows, each once, and whether a
// condition of the host is in it, which may read any column of the row.
func (f Filter) Uses() (columns []string, custom bool) {
	if f.Empty() {
		return nil, false
	}
	return uses(f.root)
}

func uses(n node) (columns []string, custom bool) {
	add := func(names ...string) {
		for _, name := range names {
			if !slices.Contains(columns, name) {
				columns = append(columns, name)
			}
		}
	}
	walk(n, func(n node) {
		switch n := n.(type) {
		case leaf:
			add(n.key.Column.Name)
		case nullTest:
			add(n.key.Column.Name)
		case hosted:
			custom = true
		case through:
			add(n.rel.Columns...)
		}
	})
	return columns, custom
}

// walk visits every condition over the row itself.
func walk(n node, visit func(node)) {
	switch n := n.(type) {
	case negation:
		walk(n.part, visit)
	case group:
		for _, part := range n.parts {
			walk(part, visit)
		}
	default:
		visit(n)
	}
}
