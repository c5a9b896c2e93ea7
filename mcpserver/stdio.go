package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/tenant"
)

// ServeStdio serves one client over newline-delimited JSON, every call as the given, already verified
// principal. It returns nil when in ends and the calls in flight are answered, and the context's error
// when that ends first, two seconds later at most. Nothing but protocol is written to out, and nothing after
// the return but what out has not taken by then. A call may name one of several tenants in _meta.
func (s *Server) ServeStdio(ctx context.Context, p *auth.Principal, in io.Reader, out io.Writer) error {
	if p == nil {
		return errors.New("mcpserver: stdio needs a principal")
	}
	l := &lines{
		server: s, principal: p, out: out, incoming: make(chan frame), closed: make(chan struct{}),
		pending: map[jsonrpc.ID]*message{}, idle: make(chan struct{}, 1), rosters: map[tenant.ID]*roster{},
	}
	session, err := s.sdk.Connect(ctx, l, nil)
	if err != nil {
		return fmt.Errorf("mcpserver: %w", err)
	}
	defer l.left.Store(true)
	go l.scan(in)
	stop := context.AfterFunc(ctx, func() { _ = l.Close() })
	defer stop()
	ended := make(chan error, 1)
	go func() { ended <- session.Wait() }()
	select {
	case err = <-ended:
	case <-ctx.Done():
		select {
		case err = <-ended:
		case <-time.After(leaving):
		}
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// leaving is how long the calls in flight may take to notice that they are cancelled, and their client to read
// what they say.
const leaving = 2 * time.Second

// lines is the SDK's connection over a pair of streams. Each line passes the same checks as an HTTP body,
// and ids are the client's own outside and numbers of ours inside.
type lines struct {
	server    *Server
	principal *auth.Principal
	incoming  chan frame

	write sync.Mutex
	out   io.Writer

	mu      sync.Mutex
	last    int
	pending map[jsonrpc.ID]*message // the calls in flight, by their ids inside
	idle    chan struct{}           // told when none is

	asks requests

	revision string                // of the session, once there is one
	rosters  map[tenant.ID]*roster // of the last list for each tenant, unless it is known to be old
	lists    int                   // how many were begun

	left atomic.Bool // ServeStdio has returned

	once   sync.Once
	closed chan struct{}
}

// Connect returns l itself.
func (l *lines) Connect(context.Context) (mcp.Connection, error) { return l, nil }

// Read returns the next message that is well-formed and for the server. Faults are answered here.
func (l *lines) Read(context.Context) (jsonrpc.Message, error) {
	for {
		select {
		case <-l.closed:
			return nil, context.Canceled
		case f := <-l.incoming:
			if f.err != nil {
				return nil, l.drain(f.err)
			}
			if msg := l.accept(f); msg != nil {
				return msg, nil
			}
		}
	}
}

// drain waits for the calls in flight: the SDK cancels them when reading ends, but a client that pipes
// its requests in still wants the answers.
func (l *lines) drain(err error) error {
	l.asks.end()
	for {
		l.mu.Lock()
		done := len(l.pending) == 0
		l.mu.Unlock()
		if done {
			return err
		}
		select {
		case <-l.idle:
		case <-l.closed:
			return context.Canceled
		}
	}
}

// accept turns a line into a message for the SDK, or answers it and returns nil.
func (l *lines) accept(f frame) jsonrpc.Message {
	if f.tooLong {
		l.refuse(requestFault("a line is larger than "+strconv.Itoa(maxFrame)+" bytes: send a smaller request"), nil)
		return nil
	}
	if len(trim(f.line)) == 0 {
		return nil
	}
	m, fault := parse(f.line)
	switch {
	case fault != nil:
		l.refuse(fault, m.id)
		return nil
	case m.reply:
		l.asks.deliver(m)
		return nil
	}
	method, params := m.inside()
	extra := extraOf(l.principal, selection{meta: find(m.meta, metaTenant)}, m)
	extra.TokenInfo.Extra[extraLines] = l
	req := &jsonrpc.Request{Method: method, Params: params, Extra: extra}
	if m.method == methodCancelled {
		req.Params = l.cancelled(m.params)
	}
	if m.call() {
		req.ID = l.remember(m)
	}
	return req
}

func (l *lines) remember(m *message) jsonrpc.ID {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.last++
	inside, _ := jsonrpc.MakeID(float64(l.last)) // a number is an id
	l.pending[inside] = m
	return inside
}

// cancelled names the call to cancel by the id it has inside, or nothing.
func (l *lines) cancelled(params []byte) []byte {
	var wanted string
	for name, value := range members(params) {
		if name == "requestId" {
			wanted = string(value)
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for inside, m := range l.pending {
		if wanted != "" && string(m.id) == wanted {
			return fmt.Appendf(nil, `{"requestId":%v}`, inside.Raw())
		}
	}
	return []byte(`{"requestId":0}`) // ids inside begin with 1
}

// Write sends a message to the client.
func (l *lines) Write(_ context.Context, msg jsonrpc.Message) error {
	response, ok := msg.(*jsonrpc.Response)
	if !ok {
		data, err := jsonrpc.EncodeMessage(msg)
		if err != nil {
			return err
		}
		return l.answer(data)
	}
	l.mu.Lock()
	m, ok := l.pending[response.ID]
	l.mu.Unlock()
	if !ok {
		return nil
	}
	var data []byte
	if response.Error != nil {
		data = l.server.faultOf(m, response.Error).append(nil, m.id)
	} else {
		data = appendResult(nil, m.id, response.Result)
	}
	err := l.answer(data)
	l.forget(response.ID)
	return err
}

func (l *lines) forget(id jsonrpc.ID) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.pending, id)
	if len(l.pending) == 0 {
		select {
		case l.idle <- struct{}{}:
		default:
		}
	}
}

// refuse answers a line that is no message. When that cannot be written, the SDK learns of it with the
// next answer.
func (l *lines) refuse(f *fault, id []byte) { _ = l.answer(f.append(nil, id)) }

func (l *lines) answer(data []byte) error { return l.answerUnless(nil, data) }

// answerUnless writes a line unless something has ended by then: what ends it writes its own line later.
func (l *lines) answerUnless(ended func() bool, data []byte) error {
	l.write.Lock()
	defer l.write.Unlock()
	if ended != nil && ended() {
		return errCallEnded
	}
	if l.left.Load() {
		return errors.New("mcpserver: the stream is no longer served")
	}
	_, err := l.out.Write(append(data, '\n'))
	return err
}

// Close ends reading, which cancels the calls in flight.
func (l *lines) Close() error {
	l.once.Do(func() {
		close(l.closed)
		l.asks.end()
	})
	return nil
}

// SessionID returns "": a stream is its own session.
func (l *lines) SessionID() string { return "" }
