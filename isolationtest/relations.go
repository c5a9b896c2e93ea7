package isolationtest

import "strings"

// relations show, embed and filter through every relation.
func (g *generator) relations() {
	for _, r := range g.known.schema.Relationships {
		g.list(args{"fields": []string{r.Name}, "limit": pageOf})
		if r.Includable {
			g.list(args{"include": []string{r.Name}, "limit": pageOf})
			g.list(args{"include": []string{r.Name}, "limit": 2, "offset": 1, "count": "exact"})
		}
		for _, key := range r.FilterKeys {
			if strings.Contains(key, ".") {
				g.through(key, r.Target, strings.TrimPrefix(key, r.Name+"."), oneHop)
			}
		}
		if target := g.side.known[r.Target]; target != nil {
			for _, second := range target.schema.Relationships {
				for _, key := range second.FilterKeys {
					if strings.Contains(key, ".") {
						g.through(r.Name+"."+key, second.Target, strings.TrimPrefix(key, second.Name+"."), twoHops)
					}
				}
			}
		}
	}
}

// How many conditions go through one relation and through two. There are many keys behind two, and their
// operators are those of the same keys behind one.
const (
	oneHop  = 6
	twoHops = 1
)

// through filters by a key of related rows, in the first of so many ways.
func (g *generator) through(key, target, field string, most int) {
	f := filter{Type: "text", Operators: []string{"eq", "not_eq", "is_null"}}
	if kn := g.side.known[target]; kn != nil {
		for _, known := range kn.schema.Filters {
			if known.Key == field {
				f = known
			}
		}
	}
	if f.Requires != "" {
		return
	}
	all := g.conditions(f, field, target)
	for _, value := range all[:min(most, len(all))] {
		g.list(args{"filter": args{key: value}, "limit": pageOf, "count": "exact"})
	}
}
