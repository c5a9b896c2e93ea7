package schema

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// form is the JSON of a view with gaps, in which the defaults of a caller stand.
type form struct {
	parts []string // one more than slots
	slots []slot
	size  int // of the parts, with some room for each slot
}

// slot is a gap of a form.
type slot struct {
	node     *node
	key      string   // of the default
	fallback *literal // stands there when the caller has none
	first    bool     // nothing stands before it in its object
	last     bool     // nothing behind it
}

// JSON returns the schema as the caller of def is to see it; a nil def has no defaults. The bytes are the
// caller's own, and the schema is good even beside an error: that tells which defaults could not be had and
// were left out.
func (v *View) JSON(ctx context.Context, pf Profile, def Defaults) (json.RawMessage, error) {
	return v.AppendJSON(make([]byte, 0, v.form(pf).size), ctx, pf, def)
}

// form returns the JSON of a profile, written when it is first asked for.
func (v *View) form(pf Profile) *form {
	v.compiled[pf].Do(func() { v.forms[pf] = writeForm(v, pf) })
	return &v.forms[pf]
}

// AppendJSON is JSON that appends to dst.
func (v *View) AppendJSON(dst []byte, ctx context.Context, pf Profile, def Defaults) ([]byte, error) {
	f := v.form(pf)
	var failed error
	for i, s := range f.slots {
		dst = append(dst, f.parts[i]...)
		raw, err := s.value(ctx, def)
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("schema: %w", err))
		}
		if raw == nil {
			continue
		}
		if !s.first {
			dst = append(dst, ',')
		}
		dst = append(append(dst, `"default":`...), raw...)
		if s.first && !s.last {
			dst = append(dst, ',')
		}
	}
	return append(dst, f.parts[len(f.parts)-1]...), failed
}

// value returns the JSON of the default, or nil for none.
func (s slot) value(ctx context.Context, def Defaults) ([]byte, error) {
	raw, err := dynamic(ctx, s.node, s.key, def)
	if err == nil && raw == nil && s.fallback != nil {
		raw = []byte(s.fallback.raw)
	}
	return raw, err
}

// writer writes the form of a view. Keywords stand in one order everywhere, so that equal views are equal
// byte for byte.
type writer struct {
	view    *View
	strict  bool
	out     strings.Builder
	form    form
	uses    map[*def]int
	within  map[*def]bool // types that are within themselves
	hoisted []*node       // one use of each type in $defs, in the order of their first use
	names   map[*def]string
}

func writeForm(v *View, pf Profile) form {
	w := &writer{view: v, strict: pf == Strict, uses: map[*def]int{}, within: map[*def]bool{}, names: map[*def]string{}}
	w.count(v.root, nil)
	w.name()
	w.root(v.root)
	w.form.parts = append(w.form.parts, w.out.String())
	const room = 64
	w.form.size = room * len(w.form.slots)
	for _, part := range w.form.parts {
		w.form.size += len(part)
	}
	return w.form
}

// count counts how often each type is used, and finds those within themselves.
func (w *writer) count(n *node, path []*def) {
	if n == nil {
		return
	}
	if d := n.def; d != nil {
		w.uses[d]++
		if w.within[d] = w.within[d] || slices.Contains(path, d); w.uses[d] > 1 {
			w.find(n)
			return
		}
		if d.object != nil {
			for _, f := range d.object.fields {
				w.count(f.node, append(path, d))
			}
		}
		if w.within[d] {
			w.find(n)
		}
	}
	w.count(n.keys, path)
	w.count(n.elem, path)
	for _, v := range n.variants {
		w.count(v.node, path)
	}
}

// find notes a type that is to stand in $defs.
func (w *writer) find(n *node) {
	d := n.def
	if d == w.view.root.def || d.name == "" && !w.within[d] || w.view.plan.inline && !w.within[d] {
		return
	}
	if _, ok := w.names[d]; !ok {
		w.names[d] = ""
		w.hoisted = append(w.hoisted, n)
	}
}

// name gives the types in $defs their names: that of the Go type, with its package where two are the same.
func (w *writer) name() {
	taken := map[string]int{}
	for _, n := range w.hoisted {
		taken[cleanName(n.def.name)]++
	}
	used := map[string]bool{}
	for _, n := range w.hoisted {
		name := cleanName(n.def.name)
		if taken[name] > 1 {
			name = cleanName(n.def.pkg[strings.LastIndexByte(n.def.pkg, '/')+1:]) + "." + name
		}
		base := name
		for i := 2; used[name]; i++ {
			name = base + strconv.Itoa(i)
		}
		used[name] = true
		w.names[n.def] = name
	}
}

// cleanName is a type's name as it may stand in a JSON Pointer and an anchor.
func cleanName(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r == '.' || r == '-' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' {
			return r
		}
		return '_'
	}, name)
}
