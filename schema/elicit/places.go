package elicit

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/tenantry/tenantry/schema"
	"github.com/tenantry/tenantry/schema/internal/words"
)

// places are the fields of a struct by their names in JSON, for messages and for their Go types. All else
// that is known of them comes from their JSON Schema.
type places struct {
	whole  string // the name of the struct
	fields []place
}

type place struct {
	name, where string // where is Type.Field
	sf          reflect.StructField
}

func placesOf(t reflect.Type) places {
	ps := places{whole: t.String()}
	if t.Kind() != reflect.Struct {
		return ps
	}
	for _, sf := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(sf.Tag.Get("json"), ",")
		switch {
		case !sf.IsExported() || name == "-":
			continue
		case name == "":
			name = sf.Name
		}
		owner := t
		if depth := len(sf.Index) - 1; depth > 0 {
			owner = unwrapped(t.FieldByIndex(sf.Index[:depth]).Type)
		}
		ps.fields = append(ps.fields, place{name: name, where: whereOf(owner, sf), sf: sf})
	}
	// Of one name that field counts which lies least deep.
	slices.SortStableFunc(ps.fields, func(a, b place) int { return len(a.sf.Index) - len(b.sf.Index) })
	return ps
}

func whereOf(owner reflect.Type, sf reflect.StructField) string {
	if owner.Name() == "" {
		return "struct." + sf.Name
	}
	return owner.Name() + "." + sf.Name
}

// of returns Type.Field of a property.
func (ps places) of(name string) string {
	for _, p := range ps.fields {
		if p.name == name {
			return p.where
		}
	}
	return ps.whole + "." + name
}

// typeOf returns the Go type of a property or of its elements, or nil.
func (ps places) typeOf(name string) reflect.Type {
	for _, p := range ps.fields {
		if p.name == name {
			return unwrapped(p.sf.Type)
		}
	}
	return nil
}

// at returns Type.Field of a pointer into the schema.
func (ps places) at(pointer string) string {
	for _, p := range ps.fields {
		prefix := "/properties/" + words.Escape(words.Clip(p.name))
		if pointer == prefix || strings.HasPrefix(pointer, prefix+"/") {
			return p.where
		}
	}
	return ps.whole
}

// tagged returns Type.Field of the field whose tag has this item.
func (ps places) tagged(item string) string {
	for _, p := range ps.fields {
		if strings.Contains(p.sf.Tag.Get("mcp"), item) {
			return p.where
		}
	}
	return ps.whole
}

// unwrapped returns what a pointer, a slice, an sql.Null or a schema.Opt is of.
func unwrapped(t reflect.Type) reflect.Type {
	for {
		switch get, ok := t.MethodByName("Get"); {
		case t.Kind() == reflect.Pointer, t.Kind() == reflect.Slice, t.Kind() == reflect.Array:
			t = t.Elem()
		case t.PkgPath() == "database/sql" && t.Kind() == reflect.Struct && t.NumField() == 2 && t.Field(0).Name == "V":
			t = t.Field(0).Type
		case ok && strings.HasPrefix(t.Name(), "Opt[") && t.PkgPath() == optPackage:
			t = get.Type.Out(0)
		default:
			return t
		}
	}
}

// optPackage is where schema.Opt is.
var optPackage = reflect.TypeFor[schema.Opt[string]]().PkgPath()

const titlesMethod = "EnumTitles"

// titlesOf returns what a type's EnumTitles says, or nil where there is no such method.
func titlesOf(t reflect.Type) (map[string]string, error) {
	if t == nil {
		return nil, nil
	}
	m, ok := reflect.PointerTo(t).MethodByName(titlesMethod)
	if !ok {
		return nil, nil
	}
	if m.Type.NumIn() != 1 || m.Type.NumOut() != 1 || m.Type.Out(0) != reflect.MapOf(t, reflect.TypeFor[string]()) {
		return nil, fmt.Errorf("%s.%s must have no arguments and return map[%s]string", t.Name(), titlesMethod, t.Name())
	}
	titles, owners := map[string]string{}, map[string]string{}
	for k, v := range reflect.New(t).MethodByName(titlesMethod).Call(nil)[0].Seq2() {
		value, title := k.String(), v.String()
		if other, twice := owners[title]; twice {
			return nil, fmt.Errorf("%s gives %q and %q one title: nobody could tell them apart", titlesMethod, min(value, other), max(value, other))
		}
		titles[value], owners[title] = title, value
	}
	return titles, nil
}
