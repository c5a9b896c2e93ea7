package serializer_test

import (
	"encoding/binary"
	"encoding/hex"
	"math"
	"testing"

	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/serializer"
)

const (
	microsecond = int64(1)
	second      = 1_000_000 * microsecond
	day         = 86400 * second
)

// TestBinaryIsText compares, value by value, what the binary and the text form of a value become.
func TestBinaryIsText(t *testing.T) {
	t.Parallel()
	tests := []struct {
		kind resource.Kind
		raw  []byte
		text string
	}{
		{resource.SmallInt, be(int16(-32768)), "-32768"},
		{resource.SmallInt, be(int16(32767)), "32767"},
		{resource.Integer, be(int32(math.MinInt32)), "-2147483648"},
		{resource.Integer, be(int32(0)), "0"},
		{resource.BigInt, be(int64(1<<53 - 1)), "9007199254740991"},
		{resource.BigInt, be(int64(1 << 53)), "9007199254740992"},
		{resource.BigInt, be(int64(-1 << 53)), "-9007199254740992"},
		{resource.BigInt, be(int64(math.MinInt64)), "-9223372036854775808"},
		{resource.Boolean, []byte{1}, "t"},
		{resource.Boolean, []byte{0}, "f"},
		{resource.UUID, unhex("a0eebc999c0b4ef8bb6d6bb9bd380a11"), "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"},

		{resource.Double, be(0.0), "0"},
		{resource.Double, be(math.Copysign(0, -1)), "-0"},
		{resource.Double, be(0.1), "0.1"},
		{resource.Double, be(0.0001), "0.0001"},
		{resource.Double, be(0.00001), "1e-05"},
		{resource.Double, be(123456789012345.0), "123456789012345"},
		{resource.Double, be(1e15), "1e+15"},
		{resource.Double, be(1e22), "1e+22"},
		{resource.Double, be(1e23), "9.999999999999999e+22"}, // 1e23 is halfway between two doubles
		{resource.Double, be(-1e23), "-9.999999999999999e+22"},
		{resource.Double, be(math.MaxFloat64), "1.7976931348623157e+308"},
		{resource.Double, be(math.SmallestNonzeroFloat64), "5e-324"},
		{resource.Double, be(math.NaN()), "NaN"},
		{resource.Double, be(math.Inf(1)), "Infinity"},
		{resource.Double, be(math.Inf(-1)), "-Infinity"},
		{resource.Double, be(math.Ldexp(1, -24)), "5.960464477539063e-08"},
		{resource.Real, be(float32(0.1)), "0.1"},
		{resource.Real, be(float32(math.Ldexp(1, -12))), "0.00024414062"}, // as close as ...63
		{resource.Real, be(float32(0.0001)), "0.0001"},
		{resource.Real, be(float32(999999)), "999999"},
		{resource.Real, be(float32(1e6)), "1e+06"},
		{resource.Real, be(float32(math.MaxFloat32)), "3.4028235e+38"},
		{resource.Real, be(float32(math.SmallestNonzeroFloat32)), "1e-45"},
		{resource.Real, be(float32(math.NaN())), "NaN"},

		{resource.Numeric, numeric(0, 0, 0), "0"},
		{resource.Numeric, numeric(0, 0, 3), "0.000"},
		{resource.Numeric, numeric(0, 0, 4, 1000), "1000.0000"},
		{resource.Numeric, numeric(-1, 0, 4, 1000), "0.1000"},
		{resource.Numeric, numeric(-1, 0x4000, 4, 1), "-0.0001"},
		{resource.Numeric, numeric(-2, 0, 6, 100), "0.000001"},
		{resource.Numeric, numeric(-3, 0, 20, 1), "0.00000000000100000000"},
		{resource.Numeric, numeric(3, 0, 4, 12, 3456, 7890, 1234, 5678), "12345678901234.5678"},
		{resource.Numeric, numeric(2, 0, 0, 1), "100000000"},
		{resource.Numeric, numeric(1, 0, 1, 1, 2, 5000), "10002.5"},
		{resource.Numeric, numeric(0, 0xC000, 0), "NaN"},
		{resource.Numeric, numeric(0, 0xD000, 0x20), "Infinity"},
		{resource.Numeric, numeric(0, 0xF000, 0x20), "-Infinity"},

		{resource.Date, be(int32(0)), "2000-01-01"},
		{resource.Date, be(int32(-1)), "1999-12-31"},
		{resource.Date, be(int32(-730119)), "0001-01-01"},
		{resource.Date, be(int32(-730120)), "0001-12-31 BC"},
		{resource.Date, be(int32(2921939)), "9999-12-31"},
		{resource.Date, be(int32(2921940)), "10000-01-01"},
		{resource.Date, be(int32(2145031948)), "5874897-12-31"},
		{resource.Date, be(int32(-2451545)), "4714-11-24 BC"},
		{resource.Date, be(int32(math.MaxInt32)), "infinity"},
		{resource.Date, be(int32(math.MinInt32)), "-infinity"},

		{resource.TimestampTZ, be(int64(0)), "2000-01-01 00:00:00+00"},
		{resource.TimestampTZ, be(-1 * microsecond), "1999-12-31 23:59:59.999999+00"},
		{resource.TimestampTZ, be(9678*day + 34200*second + 123456), "2026-07-01 09:30:00.123456+00"},
		{resource.TimestampTZ, be(2921940 * day), "10000-01-01 00:00:00+00"},
		{resource.TimestampTZ, be(2921940*day - 1), "9999-12-31 23:59:59.999999+00"},
		{resource.TimestampTZ, be(2921940*day + 120000), "10000-01-01 00:00:00.12+00"},
		{resource.TimestampTZ, be(-730119 * day), "0001-01-01 00:00:00+00"},
		{resource.TimestampTZ, be(-730119*day - second), "0001-12-31 23:59:59+00 BC"},
		{resource.TimestampTZ, be(int64(9223371331199999999)), "294276-12-31 23:59:59.999999+00"},
		{resource.TimestampTZ, be(int64(-211813488000000000)), "4714-11-24 00:00:00+00 BC"},
		{resource.TimestampTZ, be(int64(math.MaxInt64)), "infinity"},
		{resource.TimestampTZ, be(int64(math.MinInt64)), "-infinity"},
		{resource.Timestamp, be(int64(500000)), "2000-01-01 00:00:00.5"},
		{resource.Timestamp, be(2921940 * day), "10000-01-01 00:00:00"},
		{resource.Timestamp, be(-730119*day - 1), "0001-12-31 23:59:59.999999 BC"},
		{resource.Timestamp, be(int64(math.MaxInt64)), "infinity"},
	}
	for _, tt := range tests {
		t.Run(string(tt.kind)+" "+tt.text, func(t *testing.T) {
			t.Parallel()
			w, ok := serializer.BinaryWriter(plain(tt.kind))
			if !ok {
				t.Fatal("no binary writer")
			}
			got := string(w([]byte("x"), tt.raw))
			want := string(serializer.TextWriter(plain(tt.kind))([]byte("x"), []byte(tt.text)))
			if got != want {
				t.Errorf("binary %x became %s, text %q became %s", tt.raw, got, tt.text, want)
			}
		})
	}
}

