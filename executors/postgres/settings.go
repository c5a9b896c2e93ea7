package postgres

import (
	"slices"
	"strings"
	"sync"
)

// TenantSetting is the setting that row policies read: the caller's tenant for one transaction.
const TenantSetting = "tenantry.tenant_id"

// settingsSQL sets everything an answer depends on, for one transaction, and says what it set. The last
// settings rarely differ from what a server has, and are only looked at then: setting one costs more.
const settingsSQL = `SELECT pg_catalog.set_config('` + TenantSetting + `', $1, true),
 pg_catalog.set_config('transaction_read_only', 'on', true),
 pg_catalog.set_config('statement_timeout', $2, true),
 pg_catalog.set_config('lock_timeout', $3, true),
 pg_catalog.set_config('search_path', $4, true),
 pg_catalog.set_config('TimeZone', 'UTC', true),
 CASE WHEN pg_catalog.current_setting('DateStyle') <> 'ISO, MDY' THEN pg_catalog.set_config('DateStyle', 'ISO, MDY', true) END,
 CASE WHEN pg_catalog.current_setting('IntervalStyle') <> 'postgres' THEN pg_catalog.set_config('IntervalStyle', 'postgres', true) END,
 CASE WHEN pg_catalog.current_setting('extra_float_digits') <> '1' THEN pg_catalog.set_config('extra_float_digits', '1', true) END,
 CASE WHEN pg_catalog.current_setting('bytea_output') <> 'hex' THEN pg_catalog.set_config('bytea_output', 'hex', true) END,
 CASE WHEN pg_catalog.current_setting('xmlbinary') <> 'base64' THEN pg_catalog.set_config('xmlbinary', 'base64', true) END,
 CASE WHEN pg_catalog.current_setting('lc_monetary') <> 'C' THEN pg_catalog.set_config('lc_monetary', 'C', true) END`

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
