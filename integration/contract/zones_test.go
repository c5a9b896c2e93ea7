package contract_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
	_ "time/tzdata" // the zones of TZ, on a machine that has none

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/integration/testdb"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/scope"
	"github.com/tenantry/tenantry/serializer"
)

// envZone holds the file into which a run of this binary in a zone of its own writes what it was answered.
const envZone = "TENANTRY_TEST_ZONE_ANSWERS"

// zones are where a server may stand, with their seconds east of UTC in the July of the rows.
var zones = map[string]int{"UTC": 0, "America/Chicago": -5 * 3600, "Pacific/Kiritimati": 14 * 3600, "Asia/Kathmandu": 5*3600 + 45*60}

// instants are rows around one day in UTC, and days and local times that no zone moves.
const instants = `INSERT INTO tenants (id, name) VALUES (1, 'one');
INSERT INTO orders (id, tenant_id, due, placed_at) VALUES (1, 1, '2026-07-06', '2026-07-06T23:59:59.000000Z'), (2, 1, '2026-07-07', '2026-07-07T00:00:00.000000Z'),
	(3, 1, '2026-07-07', '2026-07-07T12:00:00.000000Z'), (4, 1, '2026-07-07', '2026-07-07T23:59:59.999999Z'), (5, 1, '2026-07-08', '2026-07-08T00:00:00.000000Z'),
	(6, 1, '2026-07-08', '2026-07-08T04:30:00.000000Z'), (7, 1, NULL, NULL);`

// inZone asks everything in which a zone could show, and returns the answers without their cursors.
func (s *server) inZone(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, filter := range []string{
		`{}`, `{"placed_at":{"op":"lteq","value":"2026-07-07"}}`, `{"placed_at":"2026-07-07"}`, `{"placed_at":{"op":"not_eq","value":"2026-07-07"}}`, `{"placed_at":{"op":"gt","value":"2026-07-07"}}`,
		`{"placed_at":{"op":"gteq","value":"2026-07-07T00:00:00"}}`, `{"placed_at":{"op":"lt","value":"2026-07-08T00:00:00+02:00"}}`, `{"placed_at":["2026-07-06","2026-07-07T23:30:00-05:00"]}`,
		`{"due":"2026-07-07"}`, `{"due":{"op":"gt","value":"2026-07-07"}}`,
	} {
		out["list "+filter] = string(s.call(t, keyOne, "list", `{"resource":"orders","fields":["id","due","placed_at"],"count":"exact","filter":`+filter+`}`).body)
	}
	out["updated_since"] = string(s.call(t, keyOne, "list", `{"resource":"orders","fields":["id"],"updated_since":"2026-07-07"}`).body)
	out["walk"] = fmt.Sprint(s.walk(t, keyOne, `{"resource":"orders","sort":["-placed_at","due"]}`, 1, 7))
	for _, unit := range []string{"day", "week", "month"} {
		out[unit] = string(s.call(t, keyOne, "aggregate", `{"resource":"orders","group_by":["placed_at:`+unit+`"],"measures":["count","max:placed_at","min:due"]}`).body)
	}
	return out
}

// The rows of a day are those of the day in UTC, whichever zone the server and the database stand in.
func TestZones(t *testing.T) {
	if file := os.Getenv(envZone); file != "" {
		answerInZone(t, file)
		return
	}
	t.Parallel()
	var first map[string]map[string]string
	server := testdb.NewEmpty(t).URL
	for zone, offset := range zones {
		file := filepath.Join(t.TempDir(), "answers.json")
		run := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestZones$")
		run.Env = append(os.Environ(), "TZ="+zone, envZone+"="+file, testdb.EnvURL+"="+server, testdb.EnvWay+"=url")
		if said, err := run.CombinedOutput(); err != nil {
			t.Fatalf("in %s: %v\n%s", zone, err, said)
		}
		var got struct {
			Offset  int
			Answers map[string]map[string]string
		}
		text, err := os.ReadFile(file)
		if err == nil {
			err = json.Unmarshal(text, &got)
		}
		if err != nil || got.Offset != offset || len(got.Answers) != 3 {
			t.Fatalf("in %s: the run stood %d seconds from UTC and answered %d times (%v)", zone, got.Offset, len(got.Answers), err)
		}
		if first == nil {
			first = got.Answers
		}
		if diff := cmp.Diff(first, got.Answers); diff != "" {
			t.Errorf("%s (-another zone +this one):\n%s", zone, diff)
		}
	}
	if diff := cmp.Diff(first["UTC"], first["Asia/Tokyo"]); diff != "" {
		t.Errorf("(-a database in UTC +one in Tokyo):\n%s", diff)
	}
	checkDays(t, first)
}

