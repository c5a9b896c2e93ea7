package serializer_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/serializer"
)

func TestKeyList(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, raw string
		want      [][]string
	}{
		{"none", "{}", nil},
		{"nothing", "", nil},
		{"one part each", "{{1},{2}}", [][]string{{"1"}, {"2"}}},
		{"several parts", `{{1,a},{NULL,"NULL"}}`, [][]string{{"1", "a"}, {"(null)", "NULL"}}},
		{"quoted", `{{"a,b","c\"d\\e"},{"{}",""}}`, [][]string{{"a,b", `c"d\e`}, {"{}", ""}}},
		{"six parts", "{{1,2,3,4,5,6}}", [][]string{{"1", "2", "3", "4", "5", "6"}}},
		{"more parts, then fewer", "{{1,2,3,4,5},{6},{7,8,9,10}}", [][]string{{"1", "2", "3", "4", "5"}, {"6"}, {"7", "8", "9", "10"}}},
		{"cut short", `{{1},{"2`, [][]string{{"1"}}},
		{"not of the form", "[1]", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var got [][]string
			list := serializer.NewKeyList([]byte(tt.raw))
			for list.Next() {
				var row []string
				for _, p := range list.Parts() {
					text := "(null)"
					if p != nil {
						text = string(p)
					}
					row = append(row, text)
				}
				got = append(got, row)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestListedLinks(t *testing.T) {
	t.Parallel()
	bigint := serializer.TextWriter(resource.Plain(resource.BigInt))
	text := serializer.TextWriter(resource.Plain(resource.Text))
	hundred := "{{1,10}" + strings.Repeat(",{1,10}", 99) + "}"
	for _, tt := range []struct {
		name, raw, want string
		link            serializer.Link
	}{
		{"ids", "{{1,3},{1,9007199254740993}}", `[3,"9007199254740993"]`, serializer.Link{Writers: []serializer.Writer{bigint}, Skip: 1}},
		{"no ids", "{}", `[]`, serializer.Link{Writers: []serializer.Writer{bigint}, Skip: 1}},
		{"one", "{{1,3}}", `3`, serializer.Link{Writers: []serializer.Writer{bigint}, Skip: 1, One: true}},
		{"none", "{}", `null`, serializer.Link{Writers: []serializer.Writer{bigint}, Skip: 1, One: true}},
		{
			"composite", `{{1,3,"a:b/c%"}}`, `["3:a%3Ab%2Fc%25"]`,
			serializer.Link{Writers: []serializer.Writer{bigint, text}, Skip: 1},
		},
		{"a hundred", hundred, "[10" + strings.Repeat(",10", 99) + "]", serializer.Link{Writers: []serializer.Writer{bigint}, Skip: 1}},
		{
			"more", strings.TrimSuffix(hundred, "}") + ",{1,11}}", `{"ids":[10` + strings.Repeat(",10", 99) + `],"truncated":true}`,
			serializer.Link{Writers: []serializer.Writer{bigint}, Skip: 1},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			link := tt.link
			link.Name, link.Columns, link.Listed = "lines", []int{0}, true
			enc := serializer.NewEncoder(nil, []serializer.Link{link}, true)
			got, err := enc.Append(nil, [][]byte{[]byte(tt.raw)}, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(`{"links":{"lines":`+tt.want+`}}`, string(got)); diff != "" {
				t.Error(diff)
			}
		})
	}
}
