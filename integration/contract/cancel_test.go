package contract_test

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/integration/testdb"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/scope"
	"github.com/tenantry/tenantry/serializer"
)

// abandon sends a call whose client goes away after a while. What it gets, if anything, must be quiet.
func (s *server) abandon(t *testing.T, arguments string, after time.Duration) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), after)
	defer cancel()
	body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":` + arguments + `}}`
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.url, strings.NewReader(body))
	if err != nil {
		t.Error(err)
		return
	}
	req.Header = http.Header{"Authorization": {"Bearer " + keyOne}, "Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"}}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return
	}
	defer func() { _ = res.Body.Close() }()
	reply, _ := io.ReadAll(res.Body) // as far as it came
	quiet(t, reply, body)
}

// abandonMany has eight clients abandon calls at random moments.
func (s *server) abandonMany(t *testing.T, calls int, seed uint64) {
	t.Helper()
	var clients sync.WaitGroup
	for n := range uint64(8) {
		clients.Go(func() {
			r := rand.New(rand.NewPCG(seed, n))
			for range calls / 8 {
				arguments := []string{
					`{"resource":"orders","limit":5,"filter":{"slow":0}}`,
					`{"resource":"orders","limit":2,"filter":{"slow":0},"count":"exact"}`,
					`{"resource":"orders","limit":100}`,
				}[r.IntN(3)]
				s.abandon(t, arguments, time.Duration(r.IntN(80))*time.Millisecond)
			}
		})
	}
	clients.Wait()
}

// Cancelled calls cost no connection for good, no goroutine, and no later call. Not parallel, for the
// sake of the goroutines.
func TestCancellations(t *testing.T) {
	t.Run("postgres", func(t *testing.T) {
		p := newPool(t)
		s := p.slowOrders(t, "300", settings{})
		most, stop := 0, make(chan struct{})
		var sampler sync.WaitGroup
		sampler.Go(func() {
			ticker := time.NewTicker(5 * time.Millisecond)
			defer ticker.Stop()
			for {
				select {
				case <-stop:
					return
				case <-ticker.C:
					most = max(most, p.ask(connections))
				}
			}
		})
		done := sync.OnceFunc(func() { close(stop); sampler.Wait() })
		defer done() // before the test ends, also when it fails
		s.survives(t, 500)
		done()
		size := poolSize
		if os.Getenv(testdb.EnvPooler) != "" { // whose own pool is what the server sees
			size = testdb.PoolerSize
		}
		if most > size+2 || most == 0 {
			t.Errorf("%d connections at the server, from a pool of %d", most, size)
		}
		eventually(t, "every connection is handed back", func() bool { return p.opened.Stat().AcquiredConns() == 0 })
	})
	t.Run("sqlite", func(t *testing.T) {
		newSQLite(t).slowOrders(t, "300", settings{}).survives(t, 500)
	})
}

// survives abandons calls, and then needs normal ones to be what they were.
func (s *server) survives(t *testing.T, calls int) {
	t.Helper()
	const normal = `{"resource":"orders","limit":3,"count":"exact"}`
	settle := func() int {
		http.DefaultClient.CloseIdleConnections()
		return runtime.NumGoroutine()
	}
	s.call(t, keyOne, "list", normal).page(t)
	before := settle()
	s.abandonMany(t, calls, 58)
	for range 100 {
		if p := s.call(t, keyOne, "list", normal).page(t); p.counted() != "300 exact" || len(p.Rows) != 3 {
			t.Fatalf("after the cancellations: %+v", p)
		}
	}
	// Beside what is there at rest, a pool keeps a goroutine or two for each connection it has opened.
	eventually(t, "the goroutines are gone", func() bool { return settle() <= before+3*poolSize })
}

