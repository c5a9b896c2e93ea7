package contract_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/Masterminds/squirrel"

	"github.com/tenantry/tenantry/resource"
)

// clientCount is how many clients call at once, half of each tenant, and rounds is how often each does.
const clientCount, rounds = 100, 3

// delayed serves an order for each client, with a filter that takes as many seconds as it is told for each row that all
// else lets through.
func (db *database) delayed(t *testing.T) *server {
	t.Helper()
	db.exec(t, `CREATE FUNCTION nap(seconds float8) RETURNS boolean LANGUAGE plpgsql VOLATILE COST 1000000 AS 'BEGIN PERFORM pg_sleep(seconds); RETURN true; END';
		INSERT INTO tenants (id, name) VALUES (1, 'one'), (2, 'two');
		INSERT INTO orders (id, tenant_id, note) `+numbered(fmt.Sprint(clientCount), `SELECT i, 1 + i % 2, 'of ' || i FROM s;`))
	specs := db.shop()
	specs[0].Filters = append(specs[0].Filters, resource.Filter{Name: "delay", Type: resource.Double, Condition: func(v resource.Value) (squirrel.Sqlizer, error) {
		return squirrel.Expr("nap(?) AND t.id > 0", v), nil
	}})
	return db.serve(t, settings{}, specs...)
}

// ownOrder is what the client of a number asks for, in a time that nobody knows: its order and the other tenant's next one.
func ownOrder(n int) string {
	delay := float64(rand.IntN(200)) / 1000
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":{"resource":"orders",`+
		`"fields":["id","note"],"ids":[%d,%d],"filter":{"delay":%v}}}}`, n, n%clientCount+1, delay)
}

// Many clients with the same request id, and in the same session if they say so: each gets its own answer, of its own
// tenant, whatever order the answers come in.
func TestEqualRequestIDsDoNotMeet(t *testing.T) {
	t.Parallel()
	p := newPool(t)
	p.size = 25
	s := p.delayed(t)
	var clients sync.WaitGroup
	for n := 1; n <= clientCount; n++ {
		clients.Go(func() {
			header := http.Header{"Authorization": {"Bearer " + []string{keyOne, keyTwo}[n%2]}}
			for round := range rounds {
				if round%2 == 1 {
					header.Set(sessionHeader, "the-same")
				}
				s.answersItself(t, n, header)
			}
		})
	}
	clients.Wait()
}

// answersItself checks that the client of a number gets its order and nothing else. One that finds the server busy
// asks again, as it is told.
func (s *server) answersItself(t *testing.T, n int, header http.Header) {
	t.Helper()
	want := fmt.Sprintf(`{"resource":"orders","rows":[{"id":%d,"note":"of %d"}],"meta":{"limit":25,"returned":1,"has_more":false}}`, n, n)
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); {
		_, reply := s.postWith(t, ownOrder(n), header)
		var rpc struct {
			ID     int `json:"id"`
			Result struct {
				Structured json.RawMessage `json:"structuredContent"`
			} `json:"result"`
		}
		if err := json.Unmarshal(reply, &rpc); err != nil || rpc.ID != 1 {
			t.Errorf("client %d: %s (%v)", n, reply, err)
			return
		}
		switch got := string(rpc.Result.Structured); {
		case got == want:
			return
		case !strings.Contains(got, `"unavailable"`):
			t.Errorf("client %d gets %s", n, reply)
			return
		}
	}
	t.Errorf("client %d has no answer", n)
}
