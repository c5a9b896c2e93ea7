package bench

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/mcpserver"
)

// web is the MCP server on a loopback address, and a client for each worker that does as little as possible: its
// requests are made beforehand, and answers are thrown away.
type web struct {
	server   *http.Server
	clients  chan *client
	requests [][]byte // one for each small tenant
}

// client is one kept connection.
type client struct {
	conn net.Conn
	in   *bufio.Reader
}

func (b *bench) web(ctx context.Context) (w *web, err error) {
	handler, err := mcpserver.Handler(b.exec, auth.VerifierFunc(b.verify), &mcpserver.Options{
		Logger: slog.New(slog.DiscardHandler), Events: func(context.Context, mcpserver.Event) {},
	})
	if err != nil {
		return nil, err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	w = &web{server: &http.Server{Handler: handler, ReadHeaderTimeout: time.Minute}, clients: make(chan *client, b.opts.Workers)}
	go func() { _ = w.server.Serve(listener) }() // it ends by Close
	for i := range b.small {
		w.requests = append(w.requests, request(listener.Addr().String(), i))
	}
	for range b.opts.Workers {
		conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", listener.Addr().String())
		if err != nil {
			w.close()
			return nil, err
		}
		w.clients <- &client{conn, bufio.NewReaderSize(conn, 64<<10)}
	}
	return w, nil
}

// verify takes the index of a small tenant for its token.
func (b *bench) verify(_ context.Context, token string, _ *http.Request) (*auth.Principal, error) {
	i, err := strconv.Atoi(token)
	if err != nil || i < 0 || i >= len(b.small) {
		return nil, auth.ErrInvalid
	}
	return b.small[i], nil
}

// request is the list of the other ways as a POST.
func request(host string, tenant int) []byte {
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":`+
		`{"resource":"widgets","sort":["created_at"],"limit":%d}}}`, pageRows)
	return fmt.Appendf(nil, "POST /mcp HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %d\r\nContent-Type: application/json\r\n"+
		"Accept: application/json, text/event-stream\r\nContent-Length: %d\r\n\r\n%s", host, tenant, len(body), body)
}

// call sends the request of a random tenant over a free connection.
func (w *web) call(_ context.Context, r *rand.Rand) error {
	c := <-w.clients
	defer func() { w.clients <- c }()
	if _, err := c.conn.Write(w.requests[r.IntN(len(w.requests))]); err != nil {
		return err
	}
	return c.answer()
}

// answer reads one answer as far as to know where it ends.
func (c *client) answer() error {
	status, err := c.in.ReadString('\n')
	if err != nil {
		return err
	}
	length := -1
	for {
		line, err := c.in.ReadSlice('\n')
		if err != nil {
			return err
		}
		name, value, more := strings.Cut(string(line), ":")
		if !more {
			break
		}
		if strings.EqualFold(name, "Content-Length") {
			if length, err = strconv.Atoi(strings.TrimSpace(value)); err != nil {
				return err
			}
		}
	}
	if length < 0 || !strings.Contains(status, " 200 ") {
		return errors.New("bench: the MCP server answered " + strings.TrimSpace(status))
	}
	_, err = c.in.Discard(length)
	return err
}

func (w *web) close() {
	close(w.clients)
	for c := range w.clients {
		_ = c.conn.Close() // nothing of it is needed any more
	}
	_ = w.server.Close()
}
