package serializer

import (
	"encoding/binary"
	"math"
	"math/bits"
	"strconv"
)

func appendBinaryReal(dst, raw []byte) []byte {
	if len(raw) != 4 {
		return appendBroken(dst, raw)
	}
	return appendFloat(dst, float64(math.Float32frombits(binary.BigEndian.Uint32(raw))), 32)
}

func appendBinaryDouble(dst, raw []byte) []byte {
	if len(raw) != 8 {
		return appendBroken(dst, raw)
	}
	return appendFloat(dst, math.Float64frombits(binary.BigEndian.Uint64(raw)), 64)
}

// appendFloat appends the shortest decimal that reads back as f, a float of so many bits, laid out as
// PostgreSQL prints it: with an exponent below 1e-4 and from 1e15 (real: 1e6).
func appendFloat(dst []byte, f float64, size int) []byte {
	large, small := 1e15, 1e-4
	if size == 32 {
		large, small = 1e6, float64(float32(1e-4))
	}
	switch abs := math.Abs(f); {
	case math.IsNaN(f):
		return append(dst, `"NaN"`...)
	case math.IsInf(f, 1):
		return append(dst, `"Infinity"`...)
	case math.IsInf(f, -1):
		return append(dst, `"-Infinity"`...)
	case f == 0 || abs >= small && abs < large:
		return appendShortest(dst, f, 'f', size)
	default:
		return appendShortest(dst, f, 'e', size)
	}
}

// appendShortest appends what strconv prints but where PostgreSQL chooses another decimal. Of two that
// are equally close it takes the even one, and it takes a longer one instead of a decimal exactly
// halfway between two floats (1e23), which reads back as f only by rounding to even.
func appendShortest(dst []byte, f float64, format byte, size int) []byte {
	from := len(dst)
	dst = strconv.AppendFloat(dst, f, format, -1, size)
	shortest := parseDecimal(dst[from:])
	onBorder := shortest.onBorder(f, size)
	if !onBorder && (shortest.digits%2 == 0 || shortest.count < tieDigits(size)) {
		return dst
	}
	places := shortest.count - 1
	if format == 'f' {
		places = max(-shortest.power, 0)
	}
	var room [32]byte
	for more := range 18 { // 17 digits are enough for any float
		other := strconv.AppendFloat(room[:0], f, format, places+more, size)
		v, err := strconv.ParseFloat(string(other), size)
		if err == nil && v == f && !parseDecimal(other).onBorder(f, size) {
			return append(dst[:from], other...)
		}
		if !onBorder {
			break
		}
	}
	return dst
}

// tieDigits is the least number of digits at which two shortest decimals can be equally close: decimals of
// fewer digits are further apart than floats.
func tieDigits(size int) int {
	if size == 32 {
		return 6
	}
	return 15
}

// decimalText is digits × 10^power, as strconv printed it.
type decimalText struct {
	digits uint64
	count  int // of digits, without leading zeros
	power  int
}

func parseDecimal(text []byte) decimalText {
	var d decimalText
	point := false
	for i, c := range text {
		switch {
		case c == '.':
			point = true
		case c == 'e':
			if exponent, err := strconv.Atoi(string(text[i+1:])); err == nil {
				d.power += exponent
			}
			return d
		case isDigit(c):
			d.digits = 10*d.digits + uint64(c-'0')
			if d.digits > 0 {
				d.count++
			}
			if point {
				d.power--
			}
		}
	}
	return d
}

// onBorder reports whether d is exactly halfway between f and a neighbour. With f = m × 2^e the borders
// are (4m±2) × 2^(e-2). A d without trailing zeros is none, since f itself is shorter.
func (d decimalText) onBorder(f float64, size int) bool {
	k := d.power
	if k < 1 || k > 23 { // 5^k divides a border's mantissa of at most 55 bits
		return false
	}
	width := 53
	if size == 32 {
		width = 24
	}
	fraction, exponent := math.Frexp(math.Abs(f))
	m, shift := uint64(math.Ldexp(fraction, width)), exponent-width-k
	if shift < 0 || shift > 63 {
		return false
	}
	above, below := 4*m+2, 4*m-2
	if fraction == 0.5 { // the floats below a power of two are twice as dense
		below = 4*m - 1
	}
	hi, lo := bits.Mul64(d.digits, 4*powerOf5(k))
	return hi == above>>(64-shift) && lo == above<<shift || hi == below>>(64-shift) && lo == below<<shift
}

func powerOf5(k int) uint64 {
	p := uint64(1)
	for range k {
		p *= 5
	}
	return p
}
