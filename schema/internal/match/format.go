package match

import (
	"maps"
	"net/mail"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"
)

var formats = map[string]func(string) bool{
	"email":     email,
	"uri":       uri,
	"date":      date,
	"date-time": dateTime,
	"uuid":      uuidForm.MatchString,
	"ipv4":      ipv4,
	"ipv6":      ipv6,
	"hostname":  hostname,
}

// Lookup returns the check of a format of JSON Schema, which is safe for concurrent use; false if the
// format is none of Names.
func Lookup(name string) (check func(string) bool, ok bool) {
	check, ok = formats[name]
	return check, ok
}

// Names returns the names of all formats in order. The slice is the caller's.
func Names() []string { return slices.Sorted(maps.Keys(formats)) }

// ElicitationNames returns the formats that a form of MCP may ask for, in the order of its specification.
// The slice is the caller's.
func ElicitationNames() []string { return []string{"email", "uri", "date", "date-time"} }

// email is one bare mailbox of RFC 5321. What the parser would take away (a name, a comment, quotes,
// blanks) makes the address differ from the text. Addresses beyond ASCII are another format, idn-email.
func email(s string) bool {
	const most = 254 // RFC 5321 4.5.3.1.3, without the angle brackets
	if len(s) > most || strings.ContainsFunc(s, beyondASCII) {
		return false
	}
	a, err := mail.ParseAddress(s)
	return err == nil && a.Address == s
}

func beyondASCII(r rune) bool { return r > '~' }

// uriCharacters are those of RFC 3986. The others have to be percent-encoded; blanks, controls and the
// backslash, which browsers take for a slash, are among them.
const uriCharacters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~:/?#[]@!$&'()*+,;=%"

// uri has a scheme, whichever it is: a host that follows a link restricts them itself.
func uri(s string) bool {
	if strings.ContainsFunc(s, func(r rune) bool { return !strings.ContainsRune(uriCharacters, r) }) {
		return false
	}
	u, err := url.Parse(s)
	return err == nil && u.IsAbs()
}

func date(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return err == nil
}

// The parser of package time alone would take a comma for the dot, an hour of one digit and an offset of
// 24 hours. What it refuses are days that a month lacks, an hour of 24 and a second of 60.
var instant = regexp.MustCompile(`^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$`)

// dateTime is RFC 3339, with an offset from UTC and without leap seconds.
func dateTime(s string) bool {
	if !instant.MatchString(s) {
		return false
	}
	_, err := time.Parse(time.RFC3339, strings.ToUpper(s))
	return err == nil
}

var uuidForm = regexp.MustCompile(`^[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$`)

func ipv4(s string) bool {
	a, err := netip.ParseAddr(s)
	return err == nil && a.Is4()
}

// ipv6 is the text of RFC 4291, which has no zone. An IPv4 address mapped into IPv6 is one.
func ipv6(s string) bool {
	a, err := netip.ParseAddr(s)
	return err == nil && a.Is6() && a.Zone() == ""
}

var (
	label   = regexp.MustCompile(`^[0-9A-Za-z](?:[0-9A-Za-z-]{0,61}[0-9A-Za-z])?$`)
	numeric = regexp.MustCompile(`^(?:[0-9]+|0[xX][0-9A-Fa-f]*)$`)
)

// hostname is a name of RFC 1123, without a dot at the end. Its last label is no number, or else resolvers
// take the whole for an IPv4 address.
func hostname(s string) bool {
	const most = 253 // what the 255 bytes of a name on the wire leave for its text
	labels := strings.Split(s, ".")
	return len(s) <= most &&
		!slices.ContainsFunc(labels, func(l string) bool { return !label.MatchString(l) }) &&
		!numeric.MatchString(labels[len(labels)-1])
}
