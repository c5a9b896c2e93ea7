package serializer

import (
	"encoding/binary"
	"strconv"
)

// PostgreSQL's binary numeric, as numeric_send writes it: four 16-bit words, then base-10000 digits.
const (
	numericHeader   = 8
	numericPositive = 0x0000
	numericNegative = 0x4000
	numericNaN      = 0xC000
	numericPlusInf  = 0xD000
	numericMinusInf = 0xF000
	numericMaxScale = 0x3FFF
)

type numeric struct {
	digits []byte // 16-bit words, each 0 to 9999
	weight int    // of the first digit: it counts 10000^weight
	sign   uint16
	scale  int // decimals to show
}

// appendBinaryNumeric appends the text PostgreSQL prints as a string: every digit of the stored scale.
func appendBinaryNumeric(dst, raw []byte) []byte {
	n, ok := parseNumeric(raw)
	if !ok {
		return appendBroken(dst, raw)
	}
	switch n.sign {
	case numericNaN:
		return append(dst, `"NaN"`...)
	case numericPlusInf:
		return append(dst, `"Infinity"`...)
	case numericMinusInf:
		return append(dst, `"-Infinity"`...)
	case numericNegative:
		dst = append(dst, '"', '-')
	default:
		dst = append(dst, '"')
	}
	dst = n.appendWhole(dst)
	dst = n.appendDecimals(dst)
	return append(dst, '"')
}

func parseNumeric(raw []byte) (n numeric, ok bool) {
	if len(raw) < numericHeader {
		return n, false
	}
	n.digits = raw[numericHeader:]
	n.weight = int(int16(binary.BigEndian.Uint16(raw[2:])))
	n.sign = binary.BigEndian.Uint16(raw[4:])
	n.scale = int(binary.BigEndian.Uint16(raw[6:]))
	if len(n.digits) != 2*int(binary.BigEndian.Uint16(raw)) || n.scale > numericMaxScale {
		return n, false
	}
	for i := range len(n.digits) / 2 {
		if n.digit(i) > 9999 {
			return n, false
		}
	}
	switch n.sign {
	case numericPositive, numericNegative, numericNaN, numericPlusInf, numericMinusInf:
		return n, true
	default:
		return n, false
	}
}

// digit returns the base-10000 digit i; those that are not stored are zero.
func (n numeric) digit(i int) int {
	if i < 0 || 2*i >= len(n.digits) {
		return 0
	}
	return int(binary.BigEndian.Uint16(n.digits[2*i:]))
}

func (n numeric) appendWhole(dst []byte) []byte {
	if n.weight < 0 {
		return append(dst, '0')
	}
	dst = strconv.AppendInt(dst, int64(n.digit(0)), 10)
	for i := 1; i <= n.weight; i++ {
		dst = appendPadded(dst, n.digit(i), 4)
	}
	return dst
}

func (n numeric) appendDecimals(dst []byte) []byte {
	if n.scale == 0 {
		return dst
	}
	dst = append(dst, '.')
	end := len(dst) + n.scale
	for i := n.weight + 1; len(dst) < end; i++ {
		dst = appendPadded(dst, n.digit(i), 4)
	}
	return dst[:end]
}

// appendPadded appends v, which is not negative, with zeros before it up to the width.
func appendPadded(dst []byte, v, width int) []byte {
	from := len(dst)
	dst = append(dst, "00000000"[:width]...)
	rest := v
	for i := len(dst) - 1; i >= from; i-- {
		dst[i] += byte(rest % 10)
		rest /= 10
	}
	if rest > 0 {
		return strconv.AppendInt(dst[:from], int64(v), 10)
	}
	return dst
}
