package serializer_test

import (
	"flag"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/serializer"
)

var update = flag.Bool("update", false, "rewrite testdata/*.golden")

// golden has, for each type, texts that a database may print; NULL is added to each. The texts that
// are no values of their type are what SQLite lets a column hold.
var golden = []struct {
	name  string
	typ   resource.Type
	texts []string
}{
	{"smallint", plain(resource.SmallInt), []string{"0", "-32768", "32767", "32768", "-0", "007", "1.5", "abc", ""}},
	{"integer", plain(resource.Integer), []string{"7", "-2147483648", "2147483647", "2147483648", "+1", "1.5", "abc", "1e3"}},
	{"bigint", plain(resource.BigInt), []string{
		"0", "-1", "9007199254740991", "-9007199254740991", "9007199254740992", "-9007199254740992",
		"9223372036854775807", "-9223372036854775808", "99999999999999999999", "1.0", "--1", "-",
	}},
	{"numeric", plain(resource.Numeric), []string{
		"0", "0.1000", "-0.0001", "12345678901234.5678", "NaN", "Infinity", "-Infinity", strings.Repeat("9", 60),
	}},
	{"real", plain(resource.Real), floats},
	{"double", plain(resource.Double), floats},
	{"boolean", plain(resource.Boolean), []string{"t", "f", "true", "false", "1", "0", "2", "TRUE", "yes", ""}},
	{"text", plain(resource.Text), texts},
	{"varchar", plain(resource.VarChar), texts},
	{"citext", plain(resource.CIText), texts},
	{"char", plain(resource.Char), []string{"ab   ", "   ", " a ", "a\t ", ""}},
	{"uuid", plain(resource.UUID), []string{
		"a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11", "A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11",
		"a0eebc999c0b4ef8bb6d6bb9bd380a11", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a1g", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd38-a11",
	}},
	{"enum", resource.Type{Kind: resource.Enum, Labels: []string{"draft"}}, []string{"draft", `it's "paid"`}},
	{"date", plain(resource.Date), []string{
		"2026-07-01", "0001-01-01", "9999-12-31", "infinity", "-infinity", "0044-03-15 BC", "10000-01-01", "5874897-12-31", "soon",
	}},
	{"timestamp", plain(resource.Timestamp), []string{
		"2026-07-01 09:30:00", "2026-07-01 09:30:00.5", "2026-07-01T09:30:00.123456", "9999-12-31 23:59:59.999999",
		"infinity", "-infinity", "0044-03-15 10:00:00 BC", "10000-01-01 00:00:00", "2026-07-01T09:30:00Z", "2026-07-01", "x",
	}},
	{"timestamptz", plain(resource.TimestampTZ), []string{
		"2026-07-01 09:30:00.123456+00", "2026-07-01 09:30:00+00", "2026-07-01 09:30:00.12+00", "0001-01-01 00:00:00+00",
		"2026-07-01T09:30:00.123456Z", "2026-07-01T09:30:00Z", "infinity", "-infinity", "0044-03-15 10:00:00+00 BC",
		"10000-01-01 00:00:00+00", "294276-12-31 23:59:59.999999+00", "2026-07-01 09:30:00+02", "2026-07-01 09:30:00",
		"2026-07-01 09:30:00.1234567+00", "2026-07-01 09:30:00.+00", "2026-02-30 09:30:00+00", "0000-01-01 00:00:00+00", "2026-13-01 09:30:00+00",
		"2026-07-01 24:00:00+00", "2024-02-29 00:00:00+00", "2026-07-01x09:30:00+00", "2026/07/01 09:30:00+00",
	}},
	{"bytea", plain(resource.Bytea), []string{`\x`, `\x00ff10`, `\xDEADBEEF`, `\xabc`, `\xzz`, "abc", ""}},
	{"xml", plain(resource.XML), []string{`<a href="x">&amp;</a>`}},
	{"json", plain(resource.JSON), documents},
	{"jsonb", plain(resource.JSONB), documents},
	{"array_integer", resource.ArrayOf(plain(resource.Integer)), []string{
		"{}", "{1,NULL,-3}", "{{1,2},{3,4}}", "{{{1},{2}}}", "[0:1]={1,2}", "[1:1][-2:-1]={{1,2}}", "{x}", "{1,2", "{1,}", "{1}}", "1", "", "[0:1]{1}", "[a]={1}",
		"{{{{{{1}}}}}}", "{{{{{{{1}}}}}}}",
	}},
	{"array_text", resource.ArrayOf(plain(resource.Text)), []string{
		`{"a,b"}`, `{a,b}`, `{}`, `{NULL,"NULL","","\"q\"","back\\slash"}`, `{"{}","ä",null}`, `{a"b}`, `{"a}`, `{"a\`, `{,a}`, `{"a"b}`,
	}},
	{"array_bytea", resource.ArrayOf(plain(resource.Bytea)), []string{`{"\\x00ff","\\x",NULL}`}},
	{"array_jsonb", resource.ArrayOf(plain(resource.JSONB)), []string{`{"{\"a\": [1.10, null]}",null,NULL,12}`}},
	{"array_timestamptz", resource.ArrayOf(plain(resource.TimestampTZ)), []string{`{"2026-07-01 09:30:00+00",infinity}`}},
	{"array_char", resource.ArrayOf(plain(resource.Char)), []string{`{"a  ",bcd}`}},
	{"array_box", resource.ArrayOf(resource.Type{Kind: resource.Printed, Name: "box"}), []string{`{(1,1),(0,0);(2,2),(1,1)}`}},
	{"array_unknown", resource.Type{Kind: resource.Array}, []string{"{1}"}},
	{"printed", resource.Type{Kind: resource.Printed, Name: "interval"}, []string{
		"1 mon 2 days 00:00:03.5", "[1,5)", "empty", "(,\"a\"\"b\")", "'a':1 'b':2",
	}},
	{"zero", resource.Type{}, []string{"anything"}},
}

var (
	floats = []string{
		"0", "-0", "1.5", "1e+20", "1.5e-07", "5e-324", "1.7976931348623157e+308", "NaN", "Infinity", "-Infinity",
		"01", "1.", ".5", "1e", "1e+", "0x10", "abc", "-", "",
	}
	texts = []string{
		"", "plain", "a\"b\\c/d", "\b\f\n\r\t\x00\x1f\x7f", "<&>'", "naïve \u2028 日本 😀", "\xff", "a\xc3", "\xed\xa0\x80", "null",
	}
	documents = []string{
		`null`, `{"n": 1.10, "big": 12345678901234567.89, "s": "<\u0000>"}`, "{\n\t\"a\":\r\n [1, 2]}", "\"\xff\"", "",
	}
)

func plain(k resource.Kind) resource.Type { return resource.Plain(k) }

func TestTextGolden(t *testing.T) {
	t.Parallel()
	for _, tt := range golden {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			e := serializer.NewEncoder([]serializer.Member{{Name: "v", Write: serializer.TextWriter(tt.typ), Type: tt.typ}}, nil, false)
			var got strings.Builder
			got.WriteString("NULL\t" + encode(t, e, nil) + "\n")
			for _, text := range tt.texts {
				got.WriteString(strconv.QuoteToASCII(text) + "\t" + encode(t, e, []byte(text)) + "\n")
			}
			compareGolden(t, tt.name, got.String())
		})
	}
}

func encode(t *testing.T, e *serializer.Encoder, raw []byte) string {
	t.Helper()
	out, err := e.Append(nil, [][]byte{raw}, nil, 0)
	if err != nil {
		t.Fatalf("Append(%q): %v", raw, err)
	}
	mustBeOneLine(t, out)
	return string(out)
}

func compareGolden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got; -update rewrites):\n%s", path, diff)
	}
}
