package descriptor

import (
	"errors"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/tenantry/tenantry/resource"
)

// expand replaces the variables of one string. An unset variable leaves the value unusable, so that
// nothing more is said about it.
func (r *reader) expand(n *yaml.Node) {
	text, used, err := expand(n.Value, r.env)
	if err != nil {
		r.fail(n.Line, "", "%v", err)
		r.unusable[n] = true
		return
	}
	n.Value, r.expanded[n] = text, used
}

// expand returns s with each ${NAME} replaced by the variable and each $${ by ${, and whether a variable
// was used. What a variable holds is not looked at again. The error names the variable, never a value.
func expand(s string, env func(string) (string, bool)) (out string, used bool, err error) {
	var b strings.Builder
	for {
		i := strings.Index(s, "${")
		if i < 0 {
			b.WriteString(s)
			return b.String(), used, nil
		}
		if i > 0 && s[i-1] == '$' {
			b.WriteString(s[:i-1] + "${")
			s = s[i+2:]
			continue
		}
		name, rest, ok := strings.Cut(s[i+2:], "}")
		if !ok || !variable(name) {
			return "", used, errors.New("${ begins the name of a variable, ${NAME}: write $${ for the two characters themselves")
		}
		value, set := lookup(env, name)
		if !set {
			return "", used, errors.New("the environment variable " + resource.Clip(name) + " is not set")
		}
		b.WriteString(s[:i] + value)
		s, used = rest, true
	}
}

func lookup(env func(string) (string, bool), name string) (string, bool) {
	if env == nil {
		return "", false
	}
	return env(name)
}

// variable reports whether s is a name as a shell takes it.
func variable(s string) bool {
	for i, c := range s {
		digit := c >= '0' && c <= '9'
		if c != '_' && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') && (!digit || i == 0) {
			return false
		}
	}
	return s != ""
}
