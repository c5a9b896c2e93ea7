package sqlite

import (
	"crypto/md5" // a fingerprint, no secret depends on it
	"database/sql/driver"
	"encoding/hex"
	"strings"
	"sync"

	modernc "modernc.org/sqlite"
)

// functionDriver is a driver of our own, so that our functions exist on our connections alone.
var functionDriver = sync.OnceValue(func() *modernc.Driver {
	d := &modernc.Driver{}
	for _, f := range functions {
		d.MustRegisterFunction(f.name, &modernc.FunctionImpl{
			NArgs: f.args, Deterministic: true, VolatileArgs: true, // the latter also passes text behind a NUL
			Scalar: func(_ *modernc.FunctionContext, args []driver.Value) (driver.Value, error) {
				return f.call(args), nil
			},
		})
	}
	return d
})

// functions are what SQLite lacks. None keeps an argument, which is SQLite's memory.
var functions = []struct {
	name string
	args int32
	call func(args []driver.Value) driver.Value
}{
	{"tenantry_value", 1, func(args []driver.Value) driver.Value { return textual(args[0], parseRaw) }},
	{"tenantry_boolean", 1, func(args []driver.Value) driver.Value { return textual(args[0], parseBoolean) }},
	{"tenantry_fold", 1, func(args []driver.Value) driver.Value {
		return textual(args[0], func(s string) driver.Value { return fold(s) })
	}},
	{"tenantry_matches", 2, search(strings.Contains)},
	{"tenantry_starts_with", 2, search(strings.HasPrefix)},
	{"tenantry_ends_with", 2, search(strings.HasSuffix)},
	{"tenantry_md5", 1, digest},
	{"tenantry_part", 1, part},
	{"tenantry_halves", 2, halves},
	{"tenantry_period", 2, period},
}

// textual applies f to a text and leaves everything else as it is.
func textual(v driver.Value, f func(string) driver.Value) driver.Value {
	if s, ok := v.(string); ok {
		return f(s)
	}
	return v
}

// fold makes texts that differ in case alone the same, character by character as PostgreSQL's ILIKE does.
func fold(s string) string { return strings.ToLower(s) }

func parseBoolean(s string) driver.Value {
	switch s {
	case "true":
		return int64(1)
	case "false":
		return int64(0)
	default:
		return parseRaw(s)
	}
}

// search is a condition over a text and a folded text to look for. NULL stays NULL, and what is no text
// holds none.
func search(found func(s, part string) bool) func([]driver.Value) driver.Value {
	return func(args []driver.Value) driver.Value {
		part, ok := args[1].(string)
		if args[0] == nil || !ok {
			return nil
		}
		s, ok := args[0].(string)
		return ok && found(fold(s), part)
	}
}

// part is a value as an element of a list of texts, as PostgreSQL prints an array.
func part(args []driver.Value) driver.Value {
	if args[0] == nil {
		return "NULL"
	}
	return `"` + partEscaper.Replace(string(appendRaw(nil, args[0]))) + `"`
}

var partEscaper = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

func digest(args []driver.Value) driver.Value {
	var sum [md5.Size]byte
	switch v := args[0].(type) {
	case nil:
		return nil
	case []byte:
		sum = md5.Sum(v)
	default:
		sum = md5.Sum(appendRaw(nil, v))
	}
	return hex.EncodeToString(sum[:])
}