// All connections taken: the answer says busy, soon, and not slow.
func TestBusyIsNotSlow(t *testing.T) {
	t.Parallel()
	p := newPool(t)
	s := p.slowOrders(t, "1000", settings{executor: executors.Options{StatementTimeout: 5 * time.Second}})
	slowCall := func() errorDoc {
		return s.call(t, keyOne, "list", `{"resource":"orders","limit":100,"filter":{"slow":0},"sort":["-note"]}`).refused(t)
	}
	answers := make(chan errorDoc, poolSize)
	for range poolSize {
		go func() { answers <- slowCall() }()
	}
	eventually(t, "all connections are taken", func() bool { return p.opened.Stat().AcquiredConns() == poolSize })
	began := time.Now()
	busy := s.call(t, keyOne, "list", `{"resource":"orders","limit":1}`).refused(t)
	if took := time.Since(began); took > 4*time.Second {
		t.Errorf("the refusal took %v", took)
	}
	if busy.Code != string(resource.Unavailable) || !strings.Contains(busy.Message, "busy") || !strings.Contains(busy.Message, "again") {
		t.Errorf("busy: %+v", busy)
	}
	for range poolSize {
		if late := <-answers; late.Code != string(resource.Timeout) || late.Message == busy.Message || !strings.Contains(late.Message, "narrow") {
			t.Errorf("slow: %+v", late)
		}
	}
	eventually(t, "every connection is handed back", func() bool { return p.opened.Stat().AcquiredConns() == 0 })
	if got := s.call(t, keyOne, "list", `{"resource":"orders","limit":1}`).page(t).ids(); len(got) != 1 {
		t.Errorf("afterwards: %s", got)
	}
}

// fragile is an order whose member computed fails on the third row, in the way that the note of the row says.
type fragile struct {
	ID      int64               `json:"id"`
	Note    *string             `json:"note"`
	Derived serializer.Computed `json:"derived" reads:"id,note"`
}

func (f fragile) ComputeDerived() (int64, error) {
	if f.ID != 3 {
		return f.ID * 2, nil
	}
	if f.Note != nil && *f.Note == "panic" {
		panic("the note is " + *f.Note)
	}
	return 0, errors.New("the third row is not to be had")
}

func fragileOrders() resource.Spec {
	return resource.Spec{Name: "orders", Table: "orders", Scope: scope.Column("tenant_id"), Serializer: serializer.For[fragile]()}
}

// An answer that fails half-way: it costs the call, and neither connections nor later calls.
func TestEncodingFailsHalfWay(t *testing.T) {
	t.Parallel()
	for _, way := range []string{"error", "panic"} {
		rows := `INSERT INTO tenants (id, name) VALUES (1, 'one'); INSERT INTO orders (id, tenant_id, note) ` + numbered("40", `SELECT i, 1, '`+way+`' FROM s;`)
		t.Run("postgres/"+way, func(t *testing.T) {
			t.Parallel()
			p := newPool(t)
			p.exec(t, rows)
			s := p.serve(t, settings{}, fragileOrders())
			s.failsHalfWay(t)
			if opened := p.opened.Stat().NewConnsCount(); opened > poolSize {
				t.Errorf("%d connections were opened", opened)
			}
			eventually(t, "every connection is handed back", func() bool { return p.opened.Stat().AcquiredConns() == 0 })
		})
		t.Run("sqlite/"+way, func(t *testing.T) {
			t.Parallel()
			db := newSQLite(t)
			db.exec(t, rows)
			db.serve(t, settings{}, fragileOrders()).failsHalfWay(t)
		})
	}
}

func (s *server) failsHalfWay(t *testing.T) {
	t.Helper()
	for range 12 {
		if e := s.call(t, keyOne, "list", `{"resource":"orders"}`).refused(t); e.Code != "internal" || strings.Contains(e.Message, "row") {
			t.Fatalf("%+v", e)
		}
		if got := s.call(t, keyOne, "list", `{"resource":"orders","limit":2}`).page(t).Rows; string(got[1]["derived"]) != "4" {
			t.Fatalf("two rows: %v", got)
		}
		if got := s.call(t, keyOne, "list", `{"resource":"orders","fields":["id"],"limit":100}`).page(t).Rows; len(got) != 40 {
			t.Fatalf("without the member: %v", got)
		}
	}
}
