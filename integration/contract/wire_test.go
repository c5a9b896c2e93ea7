package contract_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"net/url"
	"sync/atomic"
	"testing"

	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/executors/postgres"
	"github.com/tenantry/tenantry/integration/testdb"
)

// wire stands between a server and its database, and counts the statements that the database is told to run.
type wire struct{ executed atomic.Int64 }

// newWire returns a database that is reached over it.
func newWire(t *testing.T) (*database, *wire) {
	t.Helper()
	db := testdb.New(t)
	u, err := url.Parse(db.ReaderURL)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	w := &wire{}
	go w.accept(l, u.Host)
	u.Host = l.Addr().String()
	query := u.Query()
	query.Set("sslmode", "disable") // nothing could be counted in what is encrypted
	u.RawQuery = query.Encode()
	return &database{
		name: "postgres",
		exec: func(t *testing.T, sql string) { t.Helper(); db.Exec(t, sql) },
		open: func(t *testing.T) executors.DB {
			t.Helper()
			opened, err := postgres.OpenURL(t.Context(), u.String())
			if err != nil {
				t.Fatal(err)
			}
			return opened
		},
	}, w
}

func (w *wire) accept(l net.Listener, host string) {
	for {
		client, err := l.Accept()
		if err != nil {
			return
		}
		server, err := net.Dial("tcp", host)
		if err != nil {
			_ = client.Close()
			continue
		}
		closeBoth := func() { _ = client.Close(); _ = server.Close() }
		go func() { defer closeBoth(); _, _ = io.Copy(client, server) }()
		go func() { defer closeBoth(); _ = w.forward(server, client) }()
	}
}

// forward passes on what a client says: a first message without a type, and then messages of type, length and body,
// as the chapter "Frontend/Backend Protocol" of PostgreSQL's manual has them.
func (w *wire) forward(server io.Writer, client io.Reader) error {
	kind := []byte{}
	for {
		head := make([]byte, len(kind)+4)
		if _, err := io.ReadFull(client, head); err != nil {
			return err
		}
		body := make([]byte, max(binary.BigEndian.Uint32(head[len(kind):]), 4)-4)
		if _, err := io.ReadFull(client, body); err != nil {
			return err
		}
		// Execute and Query; what a pool asks of a connection that was idle is no statement of a call.
		if head[0] == 'E' || head[0] == 'Q' && !bytes.HasPrefix(body, []byte("-- ping")) {
			w.executed.Add(1)
		}
		if _, err := server.Write(append(head, body...)); err != nil {
			return err
		}
		kind = head[:1]
	}
}

// What the database is told to run for a page does not grow with the rows either: beside the statements of the call
// it is the settings before them and what closes them.
func TestTheDatabaseRunsNoMore(t *testing.T) {
	t.Parallel()
	db, w := newWire(t)
	db.related(t)
	db.exec(t, `INSERT INTO purchases (id, tenant_id, bill_to, parent_id) `+numbered("100", "SELECT i, 1, 1, i - 1 FROM s"))
	db.exec(t, `INSERT INTO items (id, tenant_id, purchase_id, sku) `+numbered("1000", "SELECT i, 1, i % 100 + 1, 'x' FROM s"))
	watch, spied := watched(settings{})
	s := db.serve(t, watch, relatedSpecs()...)
	for _, arguments := range []string{
		``, `,"fields":["id","items","labels","children"]`, `,"include":["items","labels","children","parent","customer"]`,
		`,"include":["items","parent"],"fields":["id","items"],"count":"exact"`, `,"filter":{"items.sku":"x"},"sort":["-note"],"count":"capped"`,
	} {
		// The first call of its kind also prepares its statements.
		s.call(t, keyOne, "list", fmt.Sprintf(`{"resource":"purchases","limit":1%s}`, arguments)).page(t)
		var ran []int64
		for _, limit := range []int{1, 10, 100} {
			spied.take()
			before := w.executed.Load()
			p := s.call(t, keyOne, "list", fmt.Sprintf(`{"resource":"purchases","limit":%d%s}`, limit, arguments)).page(t)
			_, statements, _ := spied.take()
			executed := w.executed.Load() - before
			if ran = append(ran, executed); len(p.Rows) < min(limit, 50) || executed < int64(len(statements)) || executed > int64(len(statements))+4 {
				t.Errorf("%s: %d rows by %d statements of which the database ran %d", arguments, len(p.Rows), len(statements), executed)
			}
		}
		if ran[0] != ran[1] || ran[1] != ran[2] {
			t.Errorf("%s: for 1, 10 and 100 rows the database ran %v statements", arguments, ran)
		}
	}
}
