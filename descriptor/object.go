package descriptor

import (
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// object is a mapping whose keys are known.
type object struct {
	place
	members map[string]place // nil when the value is no mapping
}

// object reads a mapping with the given keys and reports every other key.
func (p place) object(keys ...string) object {
	o := object{place: p}
	for _, e := range p.entries() {
		if !slices.Contains(keys, e.key) {
			p.r.fail(e.keyLine, p.path, "unknown key%s: %s%s", p.named(e.key), nearest(e.key, keys), p.comma(e))
			continue
		}
		if o.members == nil {
			o.members = map[string]place{}
		}
		o.members[e.key] = e.place
	}
	return o
}

// comma ends the message about a key that is likely the rest of a text.
func (p place) comma(e entry) string {
	if p.node.Style&yaml.FlowStyle != 0 && e.scalar(nullTag) {
		return "; a text with a comma needs quotes inside { }"
	}
	return ""
}

// get returns a member, or an absent place.
func (o object) get(key string) place {
	if m, ok := o.members[key]; ok {
		return m
	}
	return place{r: o.r, path: join(o.path, key), line: o.line}
}

// need is get for a member that a mapping cannot do without.
func (o object) need(key, what string) place {
	m := o.get(key)
	if !m.present() && o.is(yaml.MappingNode) && !o.r.unusable[o.node] {
		m.fail("is required: %s", what)
	}
	return m
}

// form returns the one key of forms that is there, or reports that there is none or more than one.
func (o object) form(forms []string) string {
	var found []string
	for _, f := range forms {
		if o.get(f).present() {
			found = append(found, f)
		}
	}
	switch len(found) {
	case 1:
		return found[0]
	case 0:
		o.fail("needs one of %s", strings.Join(forms, ", "))
	default:
		o.fail("has %s, which exclude each other", strings.Join(found, " and "))
	}
	return ""
}

// only reports the known keys that the chosen form does not take.
func (o object) only(keys ...string) {
	for _, key := range slices.Sorted(maps.Keys(o.members)) {
		if !slices.Contains(keys, key) {
			o.get(key).fail("does not go with %s", keys[0])
		}
	}
}
