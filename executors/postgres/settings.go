package postgres

import (
	"encoding/binary"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// TenantSetting is the setting that row policies read: the caller's tenant for one transaction.
const TenantSetting = "tenantry.tenant_id"

// idleInTransaction ends a transaction whose client has gone without a word.
const idleInTransaction = "10s"

// rarely are settings that hardly ever differ from what is wanted. Looking at one costs half of setting it: they
// are set from when one was first seen to differ. How a text is taken apart, what a policy does and what a value
// looks like depends on them.
var rarely = [][2]string{
	{"DateStyle", "ISO, MDY"},
	{"IntervalStyle", "postgres"},
	{"extra_float_digits", "1"},
	{"bytea_output", "hex"},
	{"xmlbinary", "base64"},
	{"lc_monetary", "C"},
	{"standard_conforming_strings", "on"},
	{"client_encoding", "UTF8"},
	{"row_security", "on"},
	{"array_nulls", "on"},
	{"transform_null_equals", "off"},
	{"quote_all_identifiers", "off"},
	{"jit", "off"}, // a page is short, and nothing interrupts the compiling of a statement of many sub-selects
}

// oddities are some of the rarely differing settings, a bit for each.
type oddities uint32

const allOdd oddities = 1<<32 - 1

// settingsSQL sets everything an answer depends on, for one transaction, and says what it is then, in one array.
// Of what rarely differs it sets the odd ones, and looks at the others. It uses no operator, whose meaning would
// depend on the session.
func settingsSQL(odd oddities) string {
	var b strings.Builder
	b.WriteString(`SELECT ARRAY[pg_catalog.set_config('` + TenantSetting + `', $1, true),
 pg_catalog.set_config('transaction_read_only', 'on', true),
 pg_catalog.set_config('statement_timeout', $2, true),
 pg_catalog.set_config('lock_timeout', $3, true),
 pg_catalog.set_config('search_path', $4, true),
 pg_catalog.set_config('TimeZone', 'UTC', true),
 pg_catalog.set_config('idle_in_transaction_session_timeout', '` + idleInTransaction + `', true)`)
	for i, s := range rarely {
		if odd&(1<<i) != 0 {
			b.WriteString(",\n pg_catalog.set_config('" + s[0] + "', '" + s[1] + "', true)")
		} else {
			b.WriteString(",\n pg_catalog.current_setting('" + s[0] + "')")
		}
	}
	b.WriteString("]")
	return b.String()
}

var (
	lookSQL = settingsSQL(0)
	setSQL  = settingsSQL(allOdd)
)

// settled compares the answer of settingsSQL, a binary array, with what was asked for, and tells what differs of
// what rarely does. It is not ok when anything else differs.
func settled(array []byte, want ...string) (odd oddities, ok bool) {
	for _, w := range want {
		var got []byte
		if got, array, ok = nextText(array); !ok || string(got) != w {
			return 0, false
		}
	}
	for i, s := range rarely {
		var got []byte
		if got, array, ok = nextText(array); !ok {
			return 0, false
		}
		if string(got) != s[1] {
			odd |= 1 << i
		}
	}
	return odd, len(array) == 0
}

// arrayHeader is what a binary array of one dimension has before its elements.
const arrayHeader = 5 * 4

// nextText cuts the first element, behind its length, off the elements of a binary array. A null is none.
func nextText(elements []byte) (text, rest []byte, ok bool) {
	if len(elements) < 4 {
		return nil, nil, false
	}
	n := binary.BigEndian.Uint32(elements)
	elements = elements[4:]
	if uint64(n) > uint64(len(elements)) {
		return nil, nil, false
	}
	return elements[:n], elements[n:], true
}

// shown is how the server shows a time that was set in milliseconds: in the largest unit that divides it.
func shown(d time.Duration) string {
	ms := d.Milliseconds()
	if ms == 0 {
		return "0"
	}
	units := []struct {
		name string
		ms   int64
	}{{"d", 24 * 60 * 60 * 1000}, {"h", 60 * 60 * 1000}, {"min", 60 * 1000}, {"s", 1000}, {"ms", 1}}
	for _, u := range units {
		if ms%u.ms == 0 {
			return strconv.FormatInt(ms/u.ms, 10) + u.name
		}
	}
	return ""
}

// timeoutSQL gives the statement behind it a budget of its own.
const timeoutSQL = `SELECT pg_catalog.set_config('statement_timeout', $1, true)`

// settings are what is learned about the database for every later call: by Describe, and by calls that found
// something odd.
type settings struct {
	mu      sync.RWMutex
	schemas []string
	path    string
	odd     oddities
	sql     string // for odd; empty for none
}

// learn has these settings set by all later calls.
func (s *settings) learn(odd oddities) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.odd |= odd
	s.sql = settingsSQL(s.odd)
}

// now is the statement that sets what a call depends on, and what it sets of what rarely differs.
func (s *settings) now() (sql string, odd oddities) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.odd == 0 {
		return lookSQL, 0
	}
	return s.sql, s.odd
}

// addSchemas makes names of these schemas visible to the conditions that a host wrote. pg_catalog comes
// first, so that nothing in them stands in for an operator of the server.
func (s *settings) addSchemas(schemas []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, name := range schemas {
		if name != "pg_catalog" && !slices.Contains(s.schemas, name) {
			s.schemas = append(s.schemas, name)
		}
	}
	quoted := []string{"pg_catalog"}
	for _, name := range s.schemas {
		quoted = append(quoted, quoteIdent(name))
	}
	s.path = strings.Join(quoted, ", ")
}

func (db *DB) searchPath() string {
	db.settings.mu.RLock()
	defer db.settings.mu.RUnlock()
	if db.settings.path == "" {
		return "pg_catalog"
	}
	return db.settings.path
}