// checkDays compares what all agree on with the rule.
func checkDays(t *testing.T, answers map[string]map[string]string) {
	t.Helper()
	for database, got := range answers {
		for filter, want := range map[string][]string{
			`{"placed_at":{"op":"lteq","value":"2026-07-07"}}`: {"1", "2", "3", "4"}, `{"placed_at":"2026-07-07"}`: {"2", "3", "4"},
			`{"placed_at":{"op":"lt","value":"2026-07-08T00:00:00+02:00"}}`: {"1", "2", "3"}, `{"due":"2026-07-07"}`: {"2", "3", "4"},
		} {
			ids := answer{body: json.RawMessage(got["list "+filter])}.page(t).ids()
			if diff := cmp.Diff(want, ids); diff != "" {
				t.Errorf("%s, %s (-want +got):\n%s", database, filter, diff)
			}
		}
		if got["walk"] != "[7 6 5 4 3 2 1]" {
			t.Errorf("%s, walked: %s", database, got["walk"])
		}
	}
}

// spans are instants that the database itself prints, and how they are shown.
func (db *database) spans(t *testing.T) (spec resource.Spec, want string) {
	t.Helper()
	db.table(t, "spans", "tenant_id", "id int PRIMARY KEY, tenant_id int, span tstzrange, far timestamptz, stops timestamptz[], midnight timestamp")
	db.exec(t, `INSERT INTO spans VALUES (1, 1, '[2026-01-01 12:00:00+02,infinity)', '12345-06-07 08:09:10.5Z', '{2026-07-07 23:30:00-05}', '2026-07-07')`)
	spec = resource.Spec{
		Name: "spans", Table: "spans", Scope: scope.Column("tenant_id"), Filterable: resource.Columns{"span": "span", "far": "far"},
		Serializer: serializer.Columns("id", "span", "far", "stops", "midnight"),
	}
	return spec, `{"resource":"spans","row":{"id":1,"span":"[\"2026-01-01 10:00:00+00\",infinity)","far":"12345-06-07 08:09:10.5+00",` +
		`"stops":["2026-07-08T04:30:00.000000Z"],"midnight":"2026-07-07T00:00:00.000000"}}`
}

// answerInZone runs in a process of its own, whose zone is that of TZ. Databases have zones too, but for SQLite's.
func answerInZone(t *testing.T, file string) {
	t.Helper()
	answers := map[string]map[string]string{}
	for _, zone := range []string{"UTC", "Asia/Tokyo"} {
		db := newPostgres(t)
		db.exec(t, `DO $$ BEGIN EXECUTE 'ALTER DATABASE ' || current_database() || ' SET timezone = ''`+zone+`'''; END $$`)
		db.exec(t, instants+`DO $$ BEGIN ASSERT current_setting('timezone') = '`+zone+`'; END $$`)
		spans, want := db.spans(t)
		shop := db.serve(t, settings{}, append(db.summed(), spans)...)
		answers[zone] = shop.inZone(t)
		got := string(shop.call(t, keyOne, "get", `{"resource":"spans","id":1}`).body)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		if ids := shop.find(t, keyOne, "spans", `{"span":"[\"2026-01-01 10:00:00+00\",infinity)","far":{"op":"eq","value":"12345-06-07 08:09:10.5+00"}}`); len(ids) != 1 {
			t.Errorf("a value that was printed finds %s", ids)
		}
	}
	lite := newSQLite(t)
	lite.exec(t, instants)
	answers["sqlite"] = lite.serve(t, settings{}, lite.summed()...).inZone(t)
	_, offset := time.Date(2026, 7, 7, 0, 0, 0, 0, time.Local).Zone()
	text, err := json.Marshal(map[string]any{"Offset": offset, "Answers": answers})
	if err == nil {
		err = os.WriteFile(file, text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}
