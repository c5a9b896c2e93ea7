package mcpserver

import (
	"context"
	"log/slog"
	"math"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/schema"
)

// Call is one call of a host's tool, as its handler sees it. It is safe for concurrent use, and of no use
// once the handler has returned: nobody is its principal then, and nothing is allowed, read or sent.
type Call struct {
	server    *Server
	call      call
	principal *auth.Principal
	decision  schema.Decision
	alive     context.Context // ends with the call, whatever context the handler uses

	asking   chan struct{} // one question at a time
	progress sync.Mutex    // one notification at a time

	mu       sync.Mutex
	ended    bool
	reported float64 // the last progress, if any
	reports  bool
	database time.Duration // of its reads
	rows     int           // that they gave
	asks     *asking
}

// Principal returns the caller, with the active tenant unless the tool runs without one.
func (c *Call) Principal() *auth.Principal {
	if c.over() {
		return nil
	}
	return c.principal
}

// Allows reports whether the caller passes a gate. The answer is the one by which it was shown the tool and
// its arguments were decoded; gates that stand nowhere in the tool are denied, and logged.
func (c *Call) Allows(g schema.Gate) bool {
	if c.over() {
		return false
	}
	if h := c.call.tool.host; h != nil && !slices.Contains(h.gates, g) {
		c.server.opts.Logger.Error("a handler asks for a gate that stands nowhere in its tool: denied",
			slog.String("tool", h.tool.plain), slog.String("gate", g.String()))
		return false
	}
	return c.decision.Allows(g)
}

// Reader returns the reads of the registered resources, for this caller alone.
func (c *Call) Reader() *Reader { return &Reader{call: c} }

// Progress tells the client how far the call is: done of total, or of an unknown total if that is not positive. It does
// nothing where the client did not ask to be told or cannot be, and when done is not more than it was.
func (c *Call) Progress(ctx context.Context, done, total float64, message string) {
	client := &c.call.client
	token := client.progressToken()
	if token == nil || !client.notifies() || ctx.Err() != nil || math.IsNaN(done) || math.IsInf(done, 0) {
		return
	}
	c.progress.Lock() // a client that does not read holds up its own progress, and nothing else of the call
	defer c.progress.Unlock()
	if !c.further(done) {
		return
	}
	dst := append([]byte(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":`), token...)
	dst = appendNumber(append(dst, `,"progress":`...), done)
	if total > 0 && !math.IsInf(total, 0) {
		dst = appendNumber(append(dst, `,"total":`...), total)
	}
	if message != "" {
		dst = appendText(append(dst, `,"message":`...), message)
	}
	client.notify(append(dst, "}}"...))
}

// further reports whether the call is still going on and further than it was.
func (c *Call) further(done float64) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended || c.reports && done <= c.reported {
		return false
	}
	c.reported, c.reports = done, true
	return true
}

func appendNumber(dst []byte, f float64) []byte {
	if math.Abs(f) < 1e15 {
		return strconv.AppendFloat(dst, f, 'f', -1, 64)
	}
	return strconv.AppendFloat(dst, f, 'g', -1, 64)
}

func (c *Call) over() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.ended
}

// end lets nothing more be said of the call. What is being said is said before the answer.
func (c *Call) end() {
	c.mu.Lock()
	c.ended = true
	c.mu.Unlock()
	c.progress.Lock()
	defer c.progress.Unlock()
}

func (c *Call) spend(a *executors.Answer) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.database += a.Database
	c.rows += a.Rows
}

func (c *Call) spent() (rows int, database time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.rows, c.database
}

func (c *Call) asksFor(asks *asking) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asks = asks
}

// asked is the question that the call has to end with, or nil.
func (c *Call) asked() *asking {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.asks
}
