package mcpserver_test

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/mcpserver"
	"github.com/tenantry/tenantry/resource"
)

// What a URI names, or the code of its refusal.
func TestAddress(t *testing.T) {
	t.Parallel()
	type named struct {
		Resource, ID string
		Row          bool
		Code         resource.Code
	}
	for _, tt := range []struct {
		name, uri string
		want      named
	}{
		{"a row", "tenantry://orders/7", named{"orders", "7", true, ""}},
		{"a schema", "tenantry://orders", named{"orders", "", false, ""}},
		{"scheme in capitals", "TENANTRY://orders/7", named{"orders", "7", true, ""}},
		{"resource in capitals", "tenantry://Orders/7", named{"Orders", "7", true, ""}},
		{"slash in a key", "tenantry://invoices/A%2F1", named{"invoices", "A/1", true, ""}},
		{"composite", "tenantry://lines/12%3A3", named{"lines", "12:3", true, ""}},
		{"composite, as it is", "tenantry://lines/12:3", named{"lines", "12:3", true, ""}},
		{"composite with a slash in a part", "tenantry://lines/A%252F1%3A3", named{"lines", "A%2F1:3", true, ""}},
		{"the same, as it is", "tenantry://lines/A%2F1:3", named{"lines", "A/1:3", true, ""}},
		{"composite with a colon in a part, as it is", "tenantry://lines/a%3Ab:3", named{Code: resource.InvalidArgument}},
		{"composite with a percent in a part, as it is", "tenantry://lines/50%25:3", named{Code: resource.InvalidArgument}},
		{"lower case escapes", "tenantry://lines/a%3ab:3", named{Code: resource.InvalidArgument}},
		{"a percent", "tenantry://notes/50%25", named{"notes", "50%", true, ""}},
		{"decoded once", "tenantry://notes/%252F", named{"notes", "%2F", true, ""}},
		{"a plus is a plus", "tenantry://notes/a+b", named{"notes", "a+b", true, ""}},
		{"unicode", "tenantry://größe/%C3%A9é", named{"größe", "éé", true, ""}},
		{"escaped resource", "tenantry://a%2Fb%20c/1", named{"a/b c", "1", true, ""}},
		{"a blank as it is", "tenantry://order lines/a b", named{"order lines", "a b", true, ""}},
		{"dots", "tenantry://notes/..", named{"notes", "..", true, ""}},
		{"key like a schema", "tenantry://notes/schema", named{"notes", "schema", true, ""}},
		{"no key", "tenantry://orders/", named{Code: resource.InvalidArgument}},
		{"bare slash in a key", "tenantry://invoices/A/1", named{Code: resource.InvalidArgument}},
		{"query", "tenantry://orders/7?x=1", named{Code: resource.InvalidArgument}},
		{"fragment", "tenantry://orders#7", named{Code: resource.InvalidArgument}},
		{"half an escape", "tenantry://notes/50%", named{Code: resource.InvalidArgument}},
		{"no escape", "tenantry://notes/%zz", named{Code: resource.InvalidArgument}},
		{"not UTF-8", "tenantry://notes/%ff", named{Code: resource.InvalidArgument}},
		{"resource not UTF-8", "tenantry://%ff/1", named{Code: resource.InvalidArgument}},
		{"nothing", "", named{Code: resource.NotFound}},
		{"no resource", "tenantry://", named{Code: resource.NotFound}},
		{"no resource but a key", "tenantry:///7", named{Code: resource.NotFound}},
		{"another scheme", "file:///etc/passwd", named{Code: resource.NotFound}},
		{"inside the SDK", "tenantry:read", named{Code: resource.NotFound}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var got named
			var err error
			got.Resource, got.ID, got.Row, err = mcpserver.Address(tt.uri)
			if e, ok := errors.AsType[*resource.Error](err); ok {
				got.Code = e.Code
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("%s: %s %v", tt.uri, diff, err)
			}
		})
	}
}

// Every resource and every key has a URI, which names it and nothing else.
func FuzzAddress(f *testing.F) {
	for _, s := range []string{"7", "A/1", "12:3", "A%2F1:3", "50%", "é", "a b", "..", "?#", "%3A:%25", "\x00"} {
		f.Add("orders", s)
		f.Add(s, "7")
		f.Add("tenantry://"+s, "")
	}
	f.Fuzz(func(t *testing.T, name, id string) {
		if _, _, _, err := mcpserver.Address(name); err != nil {
			if e, ok := errors.AsType[*resource.Error](err); !ok || strings.ContainsAny(e.Message, "\n\r") || len(e.Message) > 500 {
				t.Fatalf("%q: %v", name, err)
			}
		}
		if name == "" || id == "" || !utf8.ValidString(name) || !utf8.ValidString(id) {
			return
		}
		uri := mcpserver.RowURI(name, id)
		gotName, gotID, row, err := mcpserver.Address(uri)
		if err != nil || gotName != name || gotID != id || !row {
			t.Fatalf("%s names %q %q: %v", uri, gotName, gotID, err)
		}
		schema := strings.TrimSuffix(uri, uri[strings.LastIndex(uri, "/"):])
		if gotName, _, row, err = mcpserver.Address(schema); err != nil || gotName != name || row {
			t.Fatalf("%s names %q: %v", schema, gotName, err)
		}
	})
}
