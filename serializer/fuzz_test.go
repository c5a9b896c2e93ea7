package serializer_test

import (
	"bytes"
	"encoding/json"
	"math/big"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/serializer"
)

var kinds = []resource.Kind{
	resource.SmallInt, resource.Integer, resource.BigInt, resource.Numeric, resource.Real, resource.Double,
	resource.Boolean, resource.Text, resource.VarChar, resource.CIText, resource.Char, resource.UUID, resource.Enum,
	resource.Date, resource.Timestamp, resource.TimestampTZ, resource.Bytea, resource.XML, resource.JSON,
	resource.JSONB, resource.Array, resource.Printed, "",
}

// FuzzTextWriter: any bytes under any type, alone and as the type of an array, are one line of valid
// JSON appended to what was there.
func FuzzTextWriter(f *testing.F) {
	for _, tt := range golden {
		for _, text := range tt.texts {
			f.Add([]byte(text))
		}
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		for _, k := range kinds {
			for _, typ := range []resource.Type{plain(k), resource.ArrayOf(plain(k))} {
				checkWriter(t, serializer.CheckedTextWriter(typ), raw)
				if k != resource.JSON && k != resource.JSONB {
					checkWriter(t, serializer.TextWriter(typ), raw)
				}
			}
			if w, ok := serializer.BinaryWriter(plain(k)); ok {
				checkWriter(t, w, raw)
			}
		}
	})
}

func checkWriter(t *testing.T, w serializer.Writer, raw []byte) {
	t.Helper()
	before := bytes.Clone(raw)
	out := w([]byte("before"), raw)
	if !bytes.HasPrefix(out, []byte("before")) || !bytes.Equal(raw, before) {
		t.Fatalf("the writer changed what is not its own: %q, %q", out, raw)
	}
	mustBeOneLine(t, out[len("before"):])
}

// FuzzArray: every text survives as an element of an array, quoted as PostgreSQL quotes it.
func FuzzArray(f *testing.F) {
	for _, s := range []string{"", "a,b", "NULL", `"q"`, `\`, "{}", "naïve", "\xff", "[0:0]={", " "} {
		f.Add(s, uint8(3))
	}
	w := serializer.TextWriter(resource.ArrayOf(plain(resource.Text)))
	f.Fuzz(func(t *testing.T, s string, depth uint8) {
		n := 1 + int(depth%6)
		quoted := `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
		raw := strings.Repeat("{", n) + quoted + ",NULL,bare" + strings.Repeat("}", n)
		out := w(nil, []byte(raw))
		mustBeOneLine(t, out)
		var got any
		if err := json.Unmarshal(out, &got); err != nil {
			t.Fatal(err)
		}
		var want any = []any{valid(s), nil, "bare"}
		for range n - 1 {
			want = []any{want}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", raw, diff)
		}
		mustBeOneLine(t, w(nil, []byte(s)))
	})
}

// valid replaces each byte that is not UTF-8, one by one.
func valid(s string) string { return string([]rune(s)) }

var decimal = regexp.MustCompile(`^"-?(0|[0-9]+)(\.[0-9]+)?"$`)

// FuzzBinaryNumeric compares with the sum of the digits' values, computed by math/big.
func FuzzBinaryNumeric(f *testing.F) {
	f.Add(int16(0), uint16(0), uint16(0), []byte{})
	f.Add(int16(3), uint16(0), uint16(4), be([]uint16{12, 3456, 7890, 1234, 5678}))
	f.Add(int16(-2), uint16(0x4000), uint16(9), be([]uint16{100, 1}))
	f.Add(int16(0), uint16(0xC000), uint16(0), []byte{})
	f.Add(int16(0), uint16(0xD000), uint16(0), []byte{})
	f.Add(int16(0), uint16(0xF000), uint16(0), []byte{})
	f.Add(int16(30), uint16(0), uint16(3), []byte{0x27, 0x0f})
	w, _ := serializer.BinaryWriter(plain(resource.Numeric))
	f.Fuzz(func(t *testing.T, weight int16, sign, scale uint16, digits []byte) {
		weight, scale = weight%200, scale%800
		raw := append(be([]uint16{uint16(len(digits) / 2), uint16(weight), sign, scale}), digits...)
		out := string(w(nil, raw))
		mustBeOneLine(t, []byte(out))
		if strings.HasPrefix(out, `"\\x`) || out == `"NaN"` || strings.Contains(out, "Infinity") {
			return
		}
		if !decimal.MatchString(out) {
			t.Fatalf("%x became %s", raw, out)
		}
		want := numericValue(int(weight), int(scale), digits)
		got, _ := new(big.Rat).SetString(strings.Trim(out, `"-`))
		if got.Cmp(want) != 0 {
			t.Errorf("%x became %s, want %s", raw, out, want.FloatString(int(scale)))
		}
		if _, decimals, _ := strings.Cut(strings.Trim(out, `"`), "."); len(decimals) != int(scale) {
			t.Errorf("%x became %s, want %d decimals", raw, out, scale)
		}
	})
}

