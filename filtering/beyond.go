package filtering

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/tenantry/tenantry/resource"
)

// outside is what PostgreSQL prints, with DateStyle ISO in UTC, for a date or time that is not of the
// years 1 to 9999: "10000-01-01", "0044-03-15 BC", "0044-03-15 10:00:00.5+00 BC".
var outside = regexp.MustCompile(`^(\d{4,7})-(\d\d)-(\d\d)(?: ((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(?:\.\d{0,5}[1-9])?(\+00)?)?( BC)?$`)

// The last years of date and of the timestamps, and the first day of both, which is the Julian day 0.
// Table 8.9 of the PostgreSQL manual.
const (
	lastDateYear      = 5874897
	lastTimestampYear = 294276
)

var firstDay = time.Date(-4713, time.November, 24, 0, 0, 0, 0, time.UTC)

// beyond reports whether s is such a text, exactly as printed, of a day that the type holds.
func beyond(s string, k resource.Kind) bool {
	m := outside.FindStringSubmatch(s)
	if m == nil || !formOf(k, m[4] != "", m[5] != "") {
		return false
	}
	year, ok := yearBeyond(m[1], m[6] != "")
	if !ok || year > lastDateYear || k != resource.Date && year > lastTimestampYear {
		return false
	}
	month, _ := strconv.Atoi(m[2])
	day, _ := strconv.Atoi(m[3])
	at := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
	return int(at.Month()) == month && at.Day() == day && !at.Before(firstDay)
}

// formOf reports whether a date, a time or an offset is printed for the type.
func formOf(k resource.Kind, clock, offset bool) bool {
	switch k {
	case resource.Date:
		return !clock
	case resource.Timestamp:
		return clock && !offset
	case resource.TimestampTZ:
		return clock && offset
	default:
		return false
	}
}

// yearBeyond reads a year that is not from 1 to 9999: 1 BC is the year 0.
func yearBeyond(digits string, bc bool) (int, bool) {
	n, _ := strconv.Atoi(digits)
	if bc {
		return 1 - n, n >= 1 && len(digits) == 4
	}
	return n, n > 9999 && !strings.HasPrefix(digits, "0")
}
