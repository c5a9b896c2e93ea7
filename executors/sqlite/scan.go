package sqlite

import (
	"database/sql"
	"encoding/hex"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/resource"
)

// Scan stores a raw value in dest by the rules of database/sql: an integer as int64, a double as float64, a
// boolean as bool, bytes as []byte, a date or timestamp as time.Time in UTC, everything else, and what is
// not of its column's type, as string; from there into numbers of other sizes, text, pointers and a
// sql.Scanner. NULL needs a pointer to a pointer or a type that takes it.
func (db *DB) Scan(c executors.Column, raw []byte, _ bool, dest any) error {
	v := valueOf(c.Type.Kind, raw)
	if scanner, ok := dest.(sql.Scanner); ok {
		return scanner.Scan(v)
	}
	target := reflect.ValueOf(dest)
	if target.Kind() != reflect.Pointer || target.IsNil() {
		return fmt.Errorf("sqlite: a value needs a pointer to go to, not a %T", dest)
	}
	if assign(target.Elem(), v, raw) {
		return nil
	}
	return fmt.Errorf("sqlite: a value of column %q, of type %s, does not go into a %T", c.Name, c.Type.Name, dest)
}

// valueOf is the value that a raw one stands for.
func valueOf(k resource.Kind, raw []byte) any {
	if raw == nil {
		return nil
	}
	s := string(raw)
	switch k {
	case resource.BigInt:
		if n, err := strconv.ParseInt(s, 10, 64); err == nil {
			return n
		}
	case resource.Double:
		if f, ok := parseFloat(s); ok {
			return f
		}
	case resource.Boolean:
		if s == "0" || s == "1" {
			return s == "1"
		}
	case resource.Bytea:
		if b, err := hex.DecodeString(strings.TrimPrefix(s, blobPrefix)); err == nil && strings.HasPrefix(s, blobPrefix) {
			return b
		}
	case resource.Date, resource.Timestamp, resource.TimestampTZ:
		if t, err := time.Parse(layouts[k], s); err == nil {
			return t
		}
	default:
	}
	return s
}

// layouts are the forms in which dates and times are stored.
var layouts = map[resource.Kind]string{
	resource.Date: time.DateOnly, resource.Timestamp: "2006-01-02T15:04:05.000000",
	resource.TimestampTZ: "2006-01-02T15:04:05.000000Z",
}

// assign stores v in target, whose text is raw, and reports whether it could.
func assign(target reflect.Value, v any, raw []byte) bool {
	if v == nil {
		return assignNull(target)
	}
	if target.Kind() == reflect.Pointer {
		to := reflect.New(target.Type().Elem())
		if scanner, ok := to.Interface().(sql.Scanner); ok {
			if scanner.Scan(v) != nil {
				return false
			}
		} else if !assign(to.Elem(), v, raw) {
			return false
		}
		target.Set(to)
		return true
	}
	if value := reflect.ValueOf(v); value.Type().AssignableTo(target.Type()) {
		target.Set(value)
		return true
	}
	if b, ok := v.([]byte); ok {
		return assignText(target, string(b))
	}
	return assignText(target, string(raw))
}

func assignNull(target reflect.Value) bool {
	switch target.Kind() {
	case reflect.Pointer, reflect.Interface, reflect.Slice:
		target.SetZero()
		return true
	default:
		return false
	}
}

// assignText stores a text in a target of another type.
func assignText(target reflect.Value, s string) bool {
	bits := 0
	if target.CanInt() || target.CanUint() || target.CanFloat() {
		bits = target.Type().Bits()
	}
	switch {
	case target.Kind() == reflect.String:
		target.SetString(s)
	case target.Kind() == reflect.Bool:
		b, err := strconv.ParseBool(s)
		target.SetBool(b)
		return err == nil
	case target.CanInt():
		n, err := strconv.ParseInt(s, 10, bits)
		target.SetInt(n)
		return err == nil
	case target.CanUint():
		n, err := strconv.ParseUint(s, 10, bits)
		target.SetUint(n)
		return err == nil
	case target.CanFloat():
		f, err := strconv.ParseFloat(s, bits)
		target.SetFloat(f)
		return err == nil
	case target.Kind() == reflect.Slice && target.Type().Elem().Kind() == reflect.Uint8:
		target.SetBytes([]byte(s))
	default:
		return false
	}
	return true
}
