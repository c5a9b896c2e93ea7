package serializer

import (
	"bytes"
	"encoding/binary"
	"math"
	"time"
)

const (
	epoch     = 946684800 // PostgreSQL's, 2000-01-01, in Unix seconds
	perSecond = 1_000_000
	perDay    = 86400
)

// appendTimestampTZText appends PostgreSQL's "2026-07-01 09:30:00.5+00" or the contract's own
// "2026-07-01T09:30:00.500000Z" in the contract's form. Anything else stays as it is: infinity, and
// years outside 1 to 9999.
func appendTimestampTZText(dst, raw []byte) []byte { return appendClockText(dst, raw, true) }

func appendTimestampText(dst, raw []byte) []byte { return appendClockText(dst, raw, false) }

func appendClockText(dst, raw []byte, zoned bool) []byte {
	const seconds = len("2026-07-01 09:30:00")
	if len(raw) < seconds || !isClock(raw[:seconds]) {
		return appendString(dst, raw)
	}
	decimals, zone := splitDecimals(raw[seconds:])
	utc := string(zone) == "Z" || string(zone) == "+00"
	if len(decimals) > 6 || zoned && !utc || !zoned && len(zone) > 0 {
		return appendString(dst, raw)
	}
	dst = append(dst, '"')
	dst = append(dst, raw[:10]...)
	dst = append(dst, 'T')
	dst = append(dst, raw[11:seconds]...)
	dst = append(dst, '.')
	dst = append(dst, decimals...)
	dst = append(dst, "000000"[len(decimals):]...)
	if zoned {
		dst = append(dst, 'Z')
	}
	return append(dst, '"')
}

// splitDecimals splits ".123+00" into "123" and "+00". A point without a digit stays with the rest.
func splitDecimals(s []byte) (decimals, rest []byte) {
	if len(s) < 2 || s[0] != '.' || !isDigit(s[1]) {
		return nil, s
	}
	n := 1 + leadingDigits(s[1:])
	return s[1:n], s[n:]
}

// isClock reports whether s, of the right length, is a date and a time of day with a T or a blank
// between them.
func isClock(s []byte) bool {
	const form = "0000-00-00 00:00:00"
	for i, c := range s {
		switch {
		case form[i] == '0' && !isDigit(c):
			return false
		case form[i] == ' ' && c != ' ' && c != 'T':
			return false
		case form[i] != '0' && form[i] != ' ' && c != form[i]:
			return false
		}
	}
	year, month, day := pair(s)*100+pair(s[2:]), pair(s[5:]), pair(s[8:])
	return year > 0 && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month) &&
		pair(s[11:]) < 24 && pair(s[14:]) < 60 && pair(s[17:]) < 60
}

func pair(s []byte) int { return 10*int(s[0]-'0') + int(s[1]-'0') }

func daysIn(year, month int) int {
	switch {
	case month == 2 && year%4 == 0 && (year%100 != 0 || year%400 == 0):
		return 29
	case month == 2:
		return 28
	case month == 4 || month == 6 || month == 9 || month == 11:
		return 30
	default:
		return 31
	}
}

func appendBinaryDate(dst, raw []byte) []byte {
	if len(raw) != 4 {
		return appendBroken(dst, raw)
	}
	switch days := int32(binary.BigEndian.Uint32(raw)); days {
	case math.MaxInt32:
		return append(dst, `"infinity"`...)
	case math.MinInt32:
		return append(dst, `"-infinity"`...)
	default:
		year, month, day := time.Unix(epoch+perDay*int64(days), 0).UTC().Date()
		dst = appendDay(append(dst, '"'), year, month, day)
		return append(appendEra(dst, year), '"')
	}
}

func appendBinaryTimestampTZ(dst, raw []byte) []byte { return appendMicroseconds(dst, raw, true) }

func appendBinaryTimestamp(dst, raw []byte) []byte { return appendMicroseconds(dst, raw, false) }

func appendMicroseconds(dst, raw []byte, zoned bool) []byte {
	if len(raw) != 8 {
		return appendBroken(dst, raw)
	}
	switch us := int64(binary.BigEndian.Uint64(raw)); us {
	case math.MaxInt64:
		return append(dst, `"infinity"`...)
	case math.MinInt64:
		return append(dst, `"-infinity"`...)
	default: // seconds first: adding the epoch in microseconds overflows within PostgreSQL's range
		t := time.Unix(epoch+us/perSecond, us%perSecond*1000).UTC()
		return appendInstant(dst, t, zoned)
	}
}

// appendInstant appends t, which is in UTC, in the contract's form; outside years 1 to 9999 in
// PostgreSQL's.
func appendInstant(dst []byte, t time.Time, zoned bool) []byte {
	year, month, day := t.Date()
	hour, minute, second := t.Clock()
	us := t.Nanosecond() / 1000
	if year < 1 || year > 9999 {
		dst = appendDay(append(dst, '"'), year, month, day)
		dst = append(dst, ' ', tens(hour), ones(hour), ':', tens(minute), ones(minute), ':', tens(second), ones(second))
		if us > 0 {
			dst = bytes.TrimRight(appendPadded(append(dst, '.'), us, 6), "0")
		}
		if zoned {
			dst = append(dst, "+00"...)
		}
		return append(appendEra(dst, year), '"')
	}
	// One append of known length: a page has many of these.
	century, years, high, middle, low := year/100, year%100, us/10000, us/100%100, us%100
	dst = append(dst, '"', tens(century), ones(century), tens(years), ones(years), '-', tens(int(month)), ones(int(month)), '-', tens(day), ones(day),
		'T', tens(hour), ones(hour), ':', tens(minute), ones(minute), ':', tens(second), ones(second),
		'.', tens(high), ones(high), tens(middle), ones(middle), tens(low), ones(low))
	if zoned {
		dst = append(dst, 'Z')
	}
	return append(dst, '"')
}

// The digits of a number below 100.
func tens(n int) byte { return '0' + byte(n/10) }
func ones(n int) byte { return '0' + byte(n%10) }

// appendDay appends a date without its era. There is no year 0: it is 1 BC.
func appendDay(dst []byte, year int, month time.Month, day int) []byte {
	if year < 1 {
		year = 1 - year
	}
	dst = appendPadded(dst, year, 4)
	dst = appendPadded(append(dst, '-'), int(month), 2)
	return appendPadded(append(dst, '-'), day, 2)
}

func appendEra(dst []byte, year int) []byte {
	if year < 1 {
		return append(dst, " BC"...)
	}
	return dst
}
