package contract_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"
)

// generated is the type of a column, and SQL for random values of it.
type generated struct {
	definition string
	whole      bool // a bare value does not mean equality
	value      func(r *rand.Rand) string
}

// anywhere are the types that both databases have.
var anywhere = []generated{
	{definition: "bigint", value: whole(64)},
	{definition: "double precision", value: floating(64)},
	{definition: "boolean", value: func(r *rand.Rand) string { return pick(r, "true", "false") }},
	{definition: "text", value: func(r *rand.Rand) string { return literal(words(r, 40)) }},
	{definition: "varchar(20)", value: func(r *rand.Rand) string { return literal(words(r, 20)) }},
	{definition: "citext", value: func(r *rand.Rand) string { return literal(words(r, 20)) }},
	{definition: "char(6)", value: func(r *rand.Rand) string { return literal(strings.TrimRight(words(r, 6), " ")) }},
	{definition: "uuid", value: func(r *rand.Rand) string { return literal(identifier(r)) }},
	{definition: "date", value: func(r *rand.Rand) string { return literal(moment(r).Format(time.DateOnly)) }},
	{definition: "timestamp", value: func(r *rand.Rand) string { return literal(moment(r).Format("2006-01-02T15:04:05.000000")) }},
	{definition: "timestamptz", value: func(r *rand.Rand) string { return literal(moment(r).Format("2006-01-02T15:04:05.000000Z")) }},
	{definition: "interval", value: func(r *rand.Rand) string {
		return literal(fmt.Sprintf("%d mons %d days %d:00:00.5", r.IntN(40)-20, r.IntN(40), r.IntN(40)))
	}},
}

