package serializer_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/serializer"
)

func column(name string, i int, k resource.Kind) serializer.Member {
	return serializer.Member{Name: name, Column: i, Write: serializer.TextWriter(plain(k)), Type: plain(k)}
}

func linkTo(name string, kinds ...resource.Kind) serializer.Link {
	l := serializer.Link{Name: name}
	for i, k := range kinds {
		l.Columns = append(l.Columns, i)
		l.Writers = append(l.Writers, serializer.TextWriter(plain(k)))
	}
	return l
}

func polymorphic(name string, kinds ...resource.Kind) serializer.Link {
	l := linkTo(name, kinds...)
	l.Polymorphic = true
	return l
}

func raws(values ...any) [][]byte {
	row := make([][]byte, len(values))
	for i, v := range values {
		if s, ok := v.(string); ok {
			row[i] = []byte(s)
		}
	}
	return row
}

func TestAppend(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name     string
		members  []serializer.Member
		links    []serializer.Link
		hasLinks bool
		row      [][]byte
		computed []any
		want     string
	}{
		{name: "nothing", want: `{}`},
		{name: "no links named", hasLinks: true, want: `{"links":{}}`},
		{
			name:    "fields in order",
			members: []serializer.Member{column("b", 1, resource.Text), column(`"a"`, 0, resource.Integer)},
			row:     raws("7", "x"),
			want:    `{"b":"x","\"a\"":7}`,
		},
		{
			name:    "null and empty differ",
			members: []serializer.Member{column("a", 0, resource.Text), column("b", 1, resource.Text)},
			row:     raws(nil, ""),
			want:    `{"a":null,"b":""}`,
		},
		{
			name:    "links are left out",
			members: []serializer.Member{column("a", 0, resource.Integer)},
			row:     raws("1"),
			want:    `{"a":1}`,
		},
		{
			name:     "links only",
			links:    []serializer.Link{linkTo("customer", resource.BigInt)},
			hasLinks: true,
			row:      raws("9007199254740993"),
			want:     `{"links":{"customer":"9007199254740993"}}`,
		},
		{
			name:    "links after fields",
			members: []serializer.Member{column("a", 0, resource.Integer)},
			links: []serializer.Link{
				linkTo("one", resource.Integer), linkTo("two", resource.Integer, resource.Text),
				polymorphic("way", resource.Integer, resource.Text),
			},
			hasLinks: true,
			row:      raws("3", "x"),
			want:     `{"a":3,"links":{"one":3,"two":"3:x","way":{"type":3,"id":"x"}}}`,
		},
		{
			name: "null links",
			links: []serializer.Link{
				linkTo("one", resource.Integer), linkTo("two", resource.Integer, resource.Text),
				polymorphic("way", resource.Integer, resource.Text),
			},
			hasLinks: true,
			row:      raws(nil, "x"),
			want:     `{"links":{"one":null,"two":null,"way":null}}`,
		},
		{
			name:     "composite parts are encoded",
			links:    []serializer.Link{linkTo("k", resource.Text, resource.Boolean, resource.BigInt, resource.Text)},
			hasLinks: true,
			row:      raws(`50%:/"é`+"\n", "t", "9007199254740993", ""),
			want:     `{"links":{"k":"50%25%3A%2F\"é\n:true:9007199254740993:"}}`,
		},
		{
			name:     "computed among columns",
			members:  []serializer.Member{{Name: "x", Column: -1}, column("a", 0, resource.Integer), {Name: "y", Column: -1}},
			row:      raws("1"),
			computed: []any{"<b>", nil},
			want:     `{"x":"<b>","a":1,"y":null}`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			e := serializer.NewEncoder(tt.members, tt.links, tt.hasLinks)
			out, err := e.Append([]byte("["), tt.row, tt.computed, 0)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff("["+tt.want, string(out)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			mustBeOneLine(t, out[1:])
			whole, cut, err := e.AppendCut([]byte("["), tt.row, tt.computed, len(tt.want))
			if string(whole) != string(out) || cut != nil || err != nil {
				t.Errorf("AppendCut with room enough gives %s, %q, %v", whole, cut, err)
			}
		})
	}
}

