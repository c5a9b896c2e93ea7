package serializer

import (
	"encoding/binary"
	"math"
	"strconv"

	"github.com/tenantry/tenantry/resource"
)

// maxSafe is the largest integer that every JSON reader keeps exact (RFC 8259, section 6).
const maxSafe = 1<<53 - 1

func appendSmallInt(dst, raw []byte) []byte {
	return appendIntegerText(dst, raw, math.MinInt16, math.MaxInt16)
}

func appendInteger(dst, raw []byte) []byte {
	return appendIntegerText(dst, raw, math.MinInt32, math.MaxInt32)
}

func appendBigInt(dst, raw []byte) []byte {
	return appendIntegerText(dst, raw, -maxSafe, maxSafe)
}

// appendIntegerText appends a number when raw is an integer in its shortest form within the bounds,
// else a string.
func appendIntegerText(dst, raw []byte, least, most int64) []byte {
	if v, ok := parseInteger(raw); !ok || v < least || v > most {
		return appendString(dst, raw)
	}
	return append(dst, raw...)
}

// parseInteger parses an integer of at most 18 digits, which covers every number that is shown as
// one and cannot overflow.
func parseInteger(s []byte) (v int64, ok bool) {
	digits := s
	if len(s) > 0 && s[0] == '-' {
		digits = s[1:]
	}
	if len(digits) == 0 || len(digits) > 18 || digits[0] == '0' && len(s) > 1 {
		return 0, false
	}
	for _, c := range digits {
		if !isDigit(c) {
			return 0, false
		}
		v = 10*v + int64(c-'0')
	}
	if len(digits) < len(s) {
		v = -v
	}
	return v, true
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// appendInt appends v as a number, or as a string where JSON readers would round it.
func appendInt(dst []byte, v int64) []byte {
	if v >= -maxSafe && v <= maxSafe {
		return strconv.AppendInt(dst, v, 10)
	}
	dst = strconv.AppendInt(append(dst, '"'), v, 10)
	return append(dst, '"')
}

func appendBinaryInteger(k resource.Kind) Writer {
	return func(dst, raw []byte) []byte {
		switch {
		case k == resource.SmallInt && len(raw) == 2:
			return appendInt(dst, int64(int16(binary.BigEndian.Uint16(raw))))
		case k == resource.Integer && len(raw) == 4:
			return appendInt(dst, int64(int32(binary.BigEndian.Uint32(raw))))
		case k == resource.BigInt && len(raw) == 8:
			return appendInt(dst, int64(binary.BigEndian.Uint64(raw)))
		default:
			return appendBroken(dst, raw)
		}
	}
}

// appendFloatText appends what the database printed: it is the shortest exact decimal already. The
// special values are no JSON numbers and become strings.
func appendFloatText(dst, raw []byte) []byte {
	if !isNumber(raw) {
		return appendString(dst, raw)
	}
	return append(dst, raw...)
}

// isNumber reports whether s is a number of JSON's grammar.
func isNumber(s []byte) bool {
	if len(s) > 0 && s[0] == '-' {
		s = s[1:]
	}
	whole := leadingDigits(s)
	if whole == 0 || s[0] == '0' && whole > 1 {
		return false
	}
	s = s[whole:]
	if len(s) > 0 && s[0] == '.' {
		n := leadingDigits(s[1:])
		if n == 0 {
			return false
		}
		s = s[1+n:]
	}
	return len(s) == 0 || isExponent(s)
}

func isExponent(s []byte) bool {
	if s[0] != 'e' && s[0] != 'E' {
		return false
	}
	s = s[1:]
	if len(s) > 0 && (s[0] == '+' || s[0] == '-') {
		s = s[1:]
	}
	return len(s) > 0 && leadingDigits(s) == len(s)
}

func leadingDigits(s []byte) int {
	for i, c := range s {
		if !isDigit(c) {
			return i
		}
	}
	return len(s)
}
