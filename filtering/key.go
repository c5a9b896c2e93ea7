package filtering

import (
	"slices"
	"strings"

	"github.com/tenantry/tenantry/resource"
)

// Key is a name that a filter may use.
type Key struct {
	// Name is the public name.
	Name string

	// Column is what the key compares. Of a custom key only the Type counts, and the rest goes to
	// Dialect.Operand as it is.
	Column Column

	// Companion is the key that must stand beside this one with one plain value. Empty: none.
	Companion string

	// Custom is the condition of the host. Nil: the key compares its column.
	Custom *Custom

	// Description is for resource_schema.
	Description string

	path []*Relation // what leads to the row of the column; none for the row itself
	down bool        // it leads through a relation that is out of service
}

// Custom is a condition that the host wrote, rendered once.
type Custom struct {
	// SQL is the condition with ? for each of Args. It is put in parentheses.
	SQL string

	// Args are constants; a resource.Value among them stands for the caller's value.
	Args []any
}

// Operators returns the operators of the key in advertised order: those of its type, or eq alone for a
// custom filter.
func (k Key) Operators() []resource.Operator {
	if k.Custom != nil {
		return []resource.Operator{resource.Eq}
	}
	return k.Column.Type.Operators()
}

// Keys are the keys that one caller may use on one resource. A Keys is immutable and safe for
// concurrent use; nil holds no key.
type Keys struct {
	keys      []Key
	names     []string
	relations []Relation
}

// NewKeys returns the keys sorted by name. Names are unique; of two equal ones the first counts. A key
// whose companion is not among the keys is left out, since no filter could use it.
func NewKeys(keys []Key) *Keys {
	k := &Keys{keys: slices.Clone(keys)}
	slices.SortStableFunc(k.keys, func(a, b Key) int { return strings.Compare(a.Name, b.Name) })
	k.keys = slices.CompactFunc(k.keys, func(a, b Key) bool { return a.Name == b.Name })
	for before := -1; before != len(k.keys); {
		before = len(k.keys)
		k.keys = slices.DeleteFunc(k.keys, k.lonely())
	}
	for _, key := range k.keys {
		k.names = append(k.names, key.Name)
	}
	return k
}

// lonely returns the test for keys whose companion is absent, against the keys as they stand now.
func (k *Keys) lonely() func(Key) bool {
	have := make(map[string]bool, len(k.keys))
	for _, key := range k.keys {
		have[key.Name] = true
	}
	return func(key Key) bool { return key.Companion != "" && !have[key.Companion] }
}

// Names returns the names in order. The caller owns the slice.
func (k *Keys) Names() []string {
	if k == nil {
		return nil
	}
	return slices.Clone(k.names)
}

// All returns the keys in order of their names. The caller owns the slice.
func (k *Keys) All() []Key {
	if k == nil {
		return nil
	}
	return slices.Clone(k.keys)
}

// Find returns the key of that name, which may lead through relations: "customer.email".
func (k *Keys) Find(name string) (Key, bool) {
	if key := k.find(name); key != nil {
		return *key, true
	}
	return Key{}, false
}

func (k *Keys) find(name string) *Key {
	if k == nil {
		return nil
	}
	i, ok := slices.BinarySearch(k.names, name)
	if !ok {
		return k.reach(name)
	}
	return &k.keys[i]
}
