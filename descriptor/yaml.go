package descriptor

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// maxDepth bounds nesting; the deepest sensible file has about ten levels.
const maxDepth = 64

// document parses the YAML text into its root value. It is false when there is nothing to read on.
func (r *reader) document(data []byte) (*yaml.Node, bool) {
	if len(data) > maxFile {
		r.fail(0, "", "the file is larger than %d bytes", maxFile)
		return nil, false
	}
	if line := badText(data); line > 0 {
		r.fail(line, "", "a character that a text file cannot hold: save it as UTF-8 without control characters")
		return nil, false
	}
	r.last = lines(data)
	dec := yaml.NewDecoder(bytes.NewReader(data))
	var doc, second yaml.Node
	if err := dec.Decode(&doc); err != nil {
		r.syntax(err)
		return nil, false
	}
	switch err := dec.Decode(&second); {
	case err == nil:
		r.fail(second.Line, "", "a second document begins here: one file holds one")
		return nil, false
	case !errors.Is(err, io.EOF):
		r.syntax(err)
		return nil, false
	}
	root := doc.Content[0]
	r.walk(root, 0)
	return root, true
}

// lines counts the lines of a text as an editor does.
func lines(data []byte) int {
	text := strings.TrimRight(string(data), "\r\n")
	return 1 + strings.Count(text, "\n") + strings.Count(text, "\r") - strings.Count(text, "\r\n")
}

// badText returns the line of the first byte that is not valid UTF-8 or a control character, or 0. The
// parser would refuse it without naming the line.
func badText(data []byte) int {
	line := 1
	for rest := data; len(rest) > 0; {
		c, n := utf8.DecodeRune(rest)
		switch {
		case c == '\n':
			line++
		case c == utf8.RuneError && n == 1, c < ' ' && c != '\t' && c != '\r', c == 0x7f:
			return line
		}
		rest = rest[n:]
	}
	return 0
}

var syntaxLine = regexp.MustCompile(`^line (\d+): `)

// syntax reports an error of the parser. Its texts are fixed, except the one that names an anchor, which
// may be an unquoted secret that begins with a star.
func (r *reader) syntax(err error) {
	if errors.Is(err, io.EOF) {
		r.fail(0, "", "the file is empty: it needs at least resources")
		return
	}
	line, text := 1, strings.TrimPrefix(err.Error(), "yaml: ")
	if m := syntaxLine.FindStringSubmatch(text); m != nil {
		line, _ = strconv.Atoi(m[1])
		text = text[len(m[0]):]
		if strings.HasPrefix(text, "did not find expected") {
			line++ // these are counted from 0
		}
	}
	if strings.Contains(text, "anchor") {
		r.fail(0, "", "not valid YAML: an alias (*) names an anchor that is not there; quote a text that begins with *")
		return
	}
	switch {
	case strings.HasPrefix(text, "did not find expected ',' or"):
		text += "; inside [ ] and { } a ${NAME} needs quotes"
	case strings.HasPrefix(text, "mapping values"):
		text += "; a text with a colon before a blank or at its end needs quotes"
	}
	r.fail(line, "", "not valid YAML: %s", text)
}

// walk refuses what the file format leaves out of YAML (anchors, aliases, merge keys, tags, deep
// nesting) and expands the environment's variables. It follows no alias, so that its work is bounded by
// the text.
func (r *reader) walk(n *yaml.Node, depth int) {
	switch {
	case depth > maxDepth:
		r.fail(n.Line, "", "nested more than %d deep", maxDepth)
		n.Content = nil
		return
	case n.Kind == yaml.AliasNode:
		r.fail(n.Line, "", "an alias (*) is not used in this file: write the value out, or quote a text that begins with *")
		r.unusable[n] = true
		return
	case n.Anchor != "":
		r.fail(n.Line, "", "an anchor (&) is not used in this file: write the value out, or quote a text that begins with &")
	case n.Style&yaml.TaggedStyle != 0:
		r.fail(n.Line, "", "a tag (!) is not used in this file: quote a text that begins with !")
		r.unusable[n] = true
	}
	for i, child := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 0 {
			continue
		}
		r.walk(child, depth+1)
	}
	if n.Kind == yaml.ScalarNode && n.Tag == strTag {
		r.expand(n)
	}
}
