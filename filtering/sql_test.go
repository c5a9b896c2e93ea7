package filtering_test

import (
	"fmt"
	"strings"
	"testing"
)

func TestSQL(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for _, line := range lines(t, "good.txt") {
		text, args := sqlOf(t, parse(t, line))
		fmt.Fprintf(&b, "%s\n\t%s\n", line, text)
		for _, arg := range args {
			fmt.Fprintf(&b, "\t%T %s\n", arg, asJSON(t, arg))
		}
		if got := placeholders(text); got != len(args) {
			t.Errorf("%s: %d placeholders for %d arguments", line, got, len(args))
		}
	}
	golden(t, "good.golden", b.String())
}

// placeholders counts the question marks of a condition that stand for an argument: those outside of
// quotes that are not doubled.
func placeholders(text string) int {
	n := 0
	var quote byte
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '?' && i+1 < len(text) && text[i+1] == '?':
			i++
		case c == '?':
			n++
		}
	}
	return n
}
