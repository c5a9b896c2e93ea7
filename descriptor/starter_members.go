package descriptor

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/resource"
)

// members decides what a resource shows of its table, and by what callers find and order its rows.
func (st *starter) members(p *part) {
	led := p.led(st.column)
	for _, c := range p.Columns {
		switch why := p.hides(c); {
		case c.Name == st.column: // a caller knows its tenant
			continue
		case why != "":
			p.skipped = append(p.skipped, fmt.Sprintf("%s (%s)", plainOrQuoted(c.Name), why))
			continue
		}
		name := publicName(c.Name, "field", func(n string) bool { return !p.names(n) && !p.columnElse(n, c.Name) })
		p.fields = append(p.fields, member{name, c})
		indexed := slices.Contains(led, c.Name)
		if c.Type.Operators() != nil && (indexed || few(c.Type)) {
			p.filterable = append(p.filterable, name)
		}
		if c.Type.Sortable() && indexed {
			p.sortable = append(p.sortable, name)
		}
		if timestamp(c) && is(c.Name, "updated", "at") {
			p.updatedAt = c.Name
		}
	}
}

// few reports whether a type has few values, which callers choose among.
func few(t resource.Type) bool { return t.Kind == resource.Enum || t.Kind == resource.Boolean }

// hides says why a column is no field, or nothing.
func (p *part) hides(c executors.Column) string {
	switch {
	case !holds(c.Name):
		return "its name is no text"
	case p.secret(c):
		return "looks like a secret"
	case c.Type.Name == "tsvector":
		return "repeats the text of other columns for searching"
	case deletion(c):
		return "null in every row that is shown"
	default:
		return ""
	}
}

// deletion reports whether rows are marked as deleted by the column.
func deletion(c executors.Column) bool {
	return c.Nullable && timestamp(c) && is(c.Name, "deleted", "at")
}

func timestamp(c executors.Column) bool {
	return c.Type.Kind == resource.Timestamp || c.Type.Kind == resource.TimestampTZ
}

// is reports whether a name consists of the words.
func is(name string, want ...string) bool {
	return plainText.MatchString(name) && slices.Equal(words(name), want)
}

// led are the columns that an index serves: its first, or the one behind what the scope binds.
func (p *part) led(tenantColumn string) (out []string) {
	lead := p.fk
	if p.parent == nil {
		lead = []string{tenantColumn}
	}
	for _, index := range p.Indexes {
		out = append(out, index[0])
		n := len(lead)
		if len(index) > n && same(index[:n], lead) {
			out = append(out, index[n])
		}
	}
	return out
}

// same reports whether two lists have the same names, in any order.
func same(a, b []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

// names reports whether a field or relation has the name.
func (p *part) names(name string) bool {
	return slices.ContainsFunc(p.fields, func(m member) bool { return m.name == name }) ||
		slices.ContainsFunc(p.relations, func(l link) bool { return l.name == name })
}

// columnElse reports whether another column has the name: a renamed field would take it away.
func (p *part) columnElse(name, column string) bool {
	_, ok := p.Column(name)
	return ok && name != column
}

// resourceName is the table's name, with its schema where another table has it.
func (st *starter) resourceName(p *part) string {
	free := func(n string) bool {
		return !slices.ContainsFunc(st.chosen, func(q *part) bool { return q.name == n })
	}
	if name := publicName(p.Name.Name, "table", nil); free(name) {
		return name
	}
	return publicName(p.Name.Schema+"_"+p.Name.Name, "table", free)
}

const maxName = 64

// publicName makes a name that the contract allows, and that is free, of one that the database has.
func publicName(name, otherwise string, free func(string) bool) string {
	name = strings.NewReplacer(".", "_", ",", "_", "${", "_").Replace(name)
	name = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) { // nor what turns the reading direction around
			return '_'
		}
		return r
	}, name)
	name = clip(strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(name), "-[{")), maxName)
	if name == "" {
		name = otherwise
	}
	if resource.CheckName(name) != nil { // a word of the contract
		name = clip(name, maxName-1) + "_"
	}
	for n, base := 2, name; free != nil && !free(name); n++ {
		end := "_" + strconv.Itoa(n)
		name = clip(base, maxName-len(end)) + end
	}
	return name
}

// clip cuts a text to a number of characters, without a blank at its end.
func clip(s string, most int) string {
	if utf8.RuneCountInString(s) > most {
		s = string([]rune(s)[:most])
	}
	return strings.TrimSpace(s)
}

// plainText is what needs no quotes anywhere.
var plainText = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// plainOrQuoted is a name for a comment, on one line whatever it holds.
func plainOrQuoted(name string) string {
	if plainText.MatchString(name) {
		return name
	}
	return strconv.Quote(name)
}
