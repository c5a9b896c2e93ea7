package mcpserver

import (
	"context"
	"errors"
	"strconv"
	"sync"
)

// requests are what the server asks its client over stdio. Their ids are strings of ours, which no call of
// the client shares: each side counts its own.
type requests struct {
	mu    sync.Mutex
	last  int
	open  map[string]chan *message
	ended bool
}

var (
	errClientGone    = errors.New("the client closed its end before it answered")
	errCallEnded     = errors.New("the call is over")
	errClientRefused = errors.New("the client answered with an error")
)

// request asks the client and waits for its result, for as long as the context and the stream last. It asks
// nothing once ended says so, if there is such a function.
func (l *lines) request(ctx context.Context, method string, params []byte, ended func() bool) ([]byte, error) {
	id, answer := l.asks.begin()
	if answer == nil {
		return nil, errClientGone
	}
	defer l.asks.forget(id)
	body := append(append([]byte(`{"jsonrpc":"2.0","id":`), id...), `,"method":`...)
	body = append(append(appendText(body, method), `,"params":`...), params...)
	if err := l.answerUnless(ended, append(body, '}')); err != nil {
		return nil, err
	}
	select {
	case m, ok := <-answer:
		switch {
		case !ok:
			return nil, errClientGone
		case m.result == nil:
			return nil, errClientRefused
		}
		return m.result, nil
	case <-ctx.Done():
		_ = l.answer([]byte(`{"jsonrpc":"2.0","method":"` + methodCancelled + `","params":{"requestId":` + id + `}}`))
		return nil, ctx.Err()
	}
}

// begin returns the id of a new request as JSON, and where its answer comes; nil when none can come.
func (r *requests) begin() (string, chan *message) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended {
		return "", nil
	}
	if r.open == nil {
		r.open = map[string]chan *message{}
	}
	r.last++
	id := strconv.Quote("ask-" + strconv.Itoa(r.last))
	r.open[id] = make(chan *message, 1)
	return id, r.open[id]
}

func (r *requests) forget(id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.open, id)
}

// deliver hands a reply to whoever waits for it. One that nobody waits for is dropped.
func (r *requests) deliver(m *message) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if text, ok := textOf(m.id); ok {
		id := strconv.Quote(text)
		if answer := r.open[id]; answer != nil {
			answer <- m
			delete(r.open, id)
		}
	}
}

// end lets all who wait know that no reply comes any more.
func (r *requests) end() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ended = true
	for id, answer := range r.open {
		close(answer)
		delete(r.open, id)
	}
}
