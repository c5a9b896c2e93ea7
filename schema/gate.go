package schema

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// Gate is one condition on the caller: a registered predicate and its argument. All gates of a place must
// be allowed, and all of every place around it.
type Gate struct{ Pred, Arg string }

// String returns the gate as a tag writes it, such as requires(admin).
func (g Gate) String() string { return g.Pred + "(" + g.Arg + ")" }

// predicateName is what a predicate may be called.
var predicateName = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

// ParseGates reads a gate tag, such as "requires(admin)&tier(pro)". An empty text has no gates. An argument
// holds no parentheses.
func ParseGates(s string) ([]Gate, error) {
	if strings.TrimSpace(s) == "" {
		return nil, nil
	}
	var out []Gate
	for rest, more := s, true; more; {
		open, closed := strings.IndexByte(rest, '('), strings.IndexByte(rest, ')')
		if open < 0 || closed < open {
			return nil, errGates
		}
		g := Gate{Pred: strings.TrimSpace(rest[:open]), Arg: rest[open+1 : closed]}
		if !predicateName.MatchString(g.Pred) || strings.ContainsRune(g.Arg, '(') {
			return nil, fmt.Errorf("%w: %q is no predicate's name", errGates, g.Pred)
		}
		out = append(out, g)
		if rest = strings.TrimSpace(rest[closed+1:]); rest == "" {
			return out, nil
		}
		if rest, more = strings.CutPrefix(rest, "&"); !more {
			return nil, errGates
		}
	}
	return nil, errGates
}

var errGates = errors.New("write gates as name(argument)&name(argument), names in lower case")
