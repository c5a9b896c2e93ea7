package filtering

import (
	"slices"

	"github.com/tenantry/tenantry/resource"
)

// companions reports every key of the object whose companion does not stand beside it with a plain
// equality to one value.
func (p *parser) companions(v value, path *place) {
	for _, m := range v.members {
		key := p.keys.find(m.name)
		if key == nil || key.Companion == "" || m.again {
			continue
		}
		if beside := v.member(key.Companion); beside != nil && pins(*beside) {
			continue
		}
		f := wrong("%s needs %s beside it, equal to one value that is neither null nor empty; send both",
			resource.Echo(key.Name), resource.Echo(key.Companion))
		p.fail(path.below(m.name), f.like(p.keys.example(key)))
	}
}

// pins reports whether what stands under a key holds it to one value.
func pins(v value) bool {
	switch v.kind {
	case objectKind:
		op, operand := v.member("op"), v.member("value")
		return op != nil && operand != nil && op.text == string(resource.Eq) && pinning(*operand)
	case arrayKind:
		return slices.ContainsFunc(v.items, func(item value) bool { return item.kind == objectKind && pins(item) })
	default:
		return pinning(v)
	}
}

func pinning(v value) bool { return v.plain() && v.text != "" }
