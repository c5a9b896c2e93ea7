package postgres

import (
	"fmt"
	"strconv"

	"github.com/tenantry/tenantry/filtering"
	"github.com/tenantry/tenantry/scope"
)

// params are the parameters of one statement in the text format, in one buffer. Every value was typed
// before; the casts in the statement's text say what it is.
type params struct {
	buf    []byte
	ends   []int // where each value ends; negative for NULL
	values [][]byte
}

// encode returns the arguments as the protocol takes them. The result is valid until the next call.
func (p *params) encode(args []any, tenantKey string) ([][]byte, error) {
	p.buf, p.ends, p.values = p.buf[:0], p.ends[:0], p.values[:0]
	for _, a := range args {
		if a == nil {
			p.ends = append(p.ends, -1)
			continue
		}
		var err error
		if p.buf, err = appendArg(p.buf, a, tenantKey); err != nil {
			return nil, err
		}
		p.ends = append(p.ends, len(p.buf))
	}
	from := 0
	for _, to := range p.ends {
		if to < 0 {
			p.values = append(p.values, nil)
			continue
		}
		p.values = append(p.values, p.buf[from:to:to])
		from = to
	}
	return p.values, nil
}

func appendArg(dst []byte, a any, tenantKey string) ([]byte, error) {
	switch a := a.(type) {
	case string:
		return append(dst, a...), nil
	case []string:
		return appendSet(dst, a), nil
	case filtering.Nested:
		return appendNested(dst, a)
	case int64:
		return strconv.AppendInt(dst, a, 10), nil
	case float64:
		return strconv.AppendFloat(dst, a, 'g', -1, 64), nil
	case bool:
		return strconv.AppendBool(dst, a), nil
	default:
		if scope.IsTenant(a) {
			return append(dst, tenantKey...), nil
		}
		return nil, fmt.Errorf("postgres: an argument has the type %T", a)
	}
}

// appendSet writes an array literal (PostgreSQL manual, 8.15.2) with every element in quotes, so that no
// value means more than itself.
func appendSet(dst []byte, set []string) []byte {
	dst = append(dst, '{')
	for i, s := range set {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendElement(dst, s)
	}
	return append(dst, '}')
}

func appendElement(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for i := range len(s) {
		if s[i] == '"' || s[i] == '\\' {
			dst = append(dst, '\\')
		}
		dst = append(dst, s[i])
	}
	return append(dst, '"')
}

func appendNested(dst []byte, n filtering.Nested) ([]byte, error) {
	dst = append(dst, '{')
	var err error
	for i, e := range n {
		if i > 0 {
			dst = append(dst, ',')
		}
		switch e := e.(type) {
		case nil:
			dst = append(dst, "NULL"...)
		case string:
			dst = appendElement(dst, e)
		case filtering.Nested:
			if dst, err = appendNested(dst, e); err != nil {
				return nil, err
			}
		default:
			return nil, fmt.Errorf("postgres: an array element has the type %T", e)
		}
	}
	return append(dst, '}'), nil
}