func TestAppendOver(t *testing.T) {
	t.Parallel()
	tests := []struct {
		kind resource.Kind
		raw  string
		max  int
		want error
	}{
		{resource.JSONB, `[1,2]`, 5, nil},
		{resource.JSONB, `[1,2]`, 4, serializer.ErrOver},
		{resource.JSON, `[1,2`, 3, serializer.ErrOver},
		{resource.Bytea, `\x0000`, 5, serializer.ErrOver},
		{resource.Text, "abcdef", 5, serializer.ErrOver},
		{resource.JSONB, `[1,2]`, 0, nil},
	}
	for _, tt := range tests {
		e := serializer.NewEncoder([]serializer.Member{column("a", 0, tt.kind)}, nil, false)
		out, err := e.Append([]byte("before"), raws(tt.raw), nil, tt.max)
		if !errors.Is(err, tt.want) {
			t.Errorf("%s %q, at most %d: error %v, want %v", tt.kind, tt.raw, tt.max, err, tt.want)
		}
		if err != nil && string(out) != "before" {
			t.Errorf("%s %q: an error left %q", tt.kind, tt.raw, out)
		}
	}
}

type (
	cents  int64
	label  string
	shouty string
	point  struct {
		X int     `json:"x"`
		S string  `json:"s"`
		P *string `json:"p"`
	}
)

type version int

func (v version) MarshalJSON() ([]byte, error) { return fmt.Appendf(nil, `{"v":%d}`, int(v)), nil }

func (s shouty) MarshalText() ([]byte, error) { return []byte(s + "!"), nil }