// onlyPostgres are the rest of the types that can be filtered, and values that only it has.
var onlyPostgres = []generated{
	{definition: "smallint", value: whole(16)},
	{definition: "int", value: whole(32)},
	{definition: "numeric", value: decimal},
	{definition: "numeric(12,3)", value: func(r *rand.Rand) string { return strconv.FormatFloat(r.NormFloat64()*1e4, 'f', 5, 64) }},
	{definition: "real", value: floating(32)},
	{definition: "order_state", value: func(r *rand.Rand) string { return literal(pick(r, "draft", "paid", "void")) }},
	{definition: "date", value: func(r *rand.Rand) string { return literal(beyond(r, "")) }},
	{definition: "timestamp", value: func(r *rand.Rand) string { return literal(beyond(r, " 01:02:03.4")) }},
	{definition: "timestamptz", value: func(r *rand.Rand) string { return literal(beyond(r, " 01:02:03.45+02")) }},
	{definition: "jsonb", whole: true, value: func(r *rand.Rand) string { return literal(document(r, 3)) }},
	{definition: "hours", value: func(r *rand.Rand) string { return fmt.Sprintf("interval '%d s'", r.IntN(1e6)) }},
	{definition: "time", value: func(r *rand.Rand) string { return literal(moment(r).Format("15:04:05.999999")) }},
	{definition: "timetz", value: func(r *rand.Rand) string {
		return literal(moment(r).Format("15:04:05") + pick(r, "+02", "-03:30", "Z"))
	}},
	{definition: "int4range", value: func(r *rand.Rand) string {
		return fmt.Sprintf("int4range(%d, %s, '[]')", r.IntN(9), pick(r, "10", "NULL"))
	}},
	{definition: "tstzrange", value: func(r *rand.Rand) string {
		return fmt.Sprintf("tstzrange('%s', %s)", moment(r).Format(time.RFC3339Nano), pick(r, "'infinity'", "NULL"))
	}},
	{definition: "nummultirange", value: func(r *rand.Rand) string { return pick(r, "'{}'", "'{[1.50,2),[3,)}'") }},
	{definition: "inet", value: func(r *rand.Rand) string { return literal(address(r)) }},
	{definition: "macaddr", value: func(r *rand.Rand) string { return fmt.Sprintf("'08:00:2b:01:02:%02x'", r.IntN(256)) }},
	{definition: "bit(5)", value: func(r *rand.Rand) string { return fmt.Sprintf("B'%05b'", r.IntN(32)) }},
	{definition: "varbit", value: func(r *rand.Rand) string { return fmt.Sprintf("B'%b'", r.IntN(1e6)) }},
	{definition: "tsvector", value: func(r *rand.Rand) string { return "array_to_tsvector(" + list(r, plainWord) + "::text[])" }},
	{definition: "point", value: func(r *rand.Rand) string { return fmt.Sprintf("point(%g, %g)", r.NormFloat64(), r.NormFloat64()) }},
	{definition: "money", value: func(r *rand.Rand) string { return fmt.Sprintf("%d.5::numeric::money", r.IntN(1e6)) }},
	{definition: "oid", value: func(r *rand.Rand) string { return strconv.Itoa(int(r.Uint32())) }},
	{definition: "pair", value: func(r *rand.Rand) string { return fmt.Sprintf("ROW(%d, %s)", r.IntN(9), literal(words(r, 8))) }},
	{definition: `"char"`, value: func(r *rand.Rand) string { return literal(string(rune('!' + r.IntN(90)))) }},
	{definition: "text[]", whole: true, value: array("text", func(r *rand.Rand) string { return literal(words(r, 8)) })},
	{definition: "int[]", whole: true, value: array("int", whole(32))},
	{definition: "numeric[]", whole: true, value: array("numeric", decimal)},
	{definition: "double precision[]", whole: true, value: array("double precision", floating(64))},
	{definition: "boolean[]", whole: true, value: array("boolean", func(r *rand.Rand) string { return pick(r, "true", "false") })},
	{definition: "order_state[]", whole: true, value: array("order_state", func(r *rand.Rand) string { return literal(pick(r, "draft", "void")) })},
	{definition: "uuid[]", whole: true, value: array("uuid", func(r *rand.Rand) string { return literal(identifier(r)) })},
	{definition: "timestamptz[]", whole: true, value: array("timestamptz", func(r *rand.Rand) string { return literal(beyond(r, " 01:02:03.45+02")) })},
	{definition: "inet[]", whole: true, value: array("inet", func(r *rand.Rand) string { return literal(address(r)) })},
	{definition: "jsonb[]", whole: true, value: array("jsonb", func(r *rand.Rand) string { return literal(document(r, 2)) })},
	{definition: "box[]", whole: true, value: array("box", func(r *rand.Rand) string { return fmt.Sprintf("'(%d,2),(0,0)'", r.IntN(9)) })},
	{definition: "pair[]", whole: true, value: array("pair", func(r *rand.Rand) string { return fmt.Sprintf("ROW(%d, %s)", r.IntN(9), literal(words(r, 8))) })},
	{definition: "char(3)[]", whole: true, value: array("char(3)", func(r *rand.Rand) string { return literal(plainWord(r)) })},
}

func pick[T any](r *rand.Rand, of ...T) T { return of[r.IntN(len(of))] }