// numericValue truncates the sum of digit × 10000^(weight-i) to the scale.
func numericValue(weight, scale int, digits []byte) *big.Rat {
	base, sum := big.NewRat(10000, 1), new(big.Rat)
	unit := big.NewRat(1, 1)
	for range max(weight, -weight) {
		if weight > 0 {
			unit.Mul(unit, base)
		} else {
			unit.Quo(unit, base)
		}
	}
	for i := 0; i+1 < len(digits); i += 2 {
		digit := big.NewRat(int64(digits[i])<<8|int64(digits[i+1]), 1)
		sum.Add(sum, digit.Mul(digit, unit))
		unit.Quo(unit, base)
	}
	tens := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(scale)), nil)
	sum.Mul(sum, new(big.Rat).SetInt(tens))
	whole := new(big.Int).Quo(sum.Num(), sum.Denom())
	return new(big.Rat).SetFrac(whole, tens)
}

// FuzzAppendCut: whatever the values and the budget, the row is valid JSON within it, or all null.
func FuzzAppendCut(f *testing.F) {
	f.Add("short", "other", `{"a":1}`, "{1,2}", 60)
	f.Add(strings.Repeat("ä\n\x00\xff", 50), strings.Repeat("😀", 40), `[1,2,3]`, "{a}", 200)
	f.Add(strings.Repeat("x", 500), strings.Repeat("y", 400), `"`+strings.Repeat("z", 100)+`"`, "{"+strings.Repeat("1,", 90)+"1}", 300)
	f.Add("", "", "", "", 0)
	e := cutEncoder()
	f.Fuzz(func(t *testing.T, a, b, doc, array string, budget int) {
		row := [][]byte{[]byte(a), []byte(b), []byte(doc), []byte(array)}
		out, cut, err := e.AppendCut([]byte("before"), row, []any{b}, budget)
		if err != nil {
			t.Fatal(err)
		}
		out = out[len("before"):]
		mustBeOneLine(t, out)
		const nothing = `{"a":null,"b":null,"doc":null,"array":null,"more":null,"links":{"a":null}}`
		if len(out) > budget && string(out) != nothing {
			t.Errorf("%d bytes over a budget of %d: %s", len(out), budget, out)
		}
		full, err := e.Append(nil, row, []any{b}, budget)
		switch {
		case err == nil && len(full) <= budget && (len(cut) > 0 || !bytes.Equal(full, out)):
			t.Errorf("%s fits in %d, but %q were cut: %s", full, budget, cut, out)
		case (err != nil || len(full) > budget) && len(cut) == 0:
			t.Errorf("nothing is said to be cut from %s to %s", full, out)
		}
		checkPrefix(t, out, a)
	})
}

func cutEncoder() *serializer.Encoder {
	array := resource.ArrayOf(plain(resource.Text))
	text := serializer.TextWriter(plain(resource.Text))
	return serializer.NewEncoder([]serializer.Member{
		{Name: "a", Column: 0, Write: text, Type: plain(resource.Text)},
		{Name: "b", Column: 1, Write: serializer.TextWriter(plain(resource.Printed)), Type: plain(resource.Printed)},
		{Name: "doc", Column: 2, Write: serializer.CheckedTextWriter(plain(resource.JSON)), Type: plain(resource.JSON)},
		{Name: "array", Column: 3, Write: serializer.TextWriter(array), Type: array},
		{Name: "more", Column: -1},
	}, []serializer.Link{{Name: "a", Columns: []int{0}, Writers: []serializer.Writer{text}}}, true)
}

// checkPrefix checks that the member a of the object is null or a beginning of text, in whole characters.
func checkPrefix(t *testing.T, object []byte, text string) {
	t.Helper()
	var got struct{ A *string }
	if err := json.Unmarshal(object, &got); err != nil {
		t.Fatal(err)
	}
	if got.A != nil && (!strings.HasPrefix(valid(text), *got.A) || !utf8.ValidString(*got.A)) {
		t.Errorf("%q is no beginning of %q", *got.A, text)
	}
}
