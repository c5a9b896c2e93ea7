package descriptor_test

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/descriptor"
	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/resource"
)

// surveyed is a table of a survey: its key, then its columns, each a name and perhaps a type, with ? for one
// that may be null.
func surveyed(name, key string, columns ...string) executors.SurveyedTable {
	t := executors.SurveyedTable{Table: &executors.Table{Name: executors.TableName{Schema: "public", Name: name}, Key: strings.Fields(key)}, Bare: true}
	for _, c := range columns {
		c, null := strings.CutSuffix(c, "?")
		column, kind := c, string(resource.BigInt)
		if i := strings.LastIndex(c, ":"); i >= 0 {
			column, kind = c[:i], c[i+1:]
		}
		t.Columns = append(t.Columns, executors.Column{Name: column, Type: resource.Plain(resource.Kind(kind)), Nullable: null})
	}
	return t
}

// leading adds a foreign key to the table's key id.
func leading(t executors.SurveyedTable, column, target string) executors.SurveyedTable {
	t.ForeignKeys = append(t.ForeignKeys, executors.ForeignKey{
		Columns: []string{column}, Target: executors.TableName{Schema: "public", Name: target}, TargetColumns: []string{"id"},
	})
	return t
}

func draft(t *testing.T, tables ...executors.SurveyedTable) string {
	t.Helper()
	text, err := descriptor.Starter(&executors.Survey{Tables: tables}, "tenant_id", "a token")
	if err != nil {
		t.Fatal(err)
	}
	_, resources, _ := strings.Cut(string(text), "\nresources:\n")
	return resources
}

var leftOutColumns = regexp.MustCompile(`(?m)^ +# left out: (\S+) \(looks like a secret\)$`)

func TestStarterLeavesSecretsOut(t *testing.T) {
	t.Parallel()
	secret := strings.Fields(`password password_digest encrypted_password userPassword passwordHash PASSWD pwd pw_hash secret client_secret
		token api_token apiToken accesstoken access_token_2 api_key apiKey APIKey apikey private_key secretKey signing_key ssh_key
		password_hint hash digest salt otp otp_secret mfa_seed totp 2fa jwt cookie session_id ssn cvv cvc2 iban pan card_number credit_card
		creditCardNumber pin pin_code recovery_codes backup_code encrypted_body security_answer national_id token_id`)
	shown := strings.Fields(`tokenized_at tokenizer passenger passport compass secretary hashtag hash_rate digest_frequency saltwater panel span
		company keyboard key monkey_key api_version pinned pinboard spinach ibanez token_type password_policy secret_name otp_attempts token_count
		mfa_status salted_caramel cookies_per_box credit card ssnake bypass`)
	columns := []string{"id", "tenant_id"}
	for _, name := range slices.Concat(secret, shown) {
		columns = append(columns, name+":text")
	}
	var got []string
	for _, found := range leftOutColumns.FindAllStringSubmatch(draft(t, surveyed("t", "id", columns...)), -1) {
		got = append(got, strings.Trim(found[1], `"`))
	}
	if diff := cmp.Diff(secret, got); diff != "" {
		t.Error(diff)
	}
}

// What a type can hold, and what a foreign key says, count beside the name.
func TestStarterKnowsWhatIsNoSecret(t *testing.T) {
	t.Parallel()
	table := leading(surveyed("t", "id", "id", "tenant_id", "password_changed:timestamptz", "token_date:date", "mfa:boolean",
		"max_tokens:integer", "pin:integer", "token:uuid", "token_id", "secret_id"), "token_id", "t")
	var got []string
	for _, found := range leftOutColumns.FindAllStringSubmatch(draft(t, table), -1) {
		got = append(got, found[1])
	}
	if diff := cmp.Diff([]string{"pin", "token", "secret_id"}, got); diff != "" {
		t.Error(diff)
	}
}