func TestBinaryBroken(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		kind resource.Kind
		raw  []byte
	}{
		{"smallint", resource.SmallInt, []byte{1}},
		{"integer", resource.Integer, be(int64(1))},
		{"bigint", resource.BigInt, nil},
		{"real", resource.Real, be(1.0)},
		{"double", resource.Double, []byte{1, 2}},
		{"boolean", resource.Boolean, []byte{1, 1}},
		{"uuid", resource.UUID, make([]byte, 15)},
		{"date", resource.Date, make([]byte, 8)},
		{"timestamp", resource.Timestamp, make([]byte, 4)},
		{"timestamptz", resource.TimestampTZ, make([]byte, 9)},
		{"numeric without header", resource.Numeric, make([]byte, 7)},
		{"numeric without its digits", resource.Numeric, be([4]uint16{1, 0, 0, 0})},
		{"numeric with more digits", resource.Numeric, be([5]uint16{0, 0, 0, 0, 1})},
		{"numeric digit too large", resource.Numeric, numeric(0, 0, 0, 10000)},
		{"numeric scale too large", resource.Numeric, numeric(0, 0, 0x4000, 1)},
		{"numeric sign", resource.Numeric, numeric(0, 0x8000, 0, 1)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w, _ := serializer.BinaryWriter(plain(tt.kind))
			want := `"\\x` + hex.EncodeToString(tt.raw) + `"`
			if got := string(w(nil, tt.raw)); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
}

func TestBinaryKinds(t *testing.T) {
	t.Parallel()
	for _, k := range []resource.Kind{
		resource.Text, resource.VarChar, resource.CIText, resource.Char, resource.Enum, resource.Bytea, resource.XML,
		resource.JSON, resource.JSONB, resource.Array, resource.Printed, "",
	} {
		if w, ok := serializer.BinaryWriter(plain(k)); ok || w != nil {
			t.Errorf("BinaryWriter(%q) is there; the type is read as text", k)
		}
	}
}

// be returns the bytes in network order.
func be(v any) []byte {
	out, err := binary.Append(nil, binary.BigEndian, v)
	if err != nil {
		panic(err)
	}
	return out
}

func numeric(weight int16, sign, scale uint16, digits ...uint16) []byte {
	return be(append([]uint16{uint16(len(digits)), uint16(weight), sign, scale}, digits...))
}

func unhex(s string) []byte {
	out, err := hex.DecodeString(s)
	if err != nil {
		panic(err)
	}
	return out
}
