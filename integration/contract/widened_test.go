package contract_test

import (
	"regexp"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// widened is a right answer before, while and after the column is widened, in which the number changes as well.
var widened = regexp.MustCompile(`^\{"resource":"things","(rows":\[|row":)\{"id":1,"name":"one","qty":(10|"9007199254740993"),"mood":"good"\}`)

// cleanly is what may be said in the window of a change.
var cleanly = regexp.MustCompile(`^\{"error":\{"code":"(internal|unavailable|timeout)",`)

// A column whose values become eight bytes long, and four again, under eight clients: each of them gets a right answer
// or a clean error, and right answers alone soon after each change.
func TestWideningAColumnWhileServing(t *testing.T) {
	onPostgres(t, func(t *testing.T, db *database) {
		s := db.changing(t)
		var stop atomic.Bool
		var good, errors atomic.Int64
		var wg sync.WaitGroup
		for i := range 8 {
			wg.Go(func() {
				for !stop.Load() && !t.Failed() {
					call := [][2]string{
						{"list", `{"resource":"things","fields":["id","name","qty","mood"]}`},
						{"get", `{"resource":"things","id":1,"fields":["id","name","qty","mood"]}`},
						{"list", `{"resource":"things","filter":{"qty":{"op":"gteq","value":10}},"sort":["-name"],"count":"exact"}`},
						{"list", `{"resource":"things","filter":{"others.thing.qty":{"op":"gt","value":9}},"fields":["id","name","qty","mood"]}`},
					}[i%4]
					switch a := s.call(t, keyOne, call[0], call[1]); {
					case !a.isError && widened.Match(a.body):
						good.Add(1)
					case a.isError && cleanly.Match(a.body):
						errors.Add(1)
						time.Sleep(5 * time.Millisecond)
					default:
						t.Errorf("%s %s: %s", call[0], call[1], a.body)
					}
				}
			})
		}
		for _, change := range []struct{ sql, shows string }{
			{`ALTER TABLE things ALTER COLUMN qty TYPE BIGINT USING CASE tenant_id WHEN 1 THEN 9007199254740993 ELSE qty END`, `"qty":"9007199254740993"`},
			{`ALTER TABLE things ALTER COLUMN qty TYPE INTEGER USING 10`, `"qty":10`},
			{`ALTER TABLE things ALTER COLUMN qty TYPE BIGINT`, `"qty":10`},
			{`ALTER TABLE things ALTER COLUMN qty TYPE INTEGER`, `"qty":10`},
		} {
			db.exec(t, change.sql)
			s.recovers(t, "list", `{"resource":"things"}`, holds(change.shows))
			for before := good.Load(); good.Load() < before+40 && !t.Failed(); {
				time.Sleep(time.Millisecond)
			}
		}
		stop.Store(true)
		wg.Wait()
		t.Logf("%d right answers, %d clean errors", good.Load(), errors.Load())
		for range 40 {
			if a := s.call(t, keyOne, "list", `{"resource":"things"}`); a.isError {
				t.Fatalf("after the last change: %s", a.body)
			}
		}
	})
}
