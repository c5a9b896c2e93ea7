package serializer_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/serializer"
)

func TestAppendCut(t *testing.T) {
	t.Parallel()
	text := []serializer.Member{column("a", 0, resource.Text), column("b", 1, resource.Text), column("n", 2, resource.Integer)}
	x := func(n int) string { return strings.Repeat("x", n) }
	tests := []struct {
		name    string
		members []serializer.Member
		links   []serializer.Link
		row     [][]byte
		budget  int
		want    string
		cut     []string
	}{
		{
			name: "the longest text alone", members: text, row: raws(x(50), x(20), "7"), budget: 59,
			want: `{"a":"` + x(18) + `","b":"` + x(20) + `","n":7}`, cut: []string{"a"},
		},
		{
			name: "two long texts share", members: text, row: raws(x(50), x(500), "7"), budget: 61,
			want: `{"a":"` + x(20) + `","b":"` + x(20) + `","n":7}`, cut: []string{"a", "b"},
		},
		{
			name: "a text larger than the budget", members: text, row: raws(x(1000), "b", "7"), budget: 39,
			want: `{"a":"` + x(17) + `","b":"b","n":7}`, cut: []string{"a"},
		},
		{
			name: "characters stay whole", members: text, row: raws(strings.Repeat("é", 20), nil, nil), budget: 39,
			want: `{"a":"` + strings.Repeat("é", 6) + `","b":null,"n":null}`, cut: []string{"a"},
		},
		{
			name: "escapes count", members: text, row: raws(strings.Repeat("\n", 20), nil, nil), budget: 39,
			want: `{"a":"` + strings.Repeat(`\n`, 6) + `","b":null,"n":null}`, cut: []string{"a"},
		},
		{
			name: "long escapes count", members: text, row: raws(strings.Repeat("\x01", 20), nil, nil), budget: 39,
			want: `{"a":"\u0001\u0001","b":null,"n":null}`, cut: []string{"a"},
		},
		{
			name: "a document is null, and the text keeps its place",
			members: []serializer.Member{
				column("a", 0, resource.Text), column("d", 1, resource.JSONB),
			},
			row: raws("short", `[`+strings.Repeat("1,", 50)+`1]`), budget: 40,
			want: `{"a":"short","d":null}`, cut: []string{"d"},
		},
		{
			name: "a broken document over the budget is never shown",
			members: []serializer.Member{
				column("a", 0, resource.Text), column("d", 1, resource.JSONB), column("e", 2, resource.Bytea),
			},
			row: raws("short", `["`+x(60), `\x`+strings.Repeat("00", 30)), budget: 50,
			want: `{"a":"short","d":null,"e":null}`, cut: []string{"d", "e"},
		},
		{
			name: "what else is long becomes null",
			members: []serializer.Member{
				column("b", 0, resource.Bytea), column("c", 1, resource.Numeric), column("d", 2, resource.Integer),
			},
			row: raws(`\x`+strings.Repeat("00", 40), strings.Repeat("1", 40), "5"), budget: 25,
			want: `{"b":null,"c":null,"d":5}`, cut: []string{"b", "c"},
		},
		{
			name: "padding of char(n) is not its text", members: []serializer.Member{column("a", 0, resource.Char)},
			row: raws("ab" + strings.Repeat(" ", 100)), budget: 30, want: `{"a":"ab"}`,
		},
		{
			name: "links last, however long", members: []serializer.Member{column("a", 0, resource.Text)},
			links: []serializer.Link{{Name: "l", Columns: []int{1}, Writers: []serializer.Writer{serializer.TextWriter(plain(resource.Text))}}},
			row:   raws(x(20), x(30)), budget: 55, want: `{"a":"","links":{"l":"` + x(30) + `"}}`, cut: []string{"a"},
		},
		{
			name:    "bytes that may have been cut by the statement",
			members: []serializer.Member{column("e", 0, resource.Bytea)},
			row:     raws(`\x` + strings.Repeat("00", 30)), budget: 60, want: `{"e":null}`, cut: []string{"e"},
		},
		{
			name: "links when nothing else helps", members: []serializer.Member{column("a", 0, resource.Text)},
			links: []serializer.Link{linkTo("l", resource.Text)},
			row:   raws(x(20)), budget: 29, want: `{"a":"xx","links":{"l":null}}`, cut: []string{"a", "l"},
		},
		{
			name: "the longest link first", members: []serializer.Member{column("a", 0, resource.Text)},
			links: []serializer.Link{
				linkTo("l", resource.Text), {Name: "m", Columns: []int{1}, Writers: []serializer.Writer{serializer.TextWriter(plain(resource.Text))}},
			},
			row: raws(x(20), x(30)), budget: 54, want: `{"a":"","links":{"l":"` + x(20) + `","m":null}}`, cut: []string{"a", "m"},
		},
		{
			name: "keys over the budget", members: text, row: raws("a", nil, "7"), budget: 10,
			want: `{"a":null,"b":null,"n":null}`, cut: []string{"a", "n"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			e := serializer.NewEncoder(tt.members, tt.links, tt.links != nil)
			out, cut, err := e.AppendCut([]byte("before"), tt.row, nil, tt.budget)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff("before"+tt.want, string(out)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if diff := cmp.Diff(tt.cut, cut); diff != "" {
				t.Errorf("cut (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAppendCutComputed(t *testing.T) {
	t.Parallel()
	e := serializer.NewEncoder([]serializer.Member{{Name: "c", Column: -1}, column("a", 0, resource.Text)}, nil, false)
	out, cut, err := e.AppendCut(nil, raws("short"), []any{strings.Repeat("x", 50)}, 40)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(out), `{"c":null,"a":"short"}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if diff := cmp.Diff([]string{"c"}, cut); diff != "" {
		t.Errorf("cut (-want +got):\n%s", diff)
	}
}
