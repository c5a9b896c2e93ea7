package executors

import (
	"database/sql/driver"
	"errors"
	"fmt"
	"reflect"
	"time"

	"github.com/tenantry/tenantry/filtering"
)

// constant is an argument that a host wrote into a condition, in a form every database binds alike. A
// nil compares as nothing and a bare byte array binds as a list, so both are refused.
func constant(v any) (any, error) {
	if rv := reflect.ValueOf(v); rv.Kind() == reflect.Pointer && rv.IsNil() {
		v = nil
	}
	if valuer, ok := v.(driver.Valuer); ok {
		out, err := valuer.Value()
		if err != nil {
			return nil, err
		}
		v = out
	}
	switch v := v.(type) {
	case nil:
		return nil, errors.New("an argument is nil: write IS NULL")
	case string, bool, int64, float64, []string, filtering.Nested:
		return v, nil
	case time.Time:
		return v.UTC().Format("2006-01-02T15:04:05.000000Z07:00"), nil
	case fmt.Stringer:
		if rv := reflect.ValueOf(v); rv.Kind() == reflect.Array && rv.Len() == 16 {
			return v.String(), nil // the uuid types of the ecosystem
		}
	}
	switch rv := reflect.ValueOf(v); rv.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32:
		return rv.Int(), nil
	case reflect.Uint8, reflect.Uint16, reflect.Uint32:
		return int64(rv.Uint()), nil
	case reflect.String:
		return rv.String(), nil
	default:
		return nil, fmt.Errorf("an argument is of type %T; use a string, a number, a boolean, a time or a list of strings", v)
	}
}
