package sqlite

import (
	"database/sql/driver"
	"encoding/hex"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// rawRow holds the raw values of one row, back to back.
type rawRow struct {
	buf    []byte
	ends   []int // where each value ends; negative for NULL
	values [][]byte
}

// set returns the values as text; nil is NULL. The result is valid until the next call.
func (r *rawRow) set(values []driver.Value) [][]byte {
	r.buf, r.ends, r.values = r.buf[:0], r.ends[:0], r.values[:0]
	for _, v := range values {
		if v == nil {
			r.ends = append(r.ends, -1)
			continue
		}
		r.buf = appendRaw(r.buf, v)
		r.ends = append(r.ends, len(r.buf))
	}
	from := 0
	for _, to := range r.ends {
		if to < 0 {
			r.values = append(r.values, nil)
			continue
		}
		r.values = append(r.values, r.buf[from:to:to])
		from = to
	}
	return r.values
}

const blobPrefix = `\x`

// appendRaw writes a value by its storage class (https://www.sqlite.org/datatype3.html): numbers in the
// shortest text that reads back as the same, text as it is, blobs as PostgreSQL prints bytea.
func appendRaw(dst []byte, v driver.Value) []byte {
	switch v := v.(type) {
	case int64:
		return strconv.AppendInt(dst, v, 10)
	case float64:
		return appendFloat(dst, v)
	case string:
		return append(dst, v...)
	case []byte:
		return hex.AppendEncode(append(dst, blobPrefix...), v)
	default:
		return fmt.Append(dst, v) // the driver has no other type
	}
}

// appendFloat lays a float out as PostgreSQL does: with an exponent below 1e-4 and from 1e15.
func appendFloat(dst []byte, f float64) []byte {
	switch abs := math.Abs(f); {
	case math.IsInf(f, 1):
		return append(dst, "Infinity"...)
	case math.IsInf(f, -1):
		return append(dst, "-Infinity"...)
	case f == 0 || abs >= 1e-4 && abs < 1e15:
		return strconv.AppendFloat(dst, f, 'f', -1, 64)
	default:
		return strconv.AppendFloat(dst, f, 'e', -1, 64)
	}
}

// parseRaw is the value that appendRaw wrote, in a column that is not of a text type: there SQLite turns
// text that looks like a number into one, so that what still looks like a number is one.
func parseRaw(s string) driver.Value {
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return n
	}
	if f, ok := parseFloat(s); ok {
		return f
	}
	if digits, ok := strings.CutPrefix(s, blobPrefix); ok {
		if b, err := hex.DecodeString(digits); err == nil {
			return b
		}
	}
	return s
}

// parseFloat takes what appendFloat writes, and nothing of what else Go takes for a float.
func parseFloat(s string) (float64, bool) {
	switch s {
	case "Infinity":
		return math.Inf(1), true
	case "-Infinity":
		return math.Inf(-1), true
	}
	if s == "" || strings.Trim(s, "+-.0123456789eE") != "" {
		return 0, false
	}
	f, err := strconv.ParseFloat(s, 64)
	return f, err == nil
}
