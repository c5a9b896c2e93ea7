package migrate_test

import (
	"io"
	"net"
	"net/url"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/tenantry/tenantry/integration/testdb"
	"github.com/tenantry/tenantry/migrations"
)

// A pooler is known by the connection's number, which is its own and not the server's. This one does nothing else.
func TestPoolerIsRefused(t *testing.T) {
	t.Parallel()
	db := testdb.NewEmpty(t)
	u, err := url.Parse(db.URL)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go pool(l, u.Host)

	u.Host = l.Addr().String()
	u.RawQuery = "sslmode=disable"
	err = migrations.Up(t.Context(), u.String(), migrations.Framework)
	if err == nil || !strings.Contains(err.Error(), "pooler") || !strings.Contains(err.Error(), "direct address") {
		t.Errorf("err = %v; want one that asks for the direct address", err)
	}
	if v := version(t, db, migrations.Framework); v != (state{}) {
		t.Errorf("version = %v after a refusal", v)
	}
}

// pool passes each connection on to a server.
func pool(l net.Listener, server string) {
	for {
		client, err := l.Accept()
		if err != nil {
			return
		}
		upstream, err := net.Dial("tcp", server)
		if err != nil {
			_ = client.Close()
			continue
		}
		go func() { _, _ = io.Copy(upstream, client) }()
		go answer(client, upstream)
	}
}

// answer passes on what the server says, with another number for the connection.
func answer(client, upstream net.Conn) {
	defer func() { _, _ = client.Close(), upstream.Close() }()
	from := pgproto3.NewFrontend(upstream, upstream)
	for {
		msg, err := from.Receive()
		if err != nil {
			return
		}
		if key, ok := msg.(*pgproto3.BackendKeyData); ok {
			key.ProcessID++
		}
		out, err := msg.Encode(nil)
		if err != nil {
			return
		}
		if _, err := client.Write(out); err != nil {
			return
		}
	}
}
