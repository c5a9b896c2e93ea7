package descriptor

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/tenantry/tenantry/tenant"
)

// draftScope is the permission scope of every resource in a draft, and of its one token.
const draftScope = "data:read"

// sampleTenants are keys of each kind, to be replaced.
var sampleTenants = map[tenant.Kind]string{
	tenant.KindInt: "1", tenant.KindUUID: "00000000-0000-0000-0000-000000000001", tenant.KindText: "example",
}

// write puts the draft into words.
func (st *starter) write(token Secret) ([]byte, error) {
	resources := mapping(false)
	for _, p := range st.chosen {
		add(resources, p.name, st.resource(p))
	}
	root := mapping(false)
	add(root, "database", &yaml.Node{Kind: yaml.ScalarNode, Value: "${DATABASE_URL}"})
	add(root, "require_rls", &yaml.Node{Kind: yaml.ScalarNode, Tag: boolTag, Value: "false"}).HeadComment = "true: no start without forced row policies and a role that they bind, the second wall between tenants.\n" +
		"Write true before other machines reach the server."
	add(root, "auth", st.auth(token))
	add(root, "defaults", pair("requires", str(draftScope))).HeadComment = "The permission scope of every resource that names none with requires: … of its own."
	add(root, "resources", resources)
	var b bytes.Buffer
	fmt.Fprintf(&b, "# A first draft, made of what the database says about itself: the tables with the column %s, and those that\n"+
		"# lead to one. Agents can read what stands here: take out what they should not, then say what the rest means.\n\n", plainOrQuoted(st.column))
	enc := yaml.NewEncoder(&b)
	enc.SetIndent(2)
	if err := enc.Encode(root); err != nil {
		return nil, err
	}
	if err := enc.Close(); err != nil {
		return nil, err
	}
	if len(st.left) > 0 {
		b.WriteString("\n# Left out:\n")
	}
	for _, l := range st.left {
		fmt.Fprintf(&b, "#   %s %s\n", plainOrQuoted(l.table), oneLine(l.why))
	}
	return b.Bytes(), nil
}

func (st *starter) auth(token Secret) *yaml.Node {
	key := str(sampleTenants[st.kind])
	if st.kind == tenant.KindInt {
		key = &yaml.Node{Kind: yaml.ScalarNode, Tag: intTag, Value: sampleTenants[st.kind]}
	}
	one := mapping(true)
	text := str(string(token))
	text.Style = yaml.DoubleQuotedStyle // whatever the token, it looks like one
	add(one, "token", text)
	add(one, "subject", str("developer"))
	add(one, "tenant", key)
	add(one, "scopes", list(draftScope))
	one.HeadComment = "For development, on this machine alone. Write one of your tenants: this token reads its rows."
	auth := mapping(false)
	add(auth, "static", &yaml.Node{Kind: yaml.SequenceNode, Content: []*yaml.Node{one}})
	return auth
}

func (st *starter) resource(p *part) *yaml.Node {
	n := mapping(false)
	add(n, "table", str(p.written))
	if !p.primary {
		add(n, "key", oneOrList(p.key))
	}
	if p.parent == nil {
		add(n, "scope", pair("column", str(st.column)))
	} else {
		via := pair("via", str(p.parent.name))
		add(via, "fk", oneOrList(p.fk))
		add(n, "scope", via)
	}
	if i := slices.IndexFunc(p.Columns, deletion); i >= 0 {
		add(n, "narrow", pair(p.Columns[i].Name, &yaml.Node{Kind: yaml.ScalarNode, Tag: nullTag, Value: "null"}))
	}
	add(n, "description", str(p.description()))
	fields := mapping(false)
	for _, m := range p.fields {
		add(fields, m.name, p.field(m))
	}
	comment := add(n, "fields", fields)
	for _, line := range p.skipped {
		comment.HeadComment = strings.TrimPrefix(comment.HeadComment+"\nleft out: "+line, "\n")
	}
	if len(p.filterable) > 0 {
		add(n, "filterable", list(p.filterable...))
	}
	if len(p.sortable) > 0 {
		add(n, "sortable", list(p.sortable...))
	}
	if p.updatedAt != "" {
		add(n, "updated_at", str(p.updatedAt))
	}
	p.writeRelations(n)
	return n
}

// field is empty where the column says it all.
func (p *part) field(m member) *yaml.Node {
	n := mapping(true)
	if m.name != m.column.Name {
		add(n, "column", str(m.column.Name))
	}
	if text := described(p.Comments[m.column.Name]); text != "" {
		add(n, "description", str(text))
	}
	if len(n.Content) == 0 {
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: nullTag}
	}
	return n
}

func (p *part) writeRelations(n *yaml.Node) {
	relations := mapping(false)
	for _, l := range p.relations {
		one := pair("to", str(l.to.name))
		if l.through != "" {
			add(one, "through", str(l.through))
		}
		if l.fk != nil {
			add(one, "fk", oneOrList(l.fk))
		}
		if l.theirs != nil {
			add(one, "their_fk", oneOrList(l.theirs))
		}
		if l.one {
			add(one, "one", &yaml.Node{Kind: yaml.ScalarNode, Tag: boolTag, Value: "true"})
		}
		add(relations, l.name, one)
	}
	if len(relations.Content) > 0 {
		add(n, "relations", relations)
	}
}

// description is what the database says of the table, else what its name does.
func (p *part) description() string {
	if text := described(p.Comment); text != "" {
		return text
	}
	w := words(p.name)
	if len(w) == 0 {
		return "Rows of the tenant."
	}
	first, size := utf8.DecodeRuneInString(w[0])
	return string(unicode.ToUpper(first)) + strings.Join(w, " ")[size:] + " of the tenant."
}

// maxDescription bounds what is taken over of a comment: agents read it on every call for a schema.
const maxDescription = 400

func described(comment string) string { return clip(oneLine(comment), maxDescription) }

// oneLine joins the words of a text with one blank, and leaves out what no text file holds.
func oneLine(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case !unicode.IsPrint(r):
			return -1
		default:
			return r
		}
	}, s)
	return strings.Join(strings.Fields(s), " ")
}

func mapping(flow bool) *yaml.Node {
	n := &yaml.Node{Kind: yaml.MappingNode}
	if flow {
		n.Style = yaml.FlowStyle
	}
	return n
}

// add appends a member and returns its key, for a comment. Keys are never expanded.
func add(n *yaml.Node, key string, value *yaml.Node) *yaml.Node {
	k := scalar(key)
	n.Content = append(n.Content, k, value)
	return k
}

// pair is a mapping on one line.
func pair(key string, value *yaml.Node) *yaml.Node {
	n := mapping(true)
	add(n, key, value)
	return n
}

func list(items ...string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle}
	for _, item := range items {
		n.Content = append(n.Content, str(item))
	}
	return n
}

func oneOrList(names []string) *yaml.Node {
	if len(names) == 1 {
		return str(names[0])
	}
	return list(names...)
}

// str is a text in which nothing is expanded.
func str(s string) *yaml.Node { return scalar(strings.ReplaceAll(s, "${", "$${")) }

// otherWords are texts that some readers of YAML, among them those of version 1.1, take for something else.
var otherWords = []string{"y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan", "inf"}

// scalar is a text without quotes where every reader of YAML takes it for one.
func scalar(s string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.ScalarNode, Tag: strTag, Value: s}
	if !plainText.MatchString(s) || slices.Contains(otherWords, strings.ToLower(s)) {
		n.Style = yaml.DoubleQuotedStyle
	}
	return n
}
