package elicit

import (
	"strconv"
	"strings"

	"github.com/tenantry/tenantry/schema/internal/words"
)

// written is JSON on its way out: objects within objects.
type written struct {
	out  []byte
	full bool // something stands in the innermost object or list
}

func (w *written) raw(s string) { w.out, w.full = append(w.out, s...), true }

func (w *written) open() { w.out, w.full = append(w.out, '{'), false }

func (w *written) close() { w.out, w.full = append(w.out, '}'), true }

// key begins a member, whose value must follow.
func (w *written) key(name string) *written {
	if w.full {
		w.out = append(w.out, ',')
	}
	w.out = append(append(w.out, words.Quote(name)...), ':')
	return w
}

// text writes a member that is a string, unless that is empty.
func (w *written) text(key, s string) {
	if s != "" {
		w.key(key).raw(words.Quote(s))
	}
}

// count writes a member that is a number from 0, unless that is negative.
func (w *written) count(key string, n int) {
	if n >= 0 {
		w.key(key).raw(strconv.Itoa(n))
	}
}

// list writes a member that is a list.
func (w *written) list(key string, elements []string) {
	w.key(key).raw("[" + strings.Join(elements, ",") + "]")
}
