package shop_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"
)

// rule is how the contract shows what the database prints.
type rule int

const (
	asPrinted rule = iota // a string
	asNumber
	asBigInt // a number as long as every reader keeps it
	asFloat  // a number, but for the special values
	asBoolean
	asTrimmed
	asTimestamp
	asInstant
	asBase64
	asDocument
)

// base is a type and texts of random values of it, some of which are its extremes.
type base struct {
	name  string
	rule  rule
	equal bool // compared by the type's own equality, and not by what it prints
	dark  bool // not compared at all
	order bool // rows can be sorted by it
	value func(r *rand.Rand) string
}

// makeTypes are the types that the tables need.
const makeTypes = `
CREATE TYPE mood AS ENUM ('glum', 'so, so', 'gl"ad', 'NULL', '{}', 'Ünï');
CREATE TYPE pair AS (n int, word text, at timestamptz);
CREATE TYPE span AS RANGE (subtype = numeric);
CREATE TYPE label;
CREATE FUNCTION label_in(cstring) RETURNS label LANGUAGE internal IMMUTABLE STRICT AS 'textin';
CREATE FUNCTION label_out(label) RETURNS cstring LANGUAGE internal IMMUTABLE STRICT AS 'textout';
CREATE TYPE label (INPUT = label_in, OUTPUT = label_out, LIKE = text);`

