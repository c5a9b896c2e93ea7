package executors_test

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// epoch is where PostgreSQL counts dates and timestamps from.
var epoch = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// binaryValue is PostgreSQL's binary format of a text, for the types that are read so.
func binaryValue(oid uint32, text string) []byte {
	switch oid {
	case 16:
		return []byte{map[string]byte{"true": 1, "false": 0}[text]}
	case 20:
		return binary.BigEndian.AppendUint64(nil, uint64(number(text)))
	case 21:
		return binary.BigEndian.AppendUint16(nil, uint16(number(text)))
	case 23:
		return binary.BigEndian.AppendUint32(nil, uint32(number(text)))
	case 701:
		f, err := strconv.ParseFloat(text, 64)
		must(err)
		return binary.BigEndian.AppendUint64(nil, math.Float64bits(f))
	case 1082:
		at, err := time.Parse(time.DateOnly, text)
		must(err)
		return binary.BigEndian.AppendUint32(nil, uint32(at.Sub(epoch).Hours()/24))
	case 1114, 1184:
		at, err := time.Parse("2006-01-02T15:04:05.999999", strings.TrimSuffix(text, "Z"))
		must(err)
		return binary.BigEndian.AppendUint64(nil, uint64(at.Sub(epoch).Microseconds()))
	case 1700:
		return binaryNumeric(text)
	case 2950:
		b, err := hex.DecodeString(strings.ReplaceAll(text, "-", ""))
		must(err)
		return b
	default:
		panic(fmt.Sprint("no binary format of type ", oid))
	}
}

func number(text string) int64 {
	n, err := strconv.ParseInt(text, 10, 64)
	must(err)
	return n
}

// binaryNumeric writes groups of four digits behind a header of their count, weight, sign and scale.
func binaryNumeric(text string) []byte {
	text, minus := strings.CutPrefix(text, "-")
	whole, fraction, _ := strings.Cut(text, ".")
	scale := len(fraction)
	for len(whole)%4 != 0 {
		whole = "0" + whole
	}
	for len(fraction)%4 != 0 {
		fraction += "0"
	}
	digits := whole + fraction
	sign := uint16(0)
	if minus {
		sign = 0x4000
	}
	out := binary.BigEndian.AppendUint16(nil, uint16(len(digits)/4))
	out = binary.BigEndian.AppendUint16(out, uint16(len(whole)/4-1))
	out = binary.BigEndian.AppendUint16(out, sign)
	out = binary.BigEndian.AppendUint16(out, uint16(scale))
	for i := 0; i < len(digits); i += 4 {
		out = binary.BigEndian.AppendUint16(out, uint16(number(digits[i:i+4])))
	}
	return out
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