func TestComputedValues(t *testing.T) {
	t.Parallel()
	cet := time.FixedZone("CET", 3600)
	word := "word"
	var none *string
	var missing *time.Time
	moment := time.Date(2026, 7, 1, 10, 30, 0, 123456789, cet)
	tests := []struct {
		name  string
		value any
		want  string
	}{
		{"nil", nil, `null`},
		{"string", "a<b>\u2028\xff", "\"a<b>\u2028\uFFFD\""},
		{"named string", label("x"), `"x"`},
		{"bool", true, `true`},
		{"int", -5, `-5`},
		{"large int64", int64(1 << 53), `"9007199254740992"`},
		{"least int64", int64(math.MinInt64), `"-9223372036854775808"`},
		{"named int", cents(1<<53 - 1), `9007199254740991`},
		{"uint8", uint8(200), `200`},
		{"large uint64", uint64(math.MaxUint64), `"18446744073709551615"`},
		{"float", 1.5, `1.5`},
		{"float32", float32(0.1), `0.1`},
		{"NaN", math.NaN(), `"NaN"`},
		{"infinity", math.Inf(-1), `"-Infinity"`},
		{"time", moment, `"2026-07-01T09:30:00.123456Z"`},
		{"pointer to time", &moment, `"2026-07-01T09:30:00.123456Z"`},
		{"nil time", missing, `null`},
		{"time BC", time.Date(-43, 3, 15, 10, 0, 0, 0, time.UTC), `"0044-03-15 10:00:00+00 BC"`},
		{"pointer", &word, `"word"`},
		{"nil pointer", none, `null`},
		{"text marshaler", shouty("hey"), `"hey!"`},
		{"pointer to text marshaler", new(shouty), `"!"`},
		{"marshaler", version(3), `{"v":3}`},
		{"number", json.Number("1.10"), `1.10`},
		{"raw", json.RawMessage("{\"a\":\n1.10}"), `{"a":1.10}`},
		{"bytes", []byte{0, 255}, `"AP8="`},
		{"struct", point{1, "<&>", nil}, `{"x":1,"s":"<&>","p":null}`},
		{"pointer to struct", &point{S: "é"}, `{"x":0,"s":"é","p":null}`},
		{"slice", []int{1, 2}, `[1,2]`},
		{"nil map", map[string]int(nil), `null`},
	}
	e := serializer.NewEncoder([]serializer.Member{{Name: "v", Column: -1}}, nil, false)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			out, err := e.Append(nil, nil, []any{tt.value}, 0)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(`{"v":`+tt.want+`}`, string(out)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestComputedFails(t *testing.T) {
	t.Parallel()
	e := serializer.NewEncoder([]serializer.Member{{Name: "v", Column: -1}}, nil, false)
	for name, computed := range map[string][]any{
		"too few values":  nil,
		"not marshalable": {make(chan int)},
		"invalid raw":     {json.RawMessage("{")},
	} {
		out, err := e.Append([]byte("x"), nil, computed, 0)
		if err == nil || errors.Is(err, serializer.ErrOver) || string(out) != "x" {
			t.Errorf("%s: Append gives %q, %v", name, out, err)
		}
		out, cut, err := e.AppendCut([]byte("x"), nil, computed, 100)
		if err == nil || string(out) != "x" || cut != nil {
			t.Errorf("%s: AppendCut gives %q, %q, %v", name, out, cut, err)
		}
	}
}

// allKinds returns an encoder over every type and link and a row for it, in the formats that are read.
func allKinds() (*serializer.Encoder, [][]byte) {
	var members []serializer.Member
	var row [][]byte
	add := func(t resource.Type, w serializer.Writer, raw []byte) {
		members = append(members, serializer.Member{Name: t.Name, Column: len(row), Write: w, Type: t})
		row = append(row, raw)
	}
	for _, tt := range golden {
		for _, text := range tt.texts[:1] {
			add(tt.typ, serializer.TextWriter(tt.typ), []byte(text))
		}
	}
	for k, raw := range map[resource.Kind][]byte{
		resource.Numeric: numeric(1, 0, 2, 12, 3456, 7800), resource.Double: be(1e23), resource.Real: be(float32(0.5)),
		resource.TimestampTZ: be(int64(5e15)), resource.Date: be(int32(9000)), resource.BigInt: be(int64(math.MaxInt64)),
		resource.UUID: make([]byte, 16), resource.Boolean: {1},
	} {
		w, _ := serializer.BinaryWriter(plain(k))
		add(plain(k), w, raw)
	}
	links := []serializer.Link{
		linkTo("one", resource.Integer), linkTo("two", resource.Text, resource.Text), polymorphic("way", resource.Text, resource.Text),
	}
	return serializer.NewEncoder(members, links, true), row
}

func TestAppendAllocatesNothing(t *testing.T) { // not parallel: allocations are counted process-wide
	e, row := allKinds()
	dst := make([]byte, 0, 1<<16)
	allocs := testing.AllocsPerRun(100, func() {
		out, err := e.Append(dst, row, nil, 1<<20)
		if err != nil || len(out) == 0 {
			t.Fatal(err)
		}
	})
	if allocs > 0 {
		t.Errorf("a row of every type costs %v allocations", allocs)
	}
}

func BenchmarkAppend(b *testing.B) {
	e, row := allKinds()
	dst := make([]byte, 0, 1<<16)
	b.ReportAllocs()
	for b.Loop() {
		out, err := e.Append(dst, row, nil, 1<<20)
		if err != nil {
			b.Fatal(err)
		}
		b.SetBytes(int64(len(out)))
	}
}

// BenchmarkPage appends a page of 25 rows of the usual types.
func BenchmarkPage(b *testing.B) {
	array := resource.ArrayOf(plain(resource.Text))
	binary := func(k resource.Kind) serializer.Writer {
		w, _ := serializer.BinaryWriter(plain(k))
		return w
	}
	e := serializer.NewEncoder([]serializer.Member{
		{Name: "id", Column: 0, Write: binary(resource.BigInt)},
		{Name: "account_id", Column: 1, Write: binary(resource.BigInt)},
		column("name", 2, resource.Text), column("status", 3, resource.Text),
		{Name: "price", Column: 4, Write: binary(resource.Numeric)},
		{Name: "active", Column: 5, Write: binary(resource.Boolean)},
		{Name: "tags", Column: 6, Write: serializer.TextWriter(array), Type: array},
		column("extra", 7, resource.JSONB),
		{Name: "created_at", Column: 8, Write: binary(resource.TimestampTZ)},
		{Name: "updated_at", Column: 9, Write: binary(resource.TimestampTZ)},
	}, nil, false)
	row := [][]byte{
		be(int64(123456)), be(int64(77)), []byte("Widget number 123456 of the naïve kind"), []byte("active"),
		numeric(0, 0, 2, 199, 9000),
		{1},
		[]byte(`{red,green,"light blue"}`), []byte(`{"color": "red", "sizes": [1, 2, 3], "note": "x"}`),
		be(int64(8e14)), be(int64(8e14 + 123456)),
	}
	dst := make([]byte, 0, 1<<16)
	b.ReportAllocs()
	for b.Loop() {
		out := dst
		for range 25 {
			out, _ = e.Append(out, row, nil, 1<<16)
		}
		b.SetBytes(int64(len(out)))
	}
}
