package schema

import (
	"encoding"
	"encoding/base64"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/tenantry/tenantry/schema/internal/decimal"
	"github.com/tenantry/tenantry/schema/internal/lex"
	"github.com/tenantry/tenantry/schema/internal/match"
	"github.com/tenantry/tenantry/schema/internal/words"
)

func (d *decoder) boolean(n *node, i int, target reflect.Value) {
	value, ok := false, d.doc.Kind(i) == lex.Bool
	switch {
	case ok:
		value = d.doc.True(i)
	case d.lenient && d.doc.Kind(i) == lex.String:
		text := d.doc.Text(i)
		value, ok = text == "true", text == "true" || text == "false"
	}
	if !ok {
		d.wrongType(n)
		return
	}
	if !d.known(n, strconv.FormatBool(value)) || !target.IsValid() {
		return
	}
	if n.codec == codecLoose {
		target.Set(reflect.ValueOf(value))
		return
	}
	target.SetBool(value)
}

// known checks enum and const. Equal values have equal keys.
func (d *decoder) known(n *node, key string) bool {
	if n.enum != nil && indexOf(n.enum, key) < 0 {
		choices := n.values()
		d.fail(FieldError{Code: NotInEnum, Keyword: "enum", Limit: choices, Msg: "must be " + words.Listed(choices)})
		return false
	}
	if n.only != nil && n.only.key != key {
		d.fail(FieldError{Code: NotConst, Keyword: "const", Limit: n.only.raw, Msg: "must be " + n.only.raw})
		return false
	}
	return true
}

// values lists an enum as a message shows it.
func (n *node) values() []string {
	out := make([]string, len(n.enum))
	for i, v := range n.enum {
		out[i] = v.text
	}
	return out
}

func (d *decoder) str(n *node, i int, target reflect.Value) {
	if d.doc.Kind(i) != lex.String {
		d.wrongType(n)
		return
	}
	if text := d.doc.Text(i); d.text(n, text) {
		d.assignText(n, text, target)
	}
}

// text checks a string, and reports whether nothing is wrong with it.
func (d *decoder) text(n *node, text string) bool {
	before := len(d.errs)
	if n.only != nil || n.enum != nil && !slices.ContainsFunc(n.enum, func(v enumValue) bool { return v.text == text }) {
		d.known(n, stringLiteral(text).key)
	}
	if n.minLen >= 0 || n.maxLen >= 0 || n.pattern != nil {
		d.length(n, text)
	}
	if n.check != nil && !n.check(text) {
		d.fail(FieldError{Code: BadFormat, Keyword: "format", Limit: n.format, Msg: "must be " + words.Format(n.format)})
	}
	return len(d.errs) == before
}

// length checks how long a string is, and what it matches unless it is too long for that.
func (d *decoder) length(n *node, text string) {
	count := utf8.RuneCountInString(text)
	longest := n.maxLen
	if n.pattern != nil && !d.trusted {
		longest = n.longest()
	}
	switch {
	case n.minLen >= 0 && count < n.minLen:
		d.fail(limited(BadLength, "minLength", n.minLen, "needs at least %d character%s"))
	case longest >= 0 && count > longest:
		d.fail(limited(BadLength, "maxLength", longest, "takes at most %d character%s"))
		return
	}
	switch {
	case n.pattern == nil:
	case d.ctx != nil && d.ctx.Err() != nil:
		d.gone = true // nobody waits for what matching costs
	case !d.trusted && !d.budget.Spend(n.pattern, text):
		d.fail(FieldError{Code: PatternBudget, Keyword: "pattern", Msg: "cannot be checked together with the rest: send fewer or shorter texts"})
	case !n.pattern.Match(text):
		d.fail(FieldError{Code: BadPattern, Keyword: "pattern", Limit: n.pattern.Source(), Msg: "must " + n.patternNoun()})
	case n.typ == typeDecimal:
		at := decimal.Parse(text)
		d.bounded(n, at)
		d.stepped(n, at)
	}
}

// assignText puts a good string where it belongs. What a string says may still be out of the range of Go.
func (d *decoder) assignText(n *node, text string, target reflect.Value) {
	if n.base64 {
		raw, err := base64.StdEncoding.Strict().DecodeString(text)
		switch {
		case err != nil || strings.ContainsAny(text, "\r\n"): // which the decoder would skip
			d.fail(FieldError{Code: BadFormat, Keyword: "contentEncoding", Limit: "base64", Msg: "must be base64 with its padding"})
		case !target.IsValid():
		case n.codec == codecLoose:
			target.Set(reflect.ValueOf(raw))
		default:
			target.SetBytes(raw)
		}
		return
	}
	switch n.codec {
	case codecIntText, codecUintText:
		d.integer(n, decimal.Parse(text), target)
	case codecTime:
		// The format allows small letters, which time.Parse does not.
		t, err := time.Parse(time.RFC3339Nano, strings.ToUpper(text))
		if err != nil {
			d.fail(FieldError{Code: BadFormat, Keyword: "format", Limit: n.format, Msg: "must be " + words.Format(n.format)})
		} else if target.IsValid() {
			target.Set(reflect.ValueOf(t))
		}
	case codecText:
		d.unmarshal(n, text, target)
	case codecLoose:
		if target.IsValid() {
			target.Set(reflect.ValueOf(text))
		}
	default:
		if target.IsValid() {
			target.SetString(text)
		}
	}
}

// unmarshal has a type of the host read its own text.
func (d *decoder) unmarshal(n *node, text string, target reflect.Value) {
	p := reflect.New(n.typ)
	if err := p.Interface().(encoding.TextUnmarshaler).UnmarshalText([]byte(text)); err != nil {
		d.fail(FieldError{Code: BadFormat, Keyword: "type", Msg: "must be the text of a " + n.typ.Name()})
		return
	}
	if target.IsValid() {
		target.Set(p.Elem())
	}
}

// either is a number, or the text of one that JSON has no number for.
func (d *decoder) either(n *node, i int, target reflect.Value) {
	switch d.doc.Kind(i) {
	case lex.Number:
		d.value(n.either[0], i, target)
	case lex.String:
		d.value(n.either[1], i, target)
	default:
		d.wrongType(n)
	}
}

// longest returns how many code points a value under a pattern may have.
func (n *node) longest() int {
	if n.maxLen >= 0 {
		return n.maxLen
	}
	return match.MaxLength
}
