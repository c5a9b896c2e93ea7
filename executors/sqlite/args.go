package sqlite

import (
	"database/sql/driver"
	"encoding/json"
	"fmt"

	"github.com/tenantry/tenantry/scope"
)

// bind returns the arguments as the driver takes them. The result is valid until the next call.
func (s *session) bind(args []any, tenantKey string) ([]driver.NamedValue, error) {
	s.args = s.args[:0]
	for i, a := range args {
		v, err := argument(a, tenantKey)
		if err != nil {
			return nil, err
		}
		s.args = append(s.args, driver.NamedValue{Ordinal: i + 1, Value: v})
	}
	return s.args, nil
}

// argument is one argument. Every value was typed before, and the statement's text says what it is; a set
// is a JSON array, which json_each takes apart.
func argument(a any, tenantKey string) (driver.Value, error) {
	switch a := a.(type) {
	case nil, string, int64, float64, bool:
		return a, nil
	case []string:
		list, err := json.Marshal(a)
		return string(list), err
	default:
		if scope.IsTenant(a) {
			return tenantKey, nil
		}
		return nil, fmt.Errorf("sqlite: an argument has the type %T", a)
	}
}
