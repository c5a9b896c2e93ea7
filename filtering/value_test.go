package filtering_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/filtering"
	"github.com/tenantry/tenantry/resource"
)

const refused = "refused"

func TestValue(t *testing.T) {
	t.Parallel()
	enum := resource.Type{Kind: resource.Enum, Name: "enum", Labels: []string{"paid"}}
	nines := strings.Repeat("9", 131072)
	for _, tt := range []struct {
		t         resource.Type
		raw, want string
	}{
		{resource.Plain(resource.SmallInt), `32767`, "32767"},
		{resource.Plain(resource.SmallInt), `-32768`, "-32768"},
		{resource.Plain(resource.SmallInt), `-32769`, refused},
		{resource.Plain(resource.Integer), `2147483647`, "2147483647"},
		{resource.Plain(resource.Integer), `2147483648`, refused},
		{resource.Plain(resource.Integer), `"-2147483648"`, "-2147483648"},
		{resource.Plain(resource.Integer), `10.0`, "10"},
		{resource.Plain(resource.Integer), `1e1`, "10"},
		{resource.Plain(resource.Integer), `1.20E+1`, "12"},
		{resource.Plain(resource.Integer), `0.0e-99999999999999999999`, "0"},
		{resource.Plain(resource.Integer), `-0.0`, "0"},
		{resource.Plain(resource.Integer), `"-0"`, "0"},
		{resource.Plain(resource.Integer), `1e-1`, refused},
		{resource.Plain(resource.Integer), `"10.0"`, refused},
		{resource.Plain(resource.Integer), `"1e1"`, refused},
		{resource.Plain(resource.Integer), `"٣"`, refused},
		{resource.Plain(resource.Integer), `null`, refused},
		{resource.Plain(resource.Integer), `[1]`, refused},
		{resource.Plain(resource.Integer), `{}`, refused},
		{resource.Plain(resource.Integer), `1 2`, refused},
		{resource.Plain(resource.Integer), ``, refused},
		{resource.Plain(resource.BigInt), `9223372036854775807`, "9223372036854775807"},
		{resource.Plain(resource.BigInt), `9007199254740993`, "9007199254740993"},
		{resource.Plain(resource.BigInt), `-9223372036854775808`, "-9223372036854775808"},
		{resource.Plain(resource.BigInt), `-9223372036854775809`, refused},
		{resource.Plain(resource.BigInt), `18446744073709551617`, refused},
		{resource.Plain(resource.BigInt), `922337203685477580.70e1`, "9223372036854775807"},
		{resource.Plain(resource.Numeric), `0.1000`, "0.1000"},
		{resource.Plain(resource.Numeric), `"-12.50e-3"`, "-12.50e-3"},
		{resource.Plain(resource.Numeric), `"NaN"`, "NaN"},
		{resource.Plain(resource.Numeric), `"infinity"`, refused},
		{resource.Plain(resource.Numeric), `".5"`, refused},
		{resource.Plain(resource.Numeric), `1e131071`, "1e131071"},
		{resource.Plain(resource.Numeric), `0.0001e131075`, "0.0001e131075"},
		{resource.Plain(resource.Numeric), `10e131071`, refused},
		{resource.Plain(resource.Numeric), `1e-16383`, "1e-16383"},
		{resource.Plain(resource.Numeric), `0e-16384`, refused},
		{resource.Plain(resource.Numeric), `0e99999999999`, refused},
		{resource.Plain(resource.Numeric), nines, nines},
		{resource.Plain(resource.Numeric), nines + "9", refused},
		{resource.Plain(resource.Numeric), "0." + strings.Repeat("0", 16384), refused},
		{resource.Plain(resource.Double), `0.1`, "0.1"},
		{resource.Plain(resource.Double), `"1.7976931348623158e308"`, "1.7976931348623157e+308"},
		{resource.Plain(resource.Double), `1.7976931348623159e308`, refused},
		{resource.Plain(resource.Double), `5e-324`, "5e-324"},
		{resource.Plain(resource.Double), `2e-324`, refused},
		{resource.Plain(resource.Double), `0e5`, "0"},
		{resource.Plain(resource.Double), `9007199254740993`, "9.007199254740992e+15"},
		{resource.Plain(resource.Double), `"Infinity"`, "Infinity"},
		{resource.Plain(resource.Double), `"inf"`, refused},
		{resource.Plain(resource.Double), `"0x1p3"`, refused},
		{resource.Plain(resource.Real), `0.1`, "0.1"},
		{resource.Plain(resource.Real), `3.40282357e38`, refused},
		{resource.Plain(resource.Real), `3.4028235677973366e38`, "3.4028235e+38"},
		{resource.Plain(resource.Real), `3.4028235e38`, "3.4028235e+38"},
		{resource.Plain(resource.Real), `8e-46`, "1e-45"},
		{resource.Plain(resource.Real), `7e-46`, refused},
		{resource.Plain(resource.Boolean), `true`, "true"},
		{resource.Plain(resource.Boolean), `"false"`, "false"},
		{resource.Plain(resource.Boolean), `"False"`, refused},
		{resource.Plain(resource.Boolean), `0`, refused},
		{resource.Plain(resource.Text), `"a\"b\\\u00e9\ud83d\ude00\n"`, "a\"b\\é😀\n"},
		{resource.Plain(resource.Text), `"\\u0000"`, `\u0000`},
		{resource.Plain(resource.Text), `"\ufffd"`, "\uFFFD"},
		{resource.Plain(resource.Text), `"\u0000"`, refused},
		{resource.Plain(resource.Text), `"\ud83d"`, refused},
		{resource.Plain(resource.Text), `"\ud83d\u0041"`, refused},
		{resource.Plain(resource.Text), `"\ude00\ud83d"`, refused},
		{resource.Plain(resource.Text), "\"\xc3\"", refused},
		{resource.Plain(resource.Text), `1.0`, "1.0"},
		{resource.Plain(resource.VarChar), `" a "`, " a "},
		{resource.Plain(resource.CIText), `false`, refused},
		{resource.Plain(resource.Char), `"a b  "`, "a b"},
		{resource.Plain(resource.Char), `" \t "`, " \t"},
		{resource.Plain(resource.UUID), `"7D444840-9dc0-41D5-9f0a-1e0f5e2c8b11"`, "7d444840-9dc0-41d5-9f0a-1e0f5e2c8b11"},
		{resource.Plain(resource.UUID), `"{7d444840-9dc0-41d5-9f0a-1e0f5e2c8b11}"`, refused},
		{enum, `"paid"`, "paid"},
		{enum, `"Paid"`, refused},
		{resource.Type{Kind: resource.Printed, Name: "money"}, `"$1,000.00"`, "$1,000.00"},
		{resource.Type{Kind: resource.Printed, Name: "money"}, `1000`, refused},
		{resource.Type{Kind: resource.Printed, Name: "money"}, `"\u0000"`, refused},
		{resource.Plain(resource.JSONB), `{"a":1}`, refused},
		{resource.Plain(resource.Bytea), `"aGk="`, refused},
	} {
		t.Run(tt.t.Name+" "+resource.Clip(tt.raw), func(t *testing.T) {
			t.Parallel()
			got, err := filtering.Value(json.RawMessage(tt.raw), tt.t, "/ids/3")
			if err != nil {
				got = refused
				checkValueError(t, err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func checkValueError(t *testing.T, err *resource.Error) {
	t.Helper()
	if err.Code != resource.InvalidArgument || err.Path != "/ids/3" || !strings.Contains(err.Message, "send") {
		t.Errorf("error %#v", err)
	}
}

func TestDatesAndTimes(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		kind      resource.Kind
		raw, want string
	}{
		{resource.Date, "2024-02-29", "2024-02-29"},
		{resource.Date, "2023-02-29", refused},
		{resource.Date, "0001-01-01", "0001-01-01"},
		{resource.Date, "9999-12-31", "9999-12-31"},
		{resource.Date, "0000-12-31", refused},
		{resource.Date, "2026-7-1", refused},
		{resource.Date, "2026-07-01T00:00:00", refused},
		{resource.Date, "-infinity", "-infinity"},
		{resource.Date, "Infinity", refused},
		{resource.Date, "10000-02-29", "10000-02-29"},
		{resource.Date, "10001-02-29", refused},
		{resource.Date, "010000-01-01", refused},
		{resource.Date, "5874897-12-31", "5874897-12-31"},
		{resource.Date, "5874898-01-01", refused},
		{resource.Date, "0001-02-29 BC", "0001-02-29 BC"},
		{resource.Date, "0004-02-29 BC", refused},
		{resource.Date, "4714-11-24 BC", "4714-11-24 BC"},
		{resource.Date, "4714-11-23 BC", refused},
		{resource.Date, "0000-01-01 BC", refused},
		{resource.Date, "10000-01-01 BC", refused},
		{resource.Date, "2026-07-01 BC", "2026-07-01 BC"},
		{resource.Date, "0044-03-15 10:00:00 BC", refused},
		{resource.TimestampTZ, "2026-07-07T23:30:00-05:00", "2026-07-08T04:30:00.000000Z"},
		{resource.TimestampTZ, "2026-07-07t23:30:00.1z", "2026-07-07T23:30:00.100000Z"},
		{resource.TimestampTZ, "2026-07-07T23:30:00.123456-00:00", "2026-07-07T23:30:00.123456Z"},
		{resource.TimestampTZ, "0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000000Z"},
		{resource.TimestampTZ, "0001-01-01T00:00:00+00:01", refused},
		{resource.TimestampTZ, "0000-12-31T23:59:59-23:59", refused},
		{resource.TimestampTZ, "9999-12-31T23:59:59.999999Z", "9999-12-31T23:59:59.999999Z"},
		{resource.TimestampTZ, "9999-12-31T23:59:59-00:01", refused},
		{resource.TimestampTZ, "2026-07-07", refused},
		{resource.TimestampTZ, "2026-07-07T23:30:00", refused},
		{resource.TimestampTZ, "2026-07-07T23:30:00.Z", refused},
		{resource.TimestampTZ, "2026-07-07T23:30:00,5Z", refused},
		{resource.TimestampTZ, "2026-07-07T23:30:00+2:00", refused},
		{resource.TimestampTZ, "2026-07-07T23:30:00+02:60", refused},
		{resource.TimestampTZ, "2026-07-07T23:60:00Z", refused},
		{resource.TimestampTZ, "2026-07-07 23:30:00Z", refused},
		{resource.TimestampTZ, "2026-07-07T23:30:00Z ", refused},
		{resource.TimestampTZ, "10000-01-01 00:00:00+00", "10000-01-01 00:00:00+00"},
		{resource.TimestampTZ, "10000-01-01 00:00:00.50+00", refused},
		{resource.TimestampTZ, "10000-01-01 24:00:00+00", refused},
		{resource.TimestampTZ, "10000-01-01 00:00:00+01", refused},
		{resource.TimestampTZ, "10000-01-01 00:00:00", refused},
		{resource.TimestampTZ, "10000-01-01", refused},
		{resource.TimestampTZ, "294276-12-31 23:59:59.999999+00", "294276-12-31 23:59:59.999999+00"},
		{resource.TimestampTZ, "294277-01-01 00:00:00+00", refused},
		{resource.TimestampTZ, "4714-11-24 00:00:00+00 BC", "4714-11-24 00:00:00+00 BC"},
		{resource.TimestampTZ, "2026-07-01 00:00:00+00", refused},
		{resource.TimestampTZ, "infinity", "infinity"},
		{resource.Timestamp, "2026-07-07T23:30:00.000001", "2026-07-07T23:30:00.000001"},
		{resource.Timestamp, "2026-07-07T23:30:00Z", refused},
		{resource.Timestamp, "0044-03-15 10:00:00.25 BC", "0044-03-15 10:00:00.25 BC"},
		{resource.Timestamp, "0044-03-15 10:00:00+00 BC", refused},
	} {
		t.Run(string(tt.kind)+" "+tt.raw, func(t *testing.T) {
			t.Parallel()
			got, err := filtering.Value(json.RawMessage(asJSON(t, tt.raw)), resource.Plain(tt.kind), "/ids/3")
			if err != nil {
				got = refused
				checkValueError(t, err)
				checkValueExample(t, err.Example, tt.kind)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// checkValueExample holds that the value shown instead is a good one.
func checkValueExample(t *testing.T, example any, k resource.Kind) {
	t.Helper()
	if _, err := filtering.Value(json.RawMessage(asJSON(t, example)), resource.Plain(k), ""); err != nil {
		t.Errorf("the example %v is refused: %v", example, err)
	}
}

func TestInstant(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ in, want, example string }{
		{"2026-07-01", "2026-07-01T00:00:00.000000Z", ""},
		{"2026-07-01T02:00:00.5+02:00", "2026-07-01T00:00:00.500000Z", ""},
		{"2026-07-01T00:00:00", "", "2026-07-01T00:00:00Z"},
		{"2026-07-01 10:00", "", "2026-07-01T10:00:00Z"},
		{"2026-07-01T10:00:00.123456789+0200", "", "2026-07-01T10:00:00.123456+02:00"},
		{"2026-07-01T23:59:60Z", "", "2026-07-01T23:59:59Z"},
		{"2026-02-30T00:00:00", "", "2026-07-01T09:30:00Z"},
		{"infinity", "", "2026-07-01T09:30:00Z"},
		{"yesterday", "", "2026-07-01T09:30:00Z"},
		{"\xff\x00", "", "2026-07-01T09:30:00Z"},
	} {
		t.Run(tt.in, func(t *testing.T) {
			t.Parallel()
			got, err := filtering.Instant(tt.in, "/updated_since")
			if got != tt.want || (err == nil) != (tt.want != "") {
				t.Fatalf("got %q, %v", got, err)
			}
			if err != nil && (err.Code != resource.InvalidArgument || err.Path != "/updated_since" || err.Example != tt.example) {
				t.Errorf("error %#v", err)
			}
		})
	}
}
