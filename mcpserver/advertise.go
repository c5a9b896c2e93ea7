package mcpserver

import (
	"context"
	"errors"
	"log/slog"
	"strconv"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/schema"
)

// hostEntry is the text of one tool in tools/list, around its schemas. Those depend on the caller.
type hostEntry struct {
	head, input, middle, tail []byte
	output                    bool // whether the output schema is told
}

func (h *hostTool) annotations() *mcp.ToolAnnotations {
	destructive, open := !h.spec.ReadOnly && !h.spec.NonDestructive, !h.spec.ClosedWorld
	return &mcp.ToolAnnotations{
		Title: h.spec.Title, ReadOnlyHint: h.spec.ReadOnly, DestructiveHint: &destructive,
		IdempotentHint: h.spec.Idempotent, OpenWorldHint: &open,
	}
}

func (h *hostTool) entryOf(content Content) hostEntry {
	e := hostEntry{output: content != ContentText}
	e.head = append([]byte(`{"annotations":`), encode(h.annotations())...)
	if h.spec.Describe == nil {
		e.head = appendDescription(e.head, h.spec.Description)
	}
	e.input = []byte(`,"inputSchema":`)
	e.middle = appendText([]byte(`,"name":`), h.tool.name)
	if e.output {
		e.middle = append(e.middle, `,"outputSchema":`...)
	}
	e.tail = append(appendText([]byte(`,"title":`), h.spec.Title), '}')
	return e
}

func appendDescription(dst []byte, text string) []byte {
	if text == "" {
		return dst
	}
	return appendText(append(dst, `,"description":`...), text)
}

// description is what one caller is told of the tool: nothing, if the host's code crashes over it.
func (h *hostTool) description(d schema.Decision) (text string) {
	if h.spec.Describe == nil {
		return h.spec.Description
	}
	defer func() {
		if recover() != nil {
			text = ""
		}
	}()
	return h.spec.Describe(d.Allows)
}

// warn tells the operator of texts that name what some of their readers may not see.
func (h *hostTool) warn(log *slog.Logger) {
	if h.spec.Description == "" && h.spec.Describe == nil {
		log.Warn("a tool has no description: agents cannot tell what it is for", slog.String("tool", h.tool.plain))
	}
	for _, p := range []*schema.Plan{h.in, h.out} {
		said := p.Warnings()
		for _, name := range p.Mentions(h.spec.Title + "\n" + h.spec.Description) {
			said = append(said, "its title or description names "+name+", which is behind a gate: see ToolSpec.Describe")
		}
		for _, text := range said {
			log.Warn("a tool may tell of what is hidden, or fail over it", slog.String("tool", h.tool.plain), slog.String("text", text))
		}
	}
}

// append appends a tool as one caller sees it. The error is of defaults that could not be had and are left
// out.
func (h *hostTool) append(ctx context.Context, dst []byte, o offer, p *auth.Principal) ([]byte, error) {
	e, v := &h.entry, o.seen
	dst = append(dst, e.head...)
	if h.spec.Describe != nil {
		dst = appendDescription(dst, h.description(o.decision))
	}
	dst, err := v.in.AppendJSON(append(dst, e.input...), ctx, schema.Strict, h.defaults(p))
	dst = append(dst, e.middle...)
	if e.output {
		dst, _ = v.out.AppendJSON(dst, ctx, schema.Strict, nil) // has no defaults
	}
	return append(dst, e.tail...), err
}

// offer is a tool of one caller's list: one of ours, or one of the host's with what the caller sees of it.
type offer struct {
	name string
	ours int // of the framework's tools
	host *hostTool
	seen views

	decision schema.Decision
}

