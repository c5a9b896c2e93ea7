package postgres

import (
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

// rarely are settings that hardly ever differ from what a server has. They are only looked at then: setting
// one costs more. How a text is taken apart, what a policy does and what a value looks like depends on them.
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

// settingsSQL sets everything an answer depends on, for one transaction, and says what it is then.
var settingsSQL = func() string {
	var b strings.Builder
	b.WriteString(`SELECT pg_catalog.set_config('` + TenantSetting + `', $1, true),
 pg_catalog.set_config('transaction_read_only', 'on', true),
 pg_catalog.set_config('statement_timeout', $2, true),
 pg_catalog.set_config('lock_timeout', $3, true),
 pg_catalog.set_config('search_path', $4, true),
 pg_catalog.set_config('TimeZone', 'UTC', true),
 pg_catalog.set_config('idle_in_transaction_session_timeout', '` + idleInTransaction + `', true)`)
	for _, s := range rarely {
		b.WriteString(",\n CASE WHEN pg_catalog.current_setting('" + s[0] + "') <> '" + s[1] +
			"' THEN pg_catalog.set_config('" + s[0] + "', '" + s[1] + "', true) END")
	}
	return b.String()
}()

// isSet reports whether the answer of settingsSQL, or of timeoutSQL behind a call's own, is what was asked for.
func isSet(got [][]byte, want ...string) bool {
	if len(got) < len(want) {
		return false
	}
	for i, w := range want {
		if string(got[i]) != w {
			return false
		}
	}
	for i, v := range got[len(want):] {
		if v != nil && (i >= len(rarely) || string(v) != rarely[i][1]) {
			return false
		}
	}
	return true
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

// settings are what Describe learns about the database for every later call.
type settings struct {
	mu      sync.RWMutex
	schemas []string
	path    string
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
