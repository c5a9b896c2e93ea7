package descriptor

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/tenantry/tenantry/resource"
)

// entry is one key of a mapping with its value.
type entry struct {
	key     string
	keyLine int
	place
}

// entries reads a mapping whose keys are names of the host's own, in the order of the file.
func (p place) entries() []entry {
	if !p.want("a mapping", p.is(yaml.MappingNode)) {
		return nil
	}
	var out []entry
	first := map[string]int{}
	for i := 0; i+1 < len(p.node.Content); i += 2 {
		key, value := p.node.Content[i], p.node.Content[i+1]
		if !p.goodKey(key) {
			continue
		}
		if line, again := first[key.Value]; again {
			p.r.fail(key.Line, p.path, "the key%s is written twice, first on line %d", p.named(key.Value), line)
			continue
		}
		first[key.Value] = key.Line
		out = append(out, entry{key.Value, key.Line, p.child(key, value)})
	}
	return out
}

func (p place) child(key, value *yaml.Node) place {
	line := key.Line
	if value.Kind == yaml.ScalarNode {
		line = value.Line
	}
	return place{r: p.r, node: value, path: join(p.path, key.Value), line: line}
}

func (p place) goodKey(key *yaml.Node) bool {
	switch {
	case key.Tag == mergeTag:
		p.r.fail(key.Line, p.path, "a merge key (<<) is not used in this file: write the members out")
	case key.Kind != yaml.ScalarNode || key.Anchor != "" || key.Style&yaml.TaggedStyle != 0:
		p.r.fail(key.Line, p.path, "a key is plain text, without anchor, alias or tag")
	case key.Tag != strTag:
		p.r.fail(key.Line, p.path, "a key is text: put a key that looks like %s in quotes", describe(key))
	case strings.Contains(key.Value, "${"):
		p.r.fail(key.Line, p.path, "a key is never expanded: write the name itself")
	default:
		return true
	}
	return false
}

// items reads a list.
func (p place) items() []place {
	if !p.want("a list", p.is(yaml.SequenceNode)) {
		return nil
	}
	out := make([]place, len(p.node.Content))
	for i, n := range p.node.Content {
		out[i] = place{r: p.r, node: n, path: p.path, line: n.Line}
	}
	return out
}

// distinct reads a list of names. An empty name and a name twice are mistakes, and left out.
func (p place) distinct() (out []place) {
	seen := map[string]bool{}
	for _, item := range p.items() {
		s, ok := item.filled()
		switch {
		case !ok:
		case seen[s]:
			item.fail("%s is named twice", item.shown())
		default:
			seen[s] = true
			out = append(out, item)
		}
	}
	return out
}

// list is distinct as text.
func (p place) list() (out []string) {
	for _, item := range p.distinct() {
		out = append(out, item.node.Value)
	}
	return out
}

// names is list that takes one name as text, too.
func (p place) names() []string {
	if p.is(yaml.SequenceNode) {
		if p.empty() {
			p.fail("is an empty list: write a name")
		}
		return p.list()
	}
	if !p.want("a name or a list of names", p.scalar(strTag)) {
		return nil
	}
	if s, ok := p.filled(); ok {
		return []string{s}
	}
	return nil
}

// named is name behind a blank, or nothing where the key may be a secret.
func (p place) named(key string) string {
	if p.private {
		return ""
	}
	return " " + name(key)
}

// name quotes a key for a message. It ends at the first character that no key of the format has: a
// forgotten blank makes token:SECRET one key.
func name(key string) string {
	end := strings.IndexFunc(key, func(c rune) bool { return strings.ContainsRune(":=,;@/ \t\n", c) })
	if end >= 0 {
		key = key[:end] + "…"
	}
	return resource.Echo(key)
}

func join(path, key string) string {
	if path == "" {
		return resource.Clip(key)
	}
	return path + "." + resource.Clip(key)
}
