package filtering

import (
	"regexp"
	"strings"
	"time"

	"github.com/tenantry/tenantry/resource"
)

const (
	sampleDay     = "2026-07-01"
	sampleInstant = "2026-07-01T09:30:00Z"
	sampleLocal   = "2026-07-01T09:30:00"

	// localForm is the canonical text of a timestamp; a timestamptz adds Z.
	localForm = "2006-01-02T15:04:05.000000"
)

// stamp is RFC 3339 with at most six decimals, the time and the offset optional.
var stamp = regexp.MustCompile(`^(\d{4}-\d\d-\d\d)(?:[Tt](\d\d:\d\d:\d\d(?:\.\d{1,6})?)([Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)?)?$`)

// moment is a date or a time of a date as it was written.
type moment struct {
	at     time.Time // in UTC
	day    bool      // a bare date
	offset bool
}

// read takes a date, a timestamp without offset or an RFC 3339 instant of the years 1 to 9999.
func readMoment(s string) (moment, bool) {
	m := stamp.FindStringSubmatch(s)
	if m == nil {
		return moment{}, false
	}
	date, clock, offset := m[1], m[2], strings.ToUpper(m[3])
	form, text := time.DateOnly, date
	if clock != "" {
		form, text = form+" 15:04:05", text+" "+clock
	}
	if offset != "" {
		form, text = form+"Z07:00", text+offset
	}
	at, err := time.Parse(form, text)
	at = at.UTC()
	if err != nil || at.Year() < 1 || at.Year() > 9999 || strings.HasPrefix(date, "0000") {
		return moment{}, false
	}
	return moment{at: at, day: clock == "", offset: offset != ""}, true
}

// date types a value of a date column.
func date(v value) (typed, *fault) {
	if v.kind == stringKind {
		if m, ok := readMoment(v.text); ok && m.day {
			return typed{text: v.text}, nil
		}
		if special(v, "infinity", "-infinity") || beyond(v.text, resource.Date) {
			return typed{text: v.text, form: spelled}, nil
		}
	}
	fix := corrected(v, resource.Date)
	return typed{}, wrong("%s is not a date; send %q", v.show(), fix).like(fix)
}

// timestamp types a value of a timestamp or timestamptz column.
func timestamp(v value, k resource.Kind) (typed, *fault) {
	if v.kind == stringKind {
		m, ok := readMoment(v.text)
		switch {
		case ok && m.day:
			return typed{text: v.text, form: wholeDay}, nil
		case ok && m.offset == (k == resource.TimestampTZ):
			return typed{text: canonical(m.at, k)}, nil
		case special(v, "infinity", "-infinity"), beyond(v.text, k):
			return typed{text: v.text, form: spelled}, nil
		}
	}
	return typed{}, badTimestamp(v, k)
}

func badTimestamp(v value, k resource.Kind) *fault {
	fix := corrected(v, k)
	m, ok := readMoment(v.text)
	switch {
	case ok && m.offset:
		return wrong("%s carries an offset and this column has none; send %q", v.show(), fix).like(fix)
	case ok:
		return wrong("%s has no offset from UTC; send %q", v.show(), fix).like(fix)
	case k == resource.TimestampTZ:
		return wrong("%s is not an instant; send RFC 3339 with an offset such as %q, or a date for the whole UTC day",
			v.show(), fix).like(fix)
	default:
		return wrong("%s is not a timestamp; send one without offset such as %q, or a date for the whole day",
			v.show(), fix).like(fix)
	}
}

// canonical is the text that the page shows and the database is asked for.
func canonical(at time.Time, k resource.Kind) string {
	if k == resource.TimestampTZ {
		return at.Format(localForm) + "Z"
	}
	return at.Format(localForm)
}

// loose is a time written nearly right.
var loose = regexp.MustCompile(`^(\d{4}-\d\d-\d\d)(?:[Tt ]+(\d\d:\d\d)(:\d\d)?(?:[.,](\d{1,6})\d*)?\s*([Zz]|[+-]\d\d(?::?\d\d)?)?)?$`)

// corrected is v with the commonest slips undone, or a sample when that does not make it good.
func corrected(v value, k resource.Kind) string {
	m := loose.FindStringSubmatch(v.text)
	switch k {
	case resource.Date:
		if m != nil {
			return good(m[1], sampleDay)
		}
		return sampleDay
	case resource.TimestampTZ:
		if m != nil {
			return good(mended(m)+mendedOffset(m[5]), sampleInstant)
		}
		return sampleInstant
	default:
		if m != nil {
			return good(mended(m), sampleLocal)
		}
		return sampleLocal
	}
}

// mended joins date, minutes, seconds and decimals.
func mended(m []string) string {
	date, minutes, seconds, decimals := m[1], m[2], m[3], m[4]
	switch {
	case minutes == "":
		minutes = "00:00"
		seconds = ":00"
	case seconds == "":
		seconds = ":00"
	case seconds == ":60":
		seconds = ":59"
	}
	if decimals != "" {
		seconds += "." + decimals
	}
	return date + "T" + minutes + seconds
}

func mendedOffset(s string) string {
	switch len(s) {
	case len("+02"):
		return s + ":00"
	case len("+0200"):
		return s[:3] + ":" + s[3:]
	case 0:
		return "Z"
	default:
		return s
	}
}

// good returns s if it can be read, else the sample.
func good(s, sample string) string {
	if _, ok := readMoment(s); ok {
		return s
	}
	return sample
}

// Instant types the operand of updated_since: RFC 3339 with an offset, or a date that stands for its
// 00:00:00Z. It returns the canonical text in UTC, with six decimals and Z.
func Instant(s, path string) (string, *resource.Error) {
	v := value{kind: stringKind, text: s}
	if m, ok := readMoment(s); ok && (m.day || m.offset) {
		return canonical(m.at, resource.TimestampTZ), nil
	}
	return "", badTimestamp(v, resource.TimestampTZ).at(resource.InvalidArgument, path)
}
