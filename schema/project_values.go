package schema

import (
	"encoding"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/tenantry/tenantry/schema/internal/decimal"
	"github.com/tenantry/tenantry/schema/internal/lex"
	"github.com/tenantry/tenantry/schema/internal/words"
)

func (p *projector) string(n *node, s string) {
	if !utf8.ValidString(s) {
		p.stop(fmt.Errorf("a string is not in UTF-8"))
		return
	}
	p.text(n, s)
	p.out = words.AppendString(p.out, s)
}

func (p *projector) number(n *node, text string) {
	p.decimal(n, text)
	p.out = append(p.out, text...)
}

func (p *projector) decimal(n *node, text string) {
	if n.enum == nil && n.only == nil && n.min == nil && n.max == nil && n.xmin == nil && n.xmax == nil && n.step == nil {
		return
	}
	at := decimal.Parse(text)
	p.known(n, at.Text())
	p.bounded(n, at)
	p.stepped(n, at)
}

func (p *projector) float(n *node, v reflect.Value) {
	f := v.Float()
	if math.IsNaN(f) || math.IsInf(f, 0) {
		p.stop(fmt.Errorf("%v is no number of JSON", f))
		return
	}
	p.number(n, string(appendFloat(nil, f, n.typ.Bits())))
}

// appendFloat writes a number as encoding/json does.
func appendFloat(dst []byte, f float64, bits int) []byte {
	format, abs := byte('f'), math.Abs(f)
	if abs != 0 && (abs < 1e-6 || abs >= 1e21) {
		format = 'e'
	}
	return strconv.AppendFloat(dst, f, format, -1, bits)
}

func (p *projector) numberText(n *node, text string) {
	if !decimal.Valid(text) || len(text) > lex.MaxNumber {
		p.stop(fmt.Errorf("a json.Number is no number"))
		return
	}
	p.number(n, text)
}

func (p *projector) time(n *node, v reflect.Value) {
	t, ok := v.Interface().(time.Time)
	if !ok || t.Year() < 0 || t.Year() > 9999 {
		p.stop(fmt.Errorf("a time is out of the years that RFC 3339 writes"))
		return
	}
	p.string(n, t.Format(time.RFC3339Nano))
}

func (p *projector) marshal(n *node, v reflect.Value) {
	text, err := v.Interface().(encoding.TextMarshaler).MarshalText()
	if err != nil {
		p.stop(err)
		return
	}
	p.string(n, string(text))
}

// any writes what only the host knows. It must be JSON that this package reads, or it could hold a key
// twice.
func (p *projector) any(v reflect.Value) {
	if err := gatesWithin(v, p.plan.gatedVariants); err != nil {
		p.stop(err)
		return
	}
	raw, err := plainJSON(v.Interface())
	if err == nil {
		_, err = lex.Parse(raw, outputLimits)
	}
	if err != nil {
		p.stop(err)
		return
	}
	p.out = append(p.out, raw...)
}
