package elicit

import (
	"fmt"
	"strings"
	"unicode"
)

// noun says what an answer must be, as a message puts it.
func (p *property) noun() string {
	switch {
	case p.kind == integerKind:
		return "a whole number"
	case p.kind == numberKind:
		return "a number"
	case p.kind == booleanKind:
		return "true or false"
	case p.kind == listKind:
		return "an array of choices"
	case p.choices != nil:
		return listed(p.values())
	case p.format != "":
		return formatNouns[p.format]
	default:
		return "a string"
	}
}

var formatNouns = map[string]string{
	"date":      "a date such as 2026-07-01",
	"date-time": "a time with its offset such as 2026-07-01T09:30:00Z",
	"email":     "an e-mail address",
	"uri":       "an absolute URI",
}

// listed writes choices as "a, b or c".
func listed(choices []string) string {
	const shown = 40
	if len(choices) > shown {
		return fmt.Sprintf("one of %d values", len(choices))
	}
	tidied := make([]string, len(choices))
	for i, c := range choices {
		tidied[i] = tidy(c)
	}
	if len(tidied) < 2 {
		return strings.Join(tidied, "")
	}
	last := len(tidied) - 1
	return strings.Join(tidied[:last], ", ") + " or " + tidied[last]
}

// accepted names what an answer takes, behind the mistake of a name that it does not.
func accepted(names []string) string {
	switch {
	case len(names) == 0:
		return "; there is none"
	case len(names) > 40:
		return ""
	}
	tidied := make([]string, len(names))
	for i, name := range names {
		tidied[i] = tidy(name)
	}
	return "; there are " + strings.Join(tidied, ", ")
}

// tidy keeps what the other side wrote from being long or looking like several messages.
func tidy(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, clip(s))
}

// counted writes a number of things.
func counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
