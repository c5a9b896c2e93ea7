package serializer

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
)

// declared is one tagged struct field, before names are compared.
type declared struct {
	Field
	place
	goName   string
	computed bool // else a column
	hidden   bool // not shown, only read
}

// place says where in the root struct a field stands.
type place struct {
	where  string // Type.Field, for messages
	index  []int
	within []reflect.Type // the struct types around it
}

// walker collects the members of a struct type and everything that is wrong with them.
type walker struct {
	found []declared
	errs  []error
}

func (w *walker) fail(at place, err error) {
	if err != nil {
		w.errs = append(w.errs, fmt.Errorf("%s: %w", at.where, err))
	}
}

func (w *walker) walk(t reflect.Type, at place) {
	for i := range t.NumField() {
		f := t.Field(i)
		here := place{at.where + "." + f.Name, append(slices.Clip(at.index), i), append(slices.Clip(at.within), t)}
		tags, err := parseTags(f.Tag)
		if err == nil {
			err = w.field(f, tags, here)
		}
		w.fail(here, err)
	}
}

func (w *walker) field(f reflect.StructField, t tags, at place) error {
	name, err := t.name()
	if err != nil {
		return err
	}
	embedded := embeddedStruct(f)
	switch {
	case t["json"] == "-":
		return w.hide(f, t, at)
	case embedded != nil && name == "":
		return w.flatten(f, t, at)
	case !f.IsExported():
		return t.only("an unexported field")
	case name == "":
		name = snake(f.Name)
	}
	d := declared{place: at, goName: f.Name}
	d.Field = Field{Name: name, Description: t["desc"], Requires: t["requires"]}
	if f.Type == reflect.TypeFor[Computed]() {
		d.computed = true
		d.Reads, err = t.reads()
		w.found = append(w.found, d)
		return errors.Join(err, t.only("a computed member", "json", "desc", "requires", "reads"))
	}
	d.Column, err = t.column(name)
	w.found = append(w.found, d)
	return errors.Join(err, t.only("a column", "json", "db", "desc", "requires"))
}

// hide keeps a field that is not shown for computed members to read, if it says its column.
func (w *walker) hide(f reflect.StructField, t tags, at place) error {
	if column, given := t["db"]; given && column != "-" {
		if !f.IsExported() {
			return t.only("an unexported field")
		}
		d := declared{place: at, hidden: true}
		var err error
		if d.Column, err = t.column(""); err != nil {
			return err
		}
		w.found = append(w.found, d)
	}
	return t.only("a field that is not shown", "json", "db")
}

// embeddedStruct returns the struct type of an embedded field, also behind a pointer, or nil.
func embeddedStruct(f reflect.StructField) reflect.Type {
	t := f.Type
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if !f.Anonymous || t.Kind() != reflect.Struct {
		return nil
	}
	return t
}

func (w *walker) flatten(f reflect.StructField, t tags, at place) error {
	embedded, before := embeddedStruct(f), len(w.found)
	switch {
	case slices.Contains(at.within, embedded):
		return errors.New("the struct embeds itself")
	case f.Type.Kind() == reflect.Pointer && !f.IsExported():
		return errors.New("an embedded pointer to an unexported struct cannot be filled; embed the struct itself")
	}
	broken := len(w.errs)
	w.walk(embedded, at)
	if len(w.found) == before && len(w.errs) == broken {
		return errors.New("the embedded struct has no field to show; give it a json name to show it as one column")
	}
	return t.only("an embedded struct without a json name", "json")
}

// members returns what was found without the names that a lesser depth hides. A name that stands twice
// at its least depth is a mistake.
func (w *walker) members() []declared {
	first := map[string]declared{}
	for _, d := range w.found {
		if rival, taken := first[d.Name]; !taken || len(d.index) < len(rival.index) {
			first[d.Name] = d
		}
	}
	for _, d := range w.found {
		rival := first[d.Name]
		if !d.hidden && d.where != rival.where && len(d.index) == len(rival.index) {
			w.fail(d.place, fmt.Errorf("the public name %q is that of %s too", d.Name, rival.where))
		}
	}
	return slices.DeleteFunc(w.found, func(d declared) bool {
		return !d.hidden && first[d.Name].where != d.where
	})
}

// columnsOf returns the columns that computed members may read, each once.
func columnsOf(members []declared) []string {
	var columns []string
	for _, d := range members {
		if !d.computed && !slices.Contains(columns, d.Column) {
			columns = append(columns, d.Column)
		}
	}
	return columns
}