// bases are the types of the contract's table, and label, which nobody knows.
var bases = []base{
	{name: "smallint", rule: asNumber, equal: true, order: true, value: whole(16)},
	{name: "int", rule: asNumber, equal: true, order: true, value: whole(32)},
	{name: "bigint", rule: asBigInt, equal: true, order: true, value: whole(64)},
	{name: "numeric", equal: true, order: true, value: decimal},
	{name: "numeric(12,3)", equal: true, order: true, value: func(r *rand.Rand) string { return fmt.Sprintf("%.5f", r.NormFloat64()*1e4) }},
	{name: "real", rule: asFloat, equal: true, order: true, value: floating(32)},
	{name: "double precision", rule: asFloat, equal: true, order: true, value: floating(64)},
	{name: "boolean", rule: asBoolean, equal: true, order: true, value: of("true", "false")},
	{name: "text", equal: true, order: true, value: words(40)},
	{name: "varchar(12)", equal: true, order: true, value: words(12)},
	{name: "citext", equal: true, order: true, value: words(10)},
	{name: "char(5)", rule: asTrimmed, equal: true, order: true, value: func(r *rand.Rand) string { return strings.TrimRight(words(5)(r), " ") }},
	{name: "uuid", equal: true, order: true, value: func(r *rand.Rand) string { return fmt.Sprintf("%016X-%016x", r.Uint64(), r.Uint64()&r.Uint64()) }},
	{name: "mood", equal: true, order: true, value: of("glum", "so, so", `gl"ad`, "NULL", "{}", "Ünï")},
	{name: "date", equal: true, order: true, value: day("", "5874897-12-31", "4714-11-24 BC")},
	{name: "timestamp", rule: asTimestamp, equal: true, order: true, value: day(" 01:02:03.4", "294276-12-31 23:59:59.999999", "4714-11-24 00:00:00 BC")},
	{name: "timestamptz", rule: asInstant, equal: true, order: true, value: day(" 23:59:59.999999+05:30", "294276-12-31 23:59:59.999999Z", "4714-11-24 00:00:00Z BC")},
	{name: "bytea", rule: asBase64, dark: true, value: func(r *rand.Rand) string { return fmt.Sprintf(`\x%08x`, r.Uint32()) }},
	{name: "xml", dark: true, value: of(`<a b="c">&amp;d</a>`, "plain <b/>")},
	{name: "json", rule: asDocument, dark: true, value: func(r *rand.Rand) string { return " " + document(r, 2) }},
	{name: "jsonb", rule: asDocument, equal: true, value: func(r *rand.Rand) string { return document(r, 3) }},
	{name: "time", value: of("24:00:00", "00:00:00", "23:59:59.999999", "12:34:56.5")},
	{name: "timetz", value: of("24:00:00-15:59", "12:34:56.5+02", "00:00:00Z", "10:34:56.5+00")},
	{name: "interval", value: of("1 mon -2 days 36:00:00.000001", "-178000000 years", "0", "1 day", "24:00:00", "-00:00:01")},
	{name: "bit(5)", value: func(r *rand.Rand) string { return fmt.Sprintf("%05b", r.IntN(32)) }},
	{name: "varbit", value: of("", "0", "0000", "10101")},
	{name: "inet", value: of("192.0.2.7", "192.0.2.7/32", "192.0.2.7/24", "2001:db8::1", "::ffff:1.2.3.4/64", "0.0.0.0/0")},
	{name: "cidr", value: of("192.0.2.7/32", "192.0.2.0/24", "2001:db8::/32", "0.0.0.0/0")},
	{name: "macaddr", value: of("08:00:2B:01:02:03", "08002b-010204")},
	{name: "macaddr8", value: of("08:00:2b:01:02:03:04:05", "08002b:010203")},
	{name: "int4range", value: of("[1,5]", "(,)", "empty", "[2147483647,)", "(-2147483648,3)")},
	{name: "int8range", value: of("[9223372036854775807,)", "[1,1]", "(,0)")},
	{name: "numrange", value: of("[1.50,1.5]", "(1.500,2)", "[NaN,)", "(,Infinity]")},
	{name: "daterange", value: of("[2026-01-01,infinity)", "[2026-01-01,infinity]", "[-infinity,2026-01-01]", "[0044-03-15 BC,10000-01-01]")},
	{name: "tsrange", value: of(`["2026-01-01 12:00",infinity]`, `(,"0044-03-15 00:00 BC")`)},
	{name: "tstzrange", value: of(`["2026-01-01 12:00+02",infinity)`, `(-infinity,"2026-01-01 12:00:00.000001Z"]`, "empty")},
	{name: "span", value: of("[1.50,2)", "(,)", "empty")},
	{name: "int4multirange", value: of("{}", "{[1,3),[7,9]}", "{(,)}", "{[1,2),[2,3)}")},
	{name: "tstzmultirange", value: of("{}", `{["2026-01-01 12:00+02",infinity)}`, `{(,"0044-03-15 00:00Z BC")}`)},
	{name: "span_multirange", value: of("{}", "{[1.50,2),[3,)}")},
	{name: "point", value: of("(1.5,-2)", "(1e+300,-0)", "(NaN,Infinity)", "(0.30000000000000004,5e-324)")},
	{name: "line", value: of("{1,-1,0.5}", "{0,1,0}")},
	{name: "lseg", value: of("[(0,0),(1,1)]", "[(1,1),(0,0)]")},
	{name: "box", value: of("(2,2),(0,0)", "(0,0),(2,2)", "(1e-9,2),(0,0)")},
	{name: "path", value: of("[(0,0),(1,1)]", "((0,0),(1,1))")},
	{name: "polygon", value: of("((0,0),(1,1),(2,0))", "((0,0))")},
	{name: "circle", value: of("<(1,2),3>", "<(1,2),0>")},
	{name: "tsvector", value: of("'a':1A 'b c':2,3", "'it''s'", "", `'\\back'`)},
	{name: "tsquery", value: of("'fat' & !'rat'", "'a' <-> 'b':*A", "")},
	{name: "money", value: of("-92233720368547758.08", "1234.5", "0")},
	{name: "oid", value: of("0", "4294967295")},
	{name: "xid", value: of("1", "4294967295")},
	{name: "pg_lsn", value: of("16/B374D848", "0/0")},
	{name: "name", value: of("Ada", `q"u'o\te`, "")},
	{name: `"char"`, value: of("a", " ", `"`, `\`, "")},
	{name: "jsonpath", value: of("$.a[*] ? (@ > 1)", `$."b c"`)},
	{name: "pair", value: of("(,,)", `(1,"a ""b"" \\ ,c","2026-01-01 12:00+02")`, "(-1,NULL,infinity)", `(7,"",)`)},
	{name: "label", value: words(20)},
}

func of(texts ...string) func(*rand.Rand) string {
	return func(r *rand.Rand) string { return texts[r.IntN(len(texts))] }
}

func whole(bits int) func(*rand.Rand) string {
	return func(r *rand.Rand) string {
		lowest := int64(-1) << (bits - 1)
		near := (int64(1)<<53 - 3 + r.Int64N(5)) >> (64 - bits)
		return strconv.FormatInt([]int64{int64(r.Uint64()) >> (64 - bits), r.Int64N(3), lowest, -(lowest + 1), near, -near}[r.IntN(6)], 10)
	}
}

func floating(bits int) func(*rand.Rand) string {
	return func(r *rand.Rand) string {
		f, least := math.Float64frombits(r.Uint64()), "5e-324"
		if bits == 32 {
			f, least = float64(math.Float32frombits(r.Uint32())), "1e-45"
		}
		return of(strconv.FormatFloat(f, 'g', -1, bits), strconv.FormatFloat(r.NormFloat64(), 'g', -1, bits),
			"0.30000000000000004", "0.1", "-0", "NaN", "Infinity", "-Infinity", "1e23", "9007199254740993", least)(r)
	}
}

func decimal(r *rand.Rand) string {
	digits := strconv.FormatUint(r.Uint64(), 10) + strconv.FormatUint(r.Uint64(), 10)
	at := 1 + r.IntN(len(digits)-1)
	return of(digits, "-"+digits[:at]+"."+digits[at:], "0."+digits+"000", "NaN", "Infinity", "-Infinity", "1e-300", "1e1500", "-1e1500", "0.00", "1.0", "1.000")(r)
}

// words are texts of at most n characters of which each means something to somebody.
func words(n int) func(*rand.Rand) string {
	alphabet := []rune("aAbB 0%_\\'\"`,;:{}[]()?$-*/|&<>\n\t\x01\u00a0äßİıé\u0301漢\U0001F600\u2028\ufeff")
	return func(r *rand.Rand) string {
		text := make([]rune, r.IntN(n+1))
		for i := range text {
			text[i] = alphabet[r.IntN(len(alphabet))]
		}
		return of(string(text), string(text), string(text), "", "null", "NULL", "NaN", "true", "10", "1e1", "[]", "{}", "now", "a,b")(r)
	}
}

// day is a day of any age, with a time of day.
func day(clock, last, first string) func(*rand.Rand) string {
	return func(r *rand.Rand) string {
		at := time.Date(1+r.IntN(9999), time.January, 1+r.IntN(365), 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
		return of(at+clock, at+clock, "0001-01-01"+clock, "9999-12-30"+clock, "10000-01-02"+clock, "0001-12-31"+clock+" BC", "infinity", "-infinity", last, first)(r)
	}
}

// document is a JSON document, and not null.
func document(r *rand.Rand, depth int) string {
	leaf := of("true", "1.0", "-0", "1e400", "12345678901234567890.50", `""`, `"a\"\\\u00fc"`, `"null"`, "0.1e-5")
	if depth == 0 {
		return leaf(r)
	}
	inner := of(document(r, depth-1), "null")(r)
	return of(leaf(r), "["+inner+", "+document(r, depth-1)+"]", `{"a": `+inner+`, "b c":[]}`, "[]", "{}")(r)
}