// Whatever names and comments hold, the draft is a file that says the same.
func TestStarterQuotes(t *testing.T) {
	t.Parallel()
	awkward := []string{
		"on", "null", "yes", "1e3", "~", "<<", "=", "*a", "&a", "!a", "#a", "a: b", "a #b", "- a", "? a", "[a", "{a", "%a", "@a", "`a", "'a", `"a`, `\`, "|", ">",
		"a.b", "a,b", "links", "any", "not", "included", " a ", "a\tb", "a\nb", "${HOME}", "$${X}", "$", "$$", "}", "é", "🙂", "\u0085", "\u2028", "\ufeff", "\u202e", "\x01", "\x7f",
		"2026-01-01", "0x1f", "1_000", "12:30", strings.Repeat("ü", 70), "true", "-", "--", "---", "...",
	}
	var tables []executors.SurveyedTable
	for i, name := range awkward {
		s := surveyed(name, "id", "id", "tenant_id", name+":text")
		s.Indexes = [][]string{{"tenant_id", name}}
		s.Comment, s.Comments = "About "+name, map[string]string{name: name + " of it"}
		tables = append(tables, s, leading(surveyed(fmt.Sprint("child", i), "id", "id", name+" id:bigint"), name+" id", name))
	}
	text, err := descriptor.Starter(&executors.Survey{Tables: tables}, "tenant_id", "a token")
	if err != nil {
		t.Fatal(err)
	}
	f, err := descriptor.Parse("draft", text, func(string) (string, bool) { return "sqlite:x", true })
	if err != nil {
		t.Fatal(err)
	}
	specs := f.Specs()
	if len(specs) != 2*len(awkward) {
		t.Fatalf("%d resources of %d", len(specs), 2*len(awkward))
	}
	for i, name := range awkward {
		table := name
		if strings.Contains(name, ".") {
			table = "public." + name
		}
		fields, err := specs[i].Serializer.Fields()
		if err != nil || specs[i].Table != table || len(fields) != 2 || fields[1].Column != name || len(specs[i].Filterable) != 1 {
			t.Errorf("%q: table %q, fields %v, filterable %v, %v", name, specs[i].Table, fields, specs[i].Filterable, err)
		}
		said := strings.Join(strings.Fields(strings.Map(printable, name)), " ")
		if want := strings.TrimSpace("About " + said); specs[i].Description != want || fields[1].Description != strings.TrimSpace(said+" of it") {
			t.Errorf("%q is described as %q, and its column as %q", name, specs[i].Description, fields[1].Description)
		}
	}
}

func printable(r rune) rune {
	if !unicode.IsPrint(r) && !unicode.IsSpace(r) {
		return -1
	}
	return r
}

func TestStarterFindsNoTable(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name   string
		tables []executors.SurveyedTable
		want   descriptor.NoTableError
	}{
		{"no table at all", nil, descriptor.NoTableError{}},
		{"a near name", []executors.SurveyedTable{surveyed("t", "id", "id", "tennant_id", "tenant:boolean")}, descriptor.NoTableError{Near: []string{"tennant_id"}}},
		{"none near", []executors.SurveyedTable{surveyed("t", "id", "id", "user_id", "org_id"), surveyed("u", "id", "id", "org_id")}, descriptor.NoTableError{Common: []string{"org_id", "user_id"}}},
		{"no key", []executors.SurveyedTable{surveyed("t", "", "id", "tenant_id")}, descriptor.NoTableError{
			Refused: "t has no primary key, and no unique index over columns that are never null", Near: []string{"tenant_id"},
		}},
	} {
		_, err := descriptor.Starter(&executors.Survey{Tables: tc.tables}, "tenant_id", "a token")
		got, ok := errors.AsType[*descriptor.NoTableError](err)
		if !ok {
			t.Fatalf("%s: %v", tc.name, err)
		}
		tc.want.Column = "tenant_id"
		if diff := cmp.Diff(&tc.want, got); diff != "" {
			t.Errorf("%s: %s", tc.name, diff)
		}
	}
}
