package descriptor

import (
	"encoding/json"
	"slices"
	"strconv"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/tenantry/tenantry/resource"
)

// The tags of YAML's own types, as the parser resolves them.
const (
	strTag   = "!!str"
	intTag   = "!!int"
	floatTag = "!!float"
	boolTag  = "!!bool"
	nullTag  = "!!null"
	timeTag  = "!!timestamp"
	mergeTag = "!!merge"
)

// reader collects what is wrong with one file.
type reader struct {
	name     string
	env      func(string) (string, bool)
	last     int // its last line
	mistakes []*Mistake
	listen   place

	unusable map[*yaml.Node]bool // already reported; reading it says no more
	expanded map[*yaml.Node]bool // holds a variable's value, which no message shows
}

func newReader(name string, env func(string) (string, bool)) *reader {
	return &reader{name: name, env: env, unusable: map[*yaml.Node]bool{}, expanded: map[*yaml.Node]bool{}}
}

// place is one value of the file with the way to it. Reading a value of the wrong type reports a mistake;
// reading an absent one does not. Both give the zero value and false.
type place struct {
	r    *reader
	node *yaml.Node // nil when absent
	path string
	line int

	private bool // its keys may be secrets written in the wrong place
}

func (p place) fail(format string, args ...any) { p.r.fail(p.line, p.path, format, args...) }

func (p place) present() bool { return p.node != nil }

// want reports whether the value can be read, and that it is not of the kind asked for.
func (p place) want(what string, ok bool) bool {
	switch {
	case p.node == nil || p.r.unusable[p.node]:
		return false
	case ok:
		return true
	case p.node.Tag == nullTag:
		p.fail("is empty: write %s, or leave the key out", what)
	default:
		p.fail("write %s; this is %s", what, describe(p.node))
	}
	return false
}

func (p place) is(k yaml.Kind) bool { return p.node != nil && p.node.Kind == k }

// empty reports a mapping or list that holds nothing.
func (p place) empty() bool {
	return (p.is(yaml.MappingNode) || p.is(yaml.SequenceNode)) && len(p.node.Content) == 0
}

func (p place) scalar(tags ...string) bool {
	return p.is(yaml.ScalarNode) && slices.Contains(tags, p.node.Tag)
}

func describe(n *yaml.Node) string {
	switch {
	case n.Kind == yaml.MappingNode:
		return "a mapping"
	case n.Kind == yaml.SequenceNode:
		return "a list"
	case n.Tag == intTag || n.Tag == floatTag:
		return "a number"
	case n.Tag == boolTag:
		return "true or false"
	case n.Tag == nullTag:
		return "empty"
	case n.Tag == timeTag:
		return "a date"
	default:
		return "text"
	}
}

// text reads a string. Numbers, booleans and dates need quotes to be one.
func (p place) text() (string, bool) {
	if !p.want("text (in quotes, if it looks like a number or a date)", p.scalar(strTag)) {
		return "", false
	}
	return p.node.Value, true
}

// str is text for a member where the empty string is what absence means.
func (p place) str() string {
	s, _ := p.text()
	return s
}

// filled reads a string that is not empty.
func (p place) filled() (string, bool) {
	s, ok := p.text()
	if ok && s == "" {
		p.fail("is empty")
		return "", false
	}
	return s, ok
}

// shown quotes a value for a message, unless it came from the environment.
func (p place) shown() string {
	if p.r.expanded[p.node] {
		return "the variable's value"
	}
	return resource.Echo(p.node.Value)
}

func (p place) boolean() (value, ok bool) {
	if !p.want("true or false", p.scalar(boolTag)) {
		return false, false
	}
	value, err := strconv.ParseBool(p.node.Value)
	return value, err == nil
}

// positive reads a whole number from 1 to the maximum; 0 when absent or wrong.
func (p place) positive(maximum int) int {
	if !p.want("a whole number", p.scalar(intTag)) {
		return 0
	}
	n, err := strconv.Atoi(p.node.Value)
	if err != nil || n < 1 || n > maximum {
		p.fail("write a whole number from 1 to %d in plain digits", maximum)
		return 0
	}
	return n
}

func (p place) duration() time.Duration {
	const what = "a duration such as 5s or 250ms"
	if !p.want(what, p.scalar(strTag)) {
		return 0
	}
	d, err := time.ParseDuration(p.node.Value)
	if err != nil || d <= 0 {
		p.fail("%s is not a duration above zero: write %s", p.shown(), what)
		return 0
	}
	return d
}

// number returns a scalar's text as an exact JSON number.
func number(n *yaml.Node) (json.Number, bool) {
	if (n.Tag != intTag && n.Tag != floatTag) || !json.Valid([]byte(n.Value)) {
		return "", false
	}
	return json.Number(n.Value), true
}