// offers are the tools of one caller, by name.
func (s *Server) offers(d schema.Decision) []offer {
	out := make([]offer, 0, len(s.tools)+len(s.hosts.tools))
	ours := 0
	for _, h := range s.hosts.tools {
		for ; ours < len(s.tools) && s.tools[ours].name < h.tool.name; ours++ {
			out = append(out, offer{name: s.tools[ours].name, ours: ours})
		}
		if v, ok := h.seen(d); ok {
			out = append(out, offer{name: h.tool.name, host: h, seen: v, decision: d})
		}
	}
	for ; ours < len(s.tools); ours++ {
		out = append(out, offer{name: s.tools[ours].name, ours: ours})
	}
	return out
}

// decideList asks all gates. A list is no call, and an event only if a predicate failed over it.
func (s *Server) decideList(ctx context.Context, p *auth.Principal) schema.Decision {
	start, e := time.Now(), Event{Tool: methodTools, Outcome: OutcomeOK}
	d := s.decide(ctx, p, schema.Decision{}, s.hosts.gates, &e)
	if e.GateFailures > 0 {
		e.Caller, e.Duration = callerOf(p), time.Since(start)
		s.opts.Events(ctx, e)
	}
	return d
}

// A listed page is what tools/list answers.
type listedPage struct {
	caller *auth.Principal
	all    []offer // of all pages
	first  bool
	offers []offer
	next   string // the cursor; "" on the last page
}

// page decides what the caller sees, once, and takes the page that the cursor names. A cursor is a position
// among what the caller itself may see.
func (s *Server) page(ctx context.Context, q *query) (*listedPage, *fault) {
	p, err := s.judged(q.principal, q.selection)
	if refusal, ok := errors.AsType[*resource.Error](err); ok && p != nil {
		return nil, q.fault(refusal)
	}
	params, _ := strictMembers(q.message.params, maxParams)
	raw := find(params, "cursor")
	cursor, ok := textOf(raw)
	if !ok && kindOf(raw) != kindAbsent && kindOf(raw) != kindNull {
		return nil, badCursor()
	}
	all := s.offers(s.decideList(ctx, p))
	if ctx.Err() != nil {
		return nil, q.fault(errCanceled)
	}
	from, ok := position(cursor, len(all))
	if !ok {
		return nil, badCursor()
	}
	out := &listedPage{caller: p, all: all, first: from == 0, offers: all[from:min(from+maxListed, len(all))]}
	if next := from + maxListed; next < len(all) {
		out.next = strconv.Itoa(next)
	}
	return out, nil
}

// listTools appends the JSON-RPC response to tools/list, member by member as the SDK writes it.
func (s *Server) listTools(ctx context.Context, dst []byte, q *query) (body []byte, f *fault) {
	defer func() {
		if v := recover(); v != nil {
			body, f = nil, s.crashed(ctx, v)
		}
	}()
	page, f := s.page(ctx, q)
	if f != nil {
		return nil, f
	}
	dst = append(appendID(dst, q.message.id), `"result":{`...)
	if q.modern() {
		dst = append(append(dst, `"resultType":"complete",`...), s.about...)
	}
	dst = append(dst, `"ttlMs":0,"cacheScope":"private",`...)
	if page.next != "" {
		dst = append(append(append(dst, `"nextCursor":"`...), page.next...), `",`...)
	}
	dst = append(dst, `"tools":[`...)
	for i, o := range page.offers {
		dst = s.appendOffer(ctx, separated(dst, i), o, page.caller)
	}
	return append(dst, "]}}"...), nil
}

// appendOffer appends a tool.
func (s *Server) appendOffer(ctx context.Context, dst []byte, o offer, p *auth.Principal) []byte {
	if o.host == nil {
		return append(dst, s.entries[o.ours]...)
	}
	dst, err := o.host.append(ctx, dst, o, p)
	if err != nil && !canceled(ctx, err) {
		s.opts.Logger.LogAttrs(ctx, slog.LevelError, "a default is left out", slog.String("tool", o.host.tool.plain), slog.String("cause", err.Error()))
	}
	return dst
}

// newEntries are the texts of the framework's tools in tools/list.
func (s *Server) newEntries() [][]byte {
	out := make([][]byte, len(s.tools))
	for i, t := range s.tools {
		out[i] = encode(s.declared(t))
	}
	return out
}