func literal(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// whole are integers of so many bits, and the last ones.
func whole(bits int) func(*rand.Rand) string {
	return func(r *rand.Rand) string {
		n := int64(r.Uint64()) >> (64 - bits) >> r.IntN(bits)
		lowest := int64(-1) << (bits - 1)
		return literal(strconv.FormatInt(pick(r, n, n, n, lowest, -(lowest+1)), 10)) // in quotes, or the lowest is a negated number
	}
}

// floating are floats of any bits, without those that SQLite does not keep.
func floating(bits int) func(*rand.Rand) string {
	return func(r *rand.Rand) string {
		f := pick(r, math.Float64frombits(r.Uint64()), r.NormFloat64(), math.MaxFloat32, 0.1, 1<<53)
		if bits == 32 {
			f = float64(pick(r, math.Float32frombits(r.Uint32()), float32(r.NormFloat64()), math.MaxFloat32, math.SmallestNonzeroFloat32))
		}
		if math.IsNaN(f) || math.IsInf(f, 0) {
			f = 1.0 / 3
		}
		return strconv.FormatFloat(f, 'e', -1, bits)
	}
}

func decimal(r *rand.Rand) string {
	digits := strconv.FormatUint(r.Uint64(), 10) + strconv.FormatUint(r.Uint64(), 10)
	at := r.IntN(len(digits)-1) + 1
	return literal(pick(r, digits, "-"+digits[:at]+"."+digits[at:], "0."+digits+"000", "NaN", "Infinity", "-Infinity", "1e-300"))
}

// words are texts of at most n characters in which every character may mean something to somebody.
func words(r *rand.Rand, n int) string {
	const alphabet = "aAbB 0%_\\'\"`,;:{}[]()?$-*/|&<>\n\t\x01\u00a0äßİıé\u0301漢\U0001F600\u2028\ufeff"
	runes := []rune(alphabet)
	out := make([]rune, r.IntN(n+1))
	for i := range out {
		out[i] = runes[r.IntN(len(runes))]
	}
	return pick(r, string(out), string(out), string(out), string(out), "", "null", "NaN", "true", "10", "1e1", "[]", "{}", "now", "a,b")[:]
}

func plainWord(r *rand.Rand) string { return pick(r, "a", "bc", "d'e", `f"g`, "h i") }

func identifier(r *rand.Rand) string {
	return fmt.Sprintf("%08x-%04x-4%03x-8%03x-%012x", r.Uint32(), r.IntN(1<<16), r.IntN(1<<12), r.IntN(1<<12), r.Int64N(1<<48))
}

// moment is a microsecond of the years 1 to 9999.
func moment(r *rand.Rand) time.Time {
	return time.Date(1+r.IntN(9999), time.January, 1+r.IntN(365), r.IntN(24), r.IntN(60), r.IntN(60), r.IntN(1e6)*1000, time.UTC)
}

// beyond is a day outside of those years, or none.
func beyond(r *rand.Rand, clock string) string {
	return pick(r, "infinity", "-infinity", fmt.Sprintf("%d-06-07%s", 10000+r.IntN(200000), clock), fmt.Sprintf("%04d-06-07%s BC", 1+r.IntN(4700), clock), "2026-07-01"+clock)
}

func address(r *rand.Rand) string {
	return pick(r, "192.0.2.", "10.0.0.") + strconv.Itoa(r.IntN(256)) + pick(r, "", "/24", "/32", "/0")
}

// document is a JSON document, and not null.
func document(r *rand.Rand, depth int) string {
	leaves := []string{"true", "1.0", "-0", "1e400", "12345678901234567890.5", `""`, `"a\"\\\u00fc"`, `"null"`}
	if depth == 0 {
		return pick(r, leaves...)
	}
	inner := pick(r, document(r, depth-1), "null")
	return pick(r, pick(r, leaves...), "["+inner+","+document(r, depth-1)+"]", `{"a":`+inner+`,"b c":[]}`, "[]", "{}")
}

// list is an array of literals.
func list(r *rand.Rand, value func(*rand.Rand) string) string {
	parts := make([]string, 1+r.IntN(3))
	for i := range parts {
		parts[i] = literal(value(r))
	}
	return "ARRAY[" + strings.Join(parts, ",") + "]"
}

// array are arrays of one and two dimensions, empty ones, and nulls in them.
func array(elem string, value func(*rand.Rand) string) func(*rand.Rand) string {
	return func(r *rand.Rand) string {
		one := func() string {
			return "ARRAY[" + value(r) + "::" + elem + "," + pick(r, "NULL", value(r)) + "::" + elem + "]"
		}
		return pick(r, "'{}'", one(), "ARRAY["+one()+","+one()+","+one()+"]")
	}
}
