package descriptor

import (
	"slices"

	"github.com/tenantry/tenantry/resource"
)

// readRelations reads the relations in the order of the file.
func (d *draft) readRelations() {
	fields := d.fieldNames()
	for _, e := range d.get("relations").entries() {
		if goodName(e) && slices.Contains(fields, e.key) {
			e.r.fail(e.keyLine, e.path, "a field has the same name; fields and relations share one namespace")
		}
		o := e.object("to", "fk", "their_fk", "through", "one", "polymorphic")
		if o.members == nil && !o.empty() {
			continue
		}
		d.spec.Relations = append(d.spec.Relations, d.relation(e.key, o))
	}
}

// relation tells the forms of a relation apart by the keys they are made of.
func (d *draft) relation(name string, o object) resource.Relation {
	switch o.form([]string{"to", "polymorphic"}) {
	case "polymorphic":
		return polymorphic(name, o)
	case "":
		return resource.Relation{}
	}
	to, ok := o.get("to").filled()
	if ok {
		d.targets = append(d.targets, o.get("to"))
	}
	fk, theirs, through := o.get("fk"), o.get("their_fk"), o.get("through")
	one, _ := o.get("one").boolean()
	switch {
	case through.present():
		return manyToMany(name, to, o)
	case fk.present() && theirs.present():
		o.fail("fk is for a key here and their_fk for a key there: write one of them, or through: for a join table")
	case fk.present() && o.get("one").present():
		o.get("one").fail("goes with their_fk: a relation with fk leads to one row by itself")
	case fk.present():
		return resource.BelongsTo(name, to, fk.names()...)
	case theirs.present() && one:
		return resource.HasOne(name, to, theirs.names()...)
	case theirs.present():
		return resource.HasMany(name, to, theirs.names()...)
	case to != "":
		o.fail("needs fk (the key is here), their_fk (the key is there) or through (a join table)")
	}
	return resource.Relation{}
}

func polymorphic(name string, o object) resource.Relation {
	o.only("polymorphic")
	p := o.get("polymorphic").object("type", "id")
	typ, _ := p.need("type", "the column that names the kind of the row it leads to").filled()
	id, _ := p.need("id", "the column that holds the key of the row it leads to").filled()
	return resource.Polymorphic(name, typ, id)
}

func manyToMany(name, to string, o object) resource.Relation {
	o.only("through", "to", "fk", "their_fk")
	through, _ := o.get("through").filled()
	fk := o.need("fk", "the columns of the join table that hold this resource's key").names()
	theirs := o.need("their_fk", "the columns of the join table that hold the other resource's key").names()
	return resource.ManyToMany(name, to, through, fk, theirs)
}
