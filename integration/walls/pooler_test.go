package walls_test

import (
	"bytes"
	"encoding/binary"
	"io"
	"net"
	"net/url"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgproto3"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/tenantry/tenantry/executors/postgres"
)

// A pooler that has another server for every statement stops the start. This one refuses transactions as
// PgBouncer does, and nothing else.
func TestStatementPoolingIsRefused(t *testing.T) {
	t.Parallel()
	db := filled(t)
	u, err := url.Parse(db.ReaderURL)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go accept(l, u.Host)
	u.Host, u.RawQuery = l.Addr().String(), "sslmode=disable"
	cfg, err := pgxpool.ParseConfig(u.String())
	if err != nil {
		t.Fatal(err)
	}
	opened, err := postgres.Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	if _, err := executor(opened, nil, orders()); err == nil || !strings.Contains(err.Error(), "statement mode") {
		t.Errorf("the start says %v", err)
	}
}

func accept(l net.Listener, server string) {
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
		go func() { _, _ = io.Copy(client, upstream) }()
		go forward(client, upstream)
	}
}

// forward passes messages on, the first of which has no type.
func forward(client, upstream net.Conn) {
	defer func() { _ = upstream.Close() }()
	defer func() { _ = client.Close() }()
	for head := 0; ; head = 1 {
		message := make([]byte, head+4)
		if _, err := io.ReadFull(client, message); err != nil {
			return
		}
		body := make([]byte, binary.BigEndian.Uint32(message[head:])-4)
		if _, err := io.ReadFull(client, body); err != nil {
			return
		}
		to, out := upstream, append(message, body...)
		if head == 1 && message[0] == 'Q' && bytes.HasPrefix(body, []byte("begin")) {
			to, out = client, refusal()
		}
		if _, err := to.Write(out); err != nil {
			return
		}
	}
}

func refusal() []byte {
	out, _ := (&pgproto3.ErrorResponse{Severity: "FATAL", Code: "08P01", Message: "transaction blocks not allowed in statement pooling mode"}).Encode(nil)
	out, _ = (&pgproto3.ReadyForQuery{TxStatus: 'I'}).Encode(out)
	return out
}
