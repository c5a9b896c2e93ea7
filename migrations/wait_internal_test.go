package migrations

import (
	"context"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgproto3"
)

// A wait of a minute is not tested by waiting: only from inside can the connection be one whose server and clock are the
// test's own.
func TestTheWaitHasABound(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		conn := neverGranted(t)
		began := time.Now()
		err := (&lock{conn: conn, key: "key"}).wait(t.Context())
		if took := time.Since(began); took < time.Minute || took > time.Minute+poll {
			t.Errorf("it waited %v", took)
		}
		if err == nil || !strings.Contains(err.Error(), "another process has been migrating this database for 1m0s") {
			t.Errorf("err = %v; want one that says what it waited for, and how long", err)
		}
	})
}

// neverGranted is a connection to a server that somebody else keeps locked.
func neverGranted(t *testing.T) *pgx.Conn {
	t.Helper()
	config, err := pgx.ParseConfig("postgres://u@127.0.0.1/db?sslmode=disable&default_query_exec_mode=exec")
	if err != nil {
		t.Fatal(err)
	}
	config.DialFunc = func(context.Context, string, string) (net.Conn, error) {
		client, server := net.Pipe()
		go deny(server)
		return client, nil
	}
	conn, err := pgx.ConnectConfig(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = conn.Close(context.Background())
		<-conn.PgConn().CleanupDone() // a query that ran out of time is closed in the background
		synctest.Wait()
	})
	return conn
}

// deny answers every question with false.
func deny(server net.Conn) {
	defer func() { _ = server.Close() }()
	to := pgproto3.NewBackend(server, server)
	if first, err := to.ReceiveStartupMessage(); err != nil {
		return
	} else if _, ok := first.(*pgproto3.CancelRequest); ok {
		return
	}
	to.Send(&pgproto3.AuthenticationOk{})
	to.Send(&pgproto3.BackendKeyData{ProcessID: 1, SecretKey: []byte{0, 0, 0, 1}})
	to.Send(&pgproto3.ReadyForQuery{TxStatus: 'I'})
	for to.Flush() == nil {
		for {
			msg, err := to.Receive()
			if err != nil {
				return
			}
			if _, ok := msg.(*pgproto3.Sync); ok {
				break
			}
		}
		const boolean = 16
		to.Send(&pgproto3.ParseComplete{})
		to.Send(&pgproto3.BindComplete{})
		to.Send(&pgproto3.RowDescription{Fields: []pgproto3.FieldDescription{{Name: []byte("granted"), DataTypeOID: boolean, DataTypeSize: 1, TypeModifier: -1}}})
		to.Send(&pgproto3.DataRow{Values: [][]byte{[]byte("f")}})
		to.Send(&pgproto3.CommandComplete{CommandTag: []byte("SELECT 1")})
		to.Send(&pgproto3.ReadyForQuery{TxStatus: 'I'})
	}
}
