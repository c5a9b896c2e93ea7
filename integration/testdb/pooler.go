package testdb

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// EnvPooler holds host and port of a pooler before the server. The reading role then connects through it, in the
// way that a pooler without prepared statements needs.
const EnvPooler = "TENANTRY_TEST_POOLER"

// PoolerSize is how many connections to one database it keeps.
const PoolerSize = 8

// Pooler is a PgBouncer before a server.
type Pooler struct {
	// Address is its host and port.
	Address string

	stop func()
}

// Stop ends it.
func (p *Pooler) Stop() { p.stop() }

// StartPooler starts PgBouncer before a server, in one of its pool modes: transaction or statement. The caller
// stops it.
func StartPooler(ctx context.Context, server, mode string) (*Pooler, error) {
	program, err := exec.LookPath("pgbouncer")
	if err != nil {
		return nil, errors.New("testdb: there is no pgbouncer: on Debian, apt-get install pgbouncer")
	}
	u, err := url.Parse(server)
	if err != nil {
		return nil, err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	port := l.Addr().(*net.TCPAddr).Port
	if err := l.Close(); err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "tenantry-pooler-*")
	if err != nil {
		return nil, err
	}
	if err := configure(dir, u, port, mode); err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	// The script ends the program when its standard input closes, as it is when we are gone.
	run, err := start(dir, []string{"sh", "-c", program + ` pooler.ini & trap "kill $!" EXIT; cat >/dev/null`})
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	p := &Pooler{Address: fmt.Sprintf("127.0.0.1:%d", port), stop: func() { run.stop(); _ = os.RemoveAll(dir) }}
	if err := p.wait(ctx); err != nil {
		said := run.log()
		p.stop()
		return nil, fmt.Errorf("testdb: pgbouncer does not answer: %w\n%s", err, said)
	}
	return p, nil
}

// configure writes the files of a pooler that lets everybody in and knows the server's administrator and reader.
func configure(dir string, u *url.URL, port int, mode string) error {
	password, _ := u.User.Password()
	host, serverPort, err := net.SplitHostPort(u.Host)
	if err != nil {
		return err
	}
	s := &Server{URL: u.String()}
	ini := fmt.Sprintf(`[databases]
* = host=%s port=%s
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = %d
unix_socket_dir =
auth_type = plain
auth_file = users.txt
pool_mode = %s
default_pool_size = %d
max_client_conn = 2000
server_idle_timeout = 5
ignore_startup_parameters = extra_float_digits,application_name
`, host, serverPort, port, mode, PoolerSize)
	users := fmt.Sprintf("%q %q\n%q %q\n", u.User.Username(), password, reader, s.readerPassword())
	if err := os.Chmod(dir, 0o755); err != nil {
		return err
	}
	return errors.Join(
		os.WriteFile(filepath.Join(dir, "pooler.ini"), []byte(ini), 0o644),
		os.WriteFile(filepath.Join(dir, "users.txt"), []byte(users), 0o644),
	)
}

func (p *Pooler) wait(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	var d net.Dialer
	for {
		conn, err := d.DialContext(ctx, "tcp", p.Address)
		if err == nil {
			return conn.Close()
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// Through is an address as it is reached through a pooler.
func (p *Pooler) Through(address string) string { return through(address, p.Address) }

func through(address, pooler string) string {
	u, err := url.Parse(address)
	if err != nil {
		panic(err) // it has been connected to
	}
	u.Host, u.RawQuery = pooler, "sslmode=disable&default_query_exec_mode=exec"
	return u.String()
}
