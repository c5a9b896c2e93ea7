package shop_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// column is a column of a generated table: a type by itself, behind a domain, or as elements of an array.
type column struct {
	base
	name     string
	declared string // the type as it is declared
	native   string // the type without domains
	depth    int    // 0 for a single value, 1 for an array, 2 for an array of printed arrays
}

// columns are every type in every form: as it is, behind a domain, and as arrays of it, of the domain and behind
// a domain of their own. The SQL makes the domains.
func columns(r *rand.Rand) (out []column, sql string) {
	for i, b := range bases {
		domain, list := fmt.Sprintf("d%d", i), fmt.Sprintf("l%d", i)
		sql += fmt.Sprintf("CREATE DOMAIN %s AS %s; CREATE DOMAIN d%s AS %s; CREATE DOMAIN %s AS %s[];\n", domain, b.name, domain, domain, list, b.name)
		out = append(out,
			column{base: b, declared: b.name, native: b.name},
			column{base: b, declared: of("", "d")(r) + domain, native: b.name},
			column{base: b, declared: of(b.name, domain)(r) + "[]", native: b.name + "[]", depth: 1},
			column{base: b, declared: list, native: b.name + "[]", depth: 1},
		)
		if i%9 == 0 {
			out = append(out, column{base: b, declared: list + "[]", native: "text[]", depth: 2})
		}
	}
	r.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	for i := range out {
		out[i].name = fmt.Sprintf("c%d", i)
	}
	return out, sql
}

// literal is SQL for a random value of the column, or for none.
func (c column) literal(r *rand.Rand) string {
	if r.IntN(8) == 0 {
		return "NULL"
	}
	text := ""
	switch c.depth {
	case 0:
		text = c.value(r)
	case 1:
		text = c.array(r)
	default:
		text = "{" + c.element(c.array(r)) + ",NULL," + c.element(c.array(r)) + "}"
	}
	return "'" + strings.ReplaceAll(text, "'", "''") + "'"
}

// array is the text of an array: empty, flat or of two dimensions, with nulls, some with bounds of their own.
func (c column) array(r *rand.Rand) string {
	delimiter := ","
	if c.base.name == "box" {
		delimiter = ";"
	}
	list := func() string {
		return "{" + c.element(c.value(r)) + delimiter + of("NULL", c.element(c.value(r)))(r) + "}"
	}
	table := "{" + list() + delimiter + list() + "}"
	return of("{}", list(), table, "[3:4]="+list(), "[-1:0][2:3]="+table)(r)
}

func (c column) element(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
}
