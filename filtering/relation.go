package filtering

import (
	"slices"
	"strings"

	"github.com/Masterminds/squirrel"
)

// Relation leads from the rows of a resource to related rows, as conditions go through it.
type Relation struct {
	// Name is the public name, which stands before the dot of a filter key.
	Name string

	// Keys are what the related rows can be filtered by. Their conditions are over the related row,
	// which has the alias t where they stand.
	Keys *Keys

	// Columns are those of this row that lead to the related ones.
	Columns []string

	// Wrap makes the condition "some related row that the caller may read fulfils condition" over this
	// row. Columns are those of the related row that the condition reads; all says that a condition of
	// the host is in it, which may read any.
	Wrap func(columns []string, all bool, condition string) string

	// Args are the arguments of what Wrap puts before the condition. It puts none behind.
	Args []any

	// Down reports whether the related rows are out of service, so that a filter through the relation is
	// refused. Nil: never.
	Down func() bool
}

// With returns the same keys with relations to lead on through. Of equal names the first counts.
func (k *Keys) With(relations []Relation) *Keys {
	out := &Keys{relations: slices.Clone(relations)}
	if k != nil {
		out.keys, out.names = k.keys, k.names
	}
	return out
}

// Relation returns the relation of that name.
func (k *Keys) Relation(name string) (Relation, bool) {
	if r := k.relation(name); r != nil {
		return *r, true
	}
	return Relation{}, false
}

func (k *Keys) relation(name string) *Relation {
	if k == nil {
		return nil
	}
	i := slices.IndexFunc(k.relations, func(r Relation) bool { return r.Name == name })
	if i < 0 {
		return nil
	}
	return &k.relations[i]
}

// MaxHops is how many relations stand before a key, at most.
const MaxHops = 2

// descend follows the relations that a name begins with, as far as they are known. Prefix is what it has
// followed, with its dots, and rest what is left: nothing for the name of a relation alone.
func (k *Keys) descend(name string) (at *Keys, prefix, rest string) {
	at, rest = k, name
	for {
		first, after, dotted := strings.Cut(rest, ".")
		r := at.relation(first)
		if r == nil {
			return at, prefix, rest
		}
		at, prefix, rest = r.Keys, prefix+first+".", after
		if !dotted {
			return at, prefix, ""
		}
	}
}

// behind returns the names of the keys, with a prefix before them.
func (k *Keys) behind(prefix string) []string {
	names := k.Names()
	for i := range names {
		names[i] = prefix + names[i]
	}
	return names
}

// onward returns the names of the keys behind one more relation.
func (k *Keys) onward(prefix string) (out []string) {
	if k == nil {
		return nil
	}
	for i := range k.relations {
		out = append(out, k.relations[i].Keys.behind(prefix+k.relations[i].Name+".")...)
	}
	return out
}

// reach finds a key behind a relation. The copy has the whole name, and so has its companion.
func (k *Keys) reach(name string) *Key {
	first, rest, _ := strings.Cut(name, ".")
	r := k.relation(first)
	if r == nil {
		return nil
	}
	inner := r.Keys.find(rest)
	if inner == nil {
		return nil
	}
	key := *inner
	key.Name = name
	key.down = inner.down || r.Down != nil && r.Down()
	key.path = append([]*Relation{r}, inner.path...)
	if key.Companion != "" {
		key.Companion = first + "." + key.Companion
	}
	return &key
}

// through holds when some related row fulfils the part.
type through struct {
	rel  *Relation
	part node
}

func (t through) sql(d Dialect) squirrel.Sqlizer { return throughSQL{t, d} }

func (t through) args(dst []any, d Dialect) []any {
	return t.part.args(append(dst, t.rel.Args...), d)
}

func (t through) encode(dst []byte, values bool) []byte {
	dst = append(appendText(dst, t.rel.Name), ">("...)
	return append(t.part.encode(dst, values), ')')
}

type throughSQL struct {
	through
	d Dialect
}

// ToSql wraps the part.
func (t throughSQL) ToSql() (string, []any, error) {
	sql, args, err := t.part.sql(t.d).ToSql()
	columns, all := uses(t.part)
	return "(" + t.rel.Wrap(columns, all, sql) + ")", slices.Concat(t.rel.Args, args), err
}

// related collects the conditions of one object that go through relations.
type related struct{ hops []*hop }

// hop is a relation and the conditions that one row behind it fulfils together.
type hop struct {
	rel   *Relation
	parts []node
	related
}

// add files a condition. A positive one joins the others behind the same relations; a negative one is
// the complement of its positive by itself, and is returned.
func (r *related) add(path []*Relation, n node) (complement node) {
	if positive, negative := affirm(n); negative {
		for _, rel := range slices.Backward(path) {
			positive = through{rel, positive}
		}
		return negation{positive}
	}
	at := r
	var last *hop
	for _, rel := range path {
		last = at.hop(rel)
		at = &last.related
	}
	last.parts = append(last.parts, n)
	return nil
}

func (r *related) hop(rel *Relation) *hop {
	for _, h := range r.hops {
		if h.rel.Name == rel.Name {
			return h
		}
	}
	h := &hop{rel: rel}
	r.hops = append(r.hops, h)
	return h
}

// affirm returns the condition that a negative one is the complement of.
func affirm(n node) (positive node, negative bool) {
	switch n := n.(type) {
	case negation:
		return n.part, true
	case nullTest:
		negative, n.not = n.not, false
		return n, negative
	default:
		return n, false
	}
}

// node is what has been collected behind the relation.
func (h *hop) node() node {
	parts := slices.Clone(h.parts)
	for _, inner := range h.hops {
		parts = append(parts, inner.node())
	}
	return through{h.rel, join(false, parts)}
}
