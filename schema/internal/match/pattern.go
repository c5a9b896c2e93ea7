// Package match decides whether a text matches a regular expression or a named format, at a cost that is
// known beforehand.
//
//	p, err := match.CompileOwn(`^[A-Z]{2};\d+$`)
//	var budget match.Budget // of one document
//	if !budget.Spend(p, text) {
//		// not proven, so not accepted
//	}
//	ok := p.Match(text)
//
// RE2 matches in linear time, which is still instructions times bytes, without a timeout or a context. So
// patterns are bounded when they are compiled, and what a document may spend on all of them is bounded too.
package match

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
)

// The bounds of patterns and of what is matched against them.
const (
	MaxPattern      = 512       // bytes of a pattern
	MaxInstructions = 1_000     // of a compiled pattern
	MaxLength       = 4_096     // code points of a text under a pattern; callers check it before they match
	MaxSteps        = 4_000_000 // instructions times bytes, summed over the texts of one document, unless a Budget is smaller
)

// maxEstimate bounds what is compiled at all in order to count its instructions.
const maxEstimate = 4_000

// Pattern is a regular expression that is cheap enough to be matched. It is immutable and safe for
// concurrent use.
type Pattern struct {
	source       string
	re           *regexp.Regexp
	instructions int
}

// Compile reads a pattern in the syntax of Go's package regexp, as a peer may send it. It refuses one over
// MaxPattern or MaxInstructions. An error says what to write instead.
func Compile(src string) (*Pattern, error) { return compile(src, src) }

// compile makes a pattern of a text that may be another one than was written.
func compile(src, text string) (*Pattern, error) {
	if len(src) > MaxPattern {
		return nil, fmt.Errorf("the pattern has %d bytes; write at most %d", len(src), MaxPattern)
	}
	tree, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return nil, unreadable(err)
	}
	if estimate(tree) > maxEstimate {
		return nil, fmt.Errorf("the pattern is too costly: written out it has over %d instructions; repeat less, at most %d are allowed",
			maxEstimate, MaxInstructions)
	}
	prog, err := syntax.Compile(tree.Simplify())
	if err != nil {
		return nil, unreadable(err)
	}
	if n := len(prog.Inst); n > MaxInstructions {
		return nil, fmt.Errorf("the pattern is too costly: it has %d instructions; repeat less, at most %d are allowed", n, MaxInstructions)
	}
	re, err := regexp.Compile(text)
	if err != nil {
		return nil, unreadable(err)
	}
	return &Pattern{source: src, re: re, instructions: len(prog.Inst)}, nil
}

// Source returns the pattern as it was written.
func (p *Pattern) Source() string { return p.source }

// Match reports whether any part of s matches. What it costs is for the caller to ask a Budget first.
func (p *Pattern) Match(s string) bool { return p.re.MatchString(s) }

// Cost returns the most steps that matching n bytes takes: instructions times bytes. An empty text
// counts as one byte, for matching it is not free and a document may hold any number of them.
func (p *Pattern) Cost(n int) int64 { return int64(p.instructions) * int64(max(n, 1)) }

// Fits reports whether a text of maxLength code points, four bytes each, can be matched within a budget of so
// many steps. A field of a greater maxLength may hold values that no document could prove.
func (p *Pattern) Fits(maxLength, steps int) bool {
	return maxLength <= steps && p.Cost(4*maxLength) <= int64(steps)
}

// estimate is about the number of instructions, saturating above maxEstimate.
func estimate(re *syntax.Regexp) int {
	n := 0
	for _, sub := range re.Sub {
		n = min(n+estimate(sub), maxEstimate+1)
	}
	switch re.Op {
	case syntax.OpLiteral:
		n = len(re.Rune)
	case syntax.OpCapture:
		n += 2
	case syntax.OpRepeat:
		n = repeated(n, re.Min, re.Max)
	case syntax.OpAlternate:
		n += len(re.Sub)
	case syntax.OpConcat:
	default:
		n++
	}
	return min(n, maxEstimate+1)
}

// repeated is n written out from least to most times; a negative most is none.
func repeated(n, least, most int) int {
	if most < 0 {
		return max(least, 1)*n + 1
	}
	return most*n + most - least
}

// instead says what to write for what Go does not read.
var instead = map[syntax.ErrorCode]string{
	syntax.ErrInvalidCharClass:      "close the class with ]",
	syntax.ErrInvalidCharRange:      `write a range from its lower to its higher end, and a general category such as \p{L} or \p{Lu}`,
	syntax.ErrInvalidEscape:         `write the character itself or \x and two hexadecimal digits; there are no back-references`,
	syntax.ErrInvalidNamedCapture:   "write (?<name>...) with a name of ASCII letters, digits and _; there is no look-behind",
	syntax.ErrInvalidPerlOp:         "write a plain group (?:...); there is no look-ahead, look-behind or atomic group",
	syntax.ErrInvalidRepeatOp:       "write one quantifier, or a group (?:...) around the first; there are no possessive ones",
	syntax.ErrInvalidRepeatSize:     "repeat at most 1000 times, a repeat within a repeat multiplied",
	syntax.ErrInvalidUTF8:           "write UTF-8",
	syntax.ErrMissingBracket:        `close the class with ], and write \] for a bracket in it`,
	syntax.ErrMissingParen:          `close every group with ), and write \( for a parenthesis`,
	syntax.ErrMissingRepeatArgument: "write what is repeated in front of the quantifier, or a backslash for the character itself",
	syntax.ErrTrailingBackslash:     `write \\ for a backslash`,
	syntax.ErrUnexpectedParen:       `write \) for a parenthesis`,
	syntax.ErrNestingDepth:          "nest less",
	syntax.ErrLarge:                 "repeat less",
}

// unreadable tells what the parser refused.
func unreadable(err error) error {
	e, ok := errors.AsType[*syntax.Error](err)
	if !ok {
		return fmt.Errorf("the pattern cannot be read: %w", err)
	}
	return fmt.Errorf("the pattern cannot be read: %s: %q; %s", e.Code, e.Expr, instead[e.Code])
}
