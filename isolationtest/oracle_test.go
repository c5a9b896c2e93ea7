package isolationtest_test

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"testing"

	"github.com/tenantry/tenantry/isolationtest"
	"github.com/tenantry/tenantry/registry"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/scope"
	"github.com/tenantry/tenantry/serializer"
)

func TestOracle(t *testing.T) {
	t.Parallel()
	oracle := isolationtest.NewOracle(registry.MustNew(nil, resource.Spec{
		Name: "notes", Table: "notes", Scope: scope.Column("tenant_id"), Serializer: serializer.Columns("id", "author_id"),
		Relations: []resource.Relation{resource.BelongsTo("author", "notes", "author_id"), resource.HasMany("replies", "notes", "author_id")},
	}, resource.Spec{
		Name: "profiles", Table: "profiles", Scope: scope.Column("tenant_id"), Serializer: serializer.Columns("id"),
		Relations: []resource.Relation{resource.BelongsTo("note", "notes", "id")},
	}))
	one, two, all := isolationtest.MarkOf(1), isolationtest.MarkOf(2), isolationtest.MarkOf(0)
	text := two.Text("secret of a row")
	for _, tt := range []struct {
		name, reply, sent string
		found             bool
	}{
		{"own", `{"a":"` + one.Text("x") + `"}`, "", false},
		{"everybody's", `{"a":"` + all.Text("x") + `"}`, "", false},
		{"foreign text", `{"a":"` + text + `"}`, "", true},
		{"in capitals", `{"a":"MARK~002~X"}`, "", true},
		{"percent signs", `{"a":"mark%7E002%7Ex"}`, "", true},
		{"base64", base64.StdEncoding.EncodeToString([]byte("x" + text)), "", true},
		{"base64 for URLs, from the middle", "X" + base64.RawURLEncoding.EncodeToString([]byte("xyz"+text)), "", true},
		{"hexadecimal", hex.EncodeToString([]byte(text)), "", true},
		{"a number", fmt.Sprintf(`{"id":%d}`, two.Int(5)), "", true},
		{"an own number", fmt.Sprintf(`{"id":%d}`, one.Int(5)), "", false},
		{"a longer number", fmt.Sprintf(`{"id":1%d}`, two.Int(5)), "", false},
		{"digits of something else", `{"message":"reference: ab7002000005cdef"}`, "", false},
		{"an identifier", fmt.Sprintf(`{"id":%q}`, two.UUID(5)), "", true},
		{"an instant", `{"at":"` + two.Time(3).Format("2006-01-02T15:04:05.000000Z") + `"}`, "", true},
		{"an own instant", `{"at":"` + one.Time(3).Format("2006-01-02T15:04:05.000000Z") + `"}`, "", false},
		{"a link", fmt.Sprintf(`{"resource":"notes","row":{"links":{"author":%d}}}`, two.Int(5)), "", false},
		{"the column of a link", fmt.Sprintf(`{"resource":"notes","row":{"author_id":%d}}`, two.Int(5)), "", false},
		{"listed keys", fmt.Sprintf(`{"resource":"notes","row":{"links":{"replies":[%d]}}}`, two.Int(5)), "", true},
		{"an embedded row", fmt.Sprintf(`{"resource":"notes","row":{"included":{"author":{"id":%d}}}}`, two.Int(5)), "", true},
		{"the foreign key of an embedded row", fmt.Sprintf(`{"resource":"notes","row":{"included":{"author":{"author_id":%d}}}}`, two.Int(5)), "", false},
		{"a key that is a foreign key elsewhere", fmt.Sprintf(`{"resource":"notes","rows":[{"id":%d}]}`, two.Int(5)), "", true},
		{"a foreign key by itself", fmt.Sprintf(`{"resource":"profiles","rows":[{"id":%d}]}`, two.Int(5)), "", false},
		{"a resource named by a row", fmt.Sprintf(`{"resource":"notes","rows":[{"resource":"profiles","id":%d}]}`, two.Int(5)), "", true},
		{"the largest foreign key", fmt.Sprintf(`{"resource":"notes","groups":[{"max:author_id":%d}]}`, two.Int(5)), "", false},
		{"the largest key", fmt.Sprintf(`{"resource":"notes","groups":[{"max:id":%d}]}`, two.Int(5)), "", true},
		{"marks side by side", fmt.Sprintf(`{"id":"%d:%d"}`, one.Int(5), two.Int(5)), "", true},
		{"JSON in a string", fmt.Sprintf(`{"text":"{\"id\":%d}"}`, two.Int(5)), "", true},
		{"an error that repeats", `{"error":{"code":"not_found","message":"no ` + text + `"}}`, text, false},
		{"an error that tells", `{"error":{"code":"not_found","message":"no ` + text + `"}}`, "", true},
		{"rows that repeat", `{"rows":[{"a":"` + text + `"}]}`, text, true},
	} {
		got := oracle.Foreign([]byte(tt.reply), []byte(tt.sent), one)
		if (got != "") != tt.found || tt.found && got != "mark~002~" {
			t.Errorf("%s: %q", tt.name, got)
		}
	}
}
