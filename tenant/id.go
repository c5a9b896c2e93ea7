// Package tenant holds the identity of one tenant: an integer, a UUID or a text key.
//
//	id, err := tenant.Int(42)
//
// It knows nothing of databases or callers, and its values never print or marshal themselves:
// a tenant key in a log line or an answer is always somebody's decision.
package tenant

import (
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
	"unique"
)

// Kind says what sort of key a tenant has. All resources of one registry agree on it.
type Kind string

// The kinds of key. The zero Kind belongs to the zero ID and is refused everywhere.
const (
	KindInt  Kind = "integer"
	KindUUID Kind = "uuid"
	KindText Kind = "text"
)

// maxText bounds a text key, so that a hostile token cannot carry a megabyte into every query.
const maxText = 256

// ID identifies one tenant. IDs are comparable with ==, immutable and safe for concurrent use.
// The zero ID is invalid: no query runs with it.
type ID struct {
	kind Kind

	// key is the canonical text: decimal digits, lower case 8-4-4-4-12, or the text itself. Printing a
	// struct of somebody else's with an ID in an unexported field does not call Format: a handle shows
	// its address there.
	key unique.Handle[string]
}

func newID(kind Kind, key string) ID { return ID{kind, unique.Make(key)} }

// Int returns the ID of an integer key. Zero is refused: it is what a forgotten value looks like.
func Int(n int64) (ID, error) {
	if n == 0 {
		return ID{}, errors.New("tenant: 0 is not a tenant key")
	}
	return newID(KindInt, strconv.FormatInt(n, 10)), nil
}

// UUID returns the ID of a UUID key. The nil UUID is refused.
func UUID(u [16]byte) (ID, error) {
	if u == ([16]byte{}) {
		return ID{}, errors.New("tenant: the nil UUID is not a tenant key")
	}
	h := hex.EncodeToString(u[:])
	return newID(KindUUID, h[:8]+"-"+h[8:12]+"-"+h[12:16]+"-"+h[16:20]+"-"+h[20:]), nil
}

// Text returns the ID of a text key. An empty key, one over 256 bytes, invalid UTF-8, control
// characters and surrounding blanks are refused, since two spellings of one key are two tenants.
func Text(s string) (ID, error) {
	switch {
	case s == "":
		return ID{}, errors.New("tenant: the empty string is not a tenant key")
	case len(s) > maxText:
		return ID{}, fmt.Errorf("tenant: a text key has at most %d bytes", maxText)
	case !utf8.ValidString(s), strings.ContainsFunc(s, unicode.IsControl):
		return ID{}, errors.New("tenant: a text key is valid UTF-8 without control characters")
	case strings.TrimSpace(s) != s:
		return ID{}, errors.New("tenant: a text key has no blanks around it")
	}
	return newID(KindText, s), nil
}

// Parse reads a key of the given kind from text, as a token claim or a header carries it.
// Only the canonical decimal form of an integer is accepted; a UUID may be in either letter case.
func Parse(kind Kind, s string) (ID, error) {
	switch kind {
	case KindInt:
		n, err := strconv.ParseInt(s, 10, 64)
		if err != nil || strconv.FormatInt(n, 10) != s {
			return ID{}, errors.New("tenant: the key is not a 64-bit integer in plain digits")
		}
		return Int(n)
	case KindUUID:
		u, err := parseUUID(s)
		if err != nil {
			return ID{}, err
		}
		return UUID(u)
	case KindText:
		return Text(s)
	default:
		return ID{}, fmt.Errorf("tenant: unknown kind %q", string(kind))
	}
}

func parseUUID(s string) (u [16]byte, err error) {
	if len(s) != 36 || s[8] != '-' || s[13] != '-' || s[18] != '-' || s[23] != '-' {
		return u, errors.New("tenant: the key is not a UUID of the form 8-4-4-4-12")
	}
	digits := s[:8] + s[9:13] + s[14:18] + s[19:23] + s[24:]
	if _, err := hex.Decode(u[:], []byte(digits)); err != nil {
		return u, errors.New("tenant: the key is not a UUID of the form 8-4-4-4-12")
	}
	return u, nil
}

// Must returns the ID of another constructor, for constants in programs and tests: Must(Int(1)). It panics on
// an error.
func Must(id ID, err error) ID {
	if err != nil {
		panic(err)
	}
	return id
}

// Valid reports whether the ID came from one of the constructors.
func (id ID) Valid() bool { return id.kind != "" }

// Kind returns the kind of the key, or "" for the zero ID.
func (id ID) Kind() Kind { return id.kind }

// Key returns the canonical text of the key: decimal digits, a lower-case UUID or the text itself; ""
// for the zero ID.
// It is for binding to a statement and for telling a caller which tenants it was granted; do not log it.
func (id ID) Key() string {
	if !id.Valid() {
		return ""
	}
	return id.key.Value()
}

// Format keeps the key out of every fmt verb, so that a principal in a log line names no tenant.
func (id ID) Format(s fmt.State, _ rune) {
	text := "tenant.ID(hidden)"
	if !id.Valid() {
		text = "tenant.ID(invalid)"
	}
	_, _ = s.Write([]byte(text))
}

// MarshalJSON refuses, so that no answer carries a tenant by accident.
func (id ID) MarshalJSON() ([]byte, error) {
	return nil, errors.New("tenant: an ID does not marshal itself; use Key where a key is meant to be shown")
}
