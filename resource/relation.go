package resource

// RelationKind says where the keys of a relation are and how many rows it leads to.
type RelationKind string

// The kinds of relation.
const (
	KindBelongsTo   RelationKind = "belongs_to"
	KindHasOne      RelationKind = "has_one"
	KindHasMany     RelationKind = "has_many"
	KindManyToMany  RelationKind = "many_to_many"
	KindPolymorphic RelationKind = "polymorphic"
)

// Relation leads from the rows of one resource to those of another, or of the same. The related rows obey
// their own resource's scope and permission; a caller who may not read the target, or not see a column of
// the foreign key, is not told of the relation. A foreign key has the columns of the key it names, in order,
// with or without the tenant column.
type Relation struct {
	Name    string
	Kind    RelationKind
	Target  string   // a registered resource; empty for a polymorphic relation
	Columns []string // belongs_to: the foreign key here, in the order of the target's key

	TheirColumns []string // has_one, has_many, many_to_many: the foreign key there, or in the join table
	Through      string   // many_to_many: the join table
	ThroughFK    []string // many_to_many: the columns of the join table that point here

	TypeColumn, IDColumn string // polymorphic
}

// BelongsTo is a to-one relation whose foreign key is here. Rows show it as it is stored, whether or not the
// caller finds a row by it.
func BelongsTo(name, target string, fk ...string) Relation {
	return Relation{Name: name, Kind: KindBelongsTo, Target: target, Columns: fk}
}

// HasOne is a to-one relation whose foreign key is there; of several such rows the first by key counts where
// one is shown. Rows show its key when a call names it.
func HasOne(name, target string, theirFK ...string) Relation {
	return Relation{Name: name, Kind: KindHasOne, Target: target, TheirColumns: theirFK}
}

// HasMany is a to-many relation whose foreign key is there. Rows show its keys when a call names it.
func HasMany(name, target string, theirFK ...string) Relation {
	return Relation{Name: name, Kind: KindHasMany, Target: target, TheirColumns: theirFK}
}

// ManyToMany is a to-many relation through a join table: fk points here, theirFK to the target. A join table
// that is a registered resource is read inside its scope; any other is read inside the tenant column of this
// resource, if it has one of that name. Rows show its keys when a call names it.
func ManyToMany(name, target, through string, fk, theirFK []string) Relation {
	return Relation{
		Name: name, Kind: KindManyToMany, Target: target,
		Through: through, ThroughFK: fk, TheirColumns: theirFK,
	}
}

// Polymorphic is a link whose target's type and id stand in two columns. It is shown, never followed.
func Polymorphic(name, typeColumn, idColumn string) Relation {
	return Relation{Name: name, Kind: KindPolymorphic, TypeColumn: typeColumn, IDColumn: idColumn}
}

// ToMany reports whether the relation leads to any number of rows.
func (r Relation) ToMany() bool { return r.Kind == KindHasMany || r.Kind == KindManyToMany }

// Linked reports whether the relation is shown as a link made of the row's own columns.
func (r Relation) Linked() bool { return r.Kind == KindBelongsTo || r.Kind == KindPolymorphic }

// LocalColumns returns the columns of this resource that the relation reads.
func (r Relation) LocalColumns() []string {
	switch r.Kind {
	case KindBelongsTo:
		return r.Columns
	case KindPolymorphic:
		return []string{r.TypeColumn, r.IDColumn}
	case KindHasOne, KindHasMany, KindManyToMany:
		return nil // the key of this resource
	default:
		return nil
	}
}
