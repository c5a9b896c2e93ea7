package contract_test

import (
	"strings"
	"testing"
)

// Every limit and offset is served, lowered with a word in meta, or refused before any statement.
func TestLimitsAndOffsets(t *testing.T) {
	t.Parallel()
	tests := []struct {
		arguments string
		limit     int // in meta; 0 when the call is refused
		rows      int
	}{
		{`"limit":1`, 1, 1},
		{`"limit":100`, 100, 100},
		{`"limit":101`, 100, 100},
		{`"limit":2147483647`, 100, 100},
		{`"limit":2147483648`, 100, 100},
		{`"limit":9223372036854775808`, 100, 100},
		{`"limit":1e3`, 100, 100},
		{`"limit":1e400`, 100, 100},
		{`"limit":10.0`, 10, 10},
		{`"limit":"10"`, 10, 10},
		{`"limit":"1000"`, 100, 100},
		{`"limit":""`, 25, 25},
		{`"limit":null`, 25, 25},
		{`"offset":0`, 25, 25},
		{`"offset":"5","limit":1`, 1, 1},
		{`"offset":119`, 25, 1},
		{`"offset":120`, 25, 0},
		{`"offset":10000`, 25, 0},
		{`"offset":1e4`, 25, 0},
		{`"offset":null,"limit":1`, 1, 1},
		{`"offset":"","limit":1`, 1, 1},
		{`"limit":0`, 0, 0},
		{`"limit":"0"`, 0, 0},
		{`"limit":-1`, 0, 0},
		{`"limit":"-1"`, 0, 0},
		{`"limit":10.5`, 0, 0},
		{`"limit":"10.0"`, 0, 0},
		{`"limit":"1e1"`, 0, 0},
		{`"limit":" 10"`, 0, 0},
		{`"limit":"+10"`, 0, 0},
		{`"limit":"010"`, 0, 0},
		{`"limit":"ten"`, 0, 0},
		{`"limit":"null"`, 0, 0},
		{`"limit":true`, 0, 0},
		{`"limit":[10]`, 0, 0},
		{`"limit":{"value":10}`, 0, 0},
		{`"limit":1e-1`, 0, 0},
		{`"limit":-1e400`, 0, 0},
		{`"limit":0,"count":"none"`, 0, 0},
		{`"offset":-1`, 0, 0},
		{`"offset":10001`, 0, 0},
		{`"offset":1000000`, 0, 0},
		{`"offset":9223372036854775807`, 0, 0},
		{`"offset":99999999999999999999`, 0, 0},
		{`"offset":1.5`, 0, 0},
		{`"offset":true`, 0, 0},
		{`"offset":"last"`, 0, 0},
		{`"limit":0,"count":"exact","offset":5`, 0, 0},
	}
	onBoth(t, func(t *testing.T, db *database) {
		db.exec(t, `INSERT INTO tenants (id, name) VALUES (1, 'one'); INSERT INTO orders (id, tenant_id) `+numbered("120", `SELECT i, 1 FROM s;`))
		with, w := watched(settings{})
		s := db.serve(t, with, db.shop()...)
		for _, test := range tests {
			w.take()
			a := s.call(t, keyOne, "list", `{"resource":"orders","fields":["id"],`+test.arguments+`}`)
			calls, _, _ := w.take()
			if test.limit == 0 {
				path := "/" + strings.SplitN(test.arguments[1:], `"`, 2)[0]
				if e := a.refused(t); e.Code != "invalid_argument" || e.Path != path && e.Path != "/offset" || calls != 0 {
					t.Errorf("%s: %d calls of the database, %+v", test.arguments, calls, e)
				}
				continue
			}
			if p := a.page(t); p.Meta.Limit != test.limit || len(p.Rows) != test.rows || p.Meta.HasMore != (test.rows == test.limit) {
				t.Errorf("%s: %d rows, %+v", test.arguments, len(p.Rows), p.Meta)
			}
		}
		if e := s.call(t, keyOne, "list", `{"resource":"orders","offset":10001}`).refused(t); !strings.Contains(e.Message, "cursor") {
			t.Errorf("a deep offset is not sent to the cursor: %+v", e)
		}
		cursor := s.call(t, keyOne, "list", `{"resource":"orders","limit":1}`).page(t).Meta.NextCursor
		if e := s.call(t, keyOne, "list", `{"resource":"orders","offset":1,"cursor":"`+cursor+`"}`).refused(t); e.Path != "/offset" {
			t.Errorf("offset beside cursor: %+v", e)
		}
	})
}

// A resource has limits of its own.
func TestLimitsOfAResource(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		db.exec(t, `INSERT INTO tenants (id, name) VALUES (1, 'one'); INSERT INTO orders (id, tenant_id) `+numbered("20", `SELECT i, 1 FROM s;`))
		specs := db.shop()
		specs[0].Limits.Default, specs[0].Limits.Max = 3, 5
		s := db.serve(t, settings{}, specs...)
		for arguments, limit := range map[string]int{``: 3, `,"limit":4`: 4, `,"limit":6`: 5, `,"limit":100`: 5, `,"offset":2`: 3} {
			if p := s.call(t, keyOne, "list", `{"resource":"orders"`+arguments+`}`).page(t); p.Meta.Limit != limit || len(p.Rows) != limit || !p.Meta.HasMore {
				t.Errorf("%s: %d rows, %+v", arguments, len(p.Rows), p.Meta)
			}
		}
	})
}
