package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/schema"
)

// Policy decides which tools, fields, variants and values a caller may use. See NewPolicy.
type Policy = schema.Policy[*auth.Principal]

// NewPolicy returns a policy with the one predicate that every server has: requires(scope), which is
// auth.Decide and so the same decision as for resources and their fields. Further ones are registered by
// the host:
//
//	policy := mcpserver.NewPolicy()
//	err := policy.Register("tier", func(ctx context.Context, p *auth.Principal, arg string) (bool, error) {
//		return plans.Of(ctx, p.Tenant(), arg)
//	})
//
// A caller of several tenants who has named none has no active tenant when predicates are asked for what
// it may see.
func NewPolicy() *Policy {
	p := schema.NewPolicy[*auth.Principal]()
	err := p.Register("requires", func(_ context.Context, caller *auth.Principal, scope string) (bool, error) {
		return auth.Decide(caller, scope) == auth.Allow, nil
	})
	if err != nil {
		panic(err) // the name is a good one, and the first
	}
	return p
}

// ToolSpec describes a tool of the host. Its zero members are the safe default: the tool is announced as one
// that may change and destroy things, and needs an active tenant.
type ToolSpec struct {
	Name        string // without the prefix; required: letters, digits, _ and -
	Title       string // what people read; the name
	Description string // what the agent reads

	// Describe answers the description for one caller in place of Description, of what allows says: for texts
	// that would tell of what is behind a gate. It depends on nothing else.
	Describe func(allows func(schema.Gate) bool) string

	// Gate says who sees the tool, as a gate tag does: "requires(reports:run)&tier(pro)". To all others the
	// tool does not exist. Empty: every caller sees it. Usually it names the scopes of what the tool reads.
	Gate string

	ReadOnly       bool // it changes nothing
	NonDestructive bool // what it changes, it only adds
	Idempotent     bool // a second call with the same arguments changes nothing more
	ClosedWorld    bool // it deals with the host's own data alone

	// AnyTenant lets the tool run without an active tenant. Its Reader then refuses a caller of several.
	AnyTenant bool

	// Options are those of the plans of both input and output: unions, formats, lenience.
	Options []schema.Option

	// Forms are those that the handler asks with, so that New checks them. See FormOf.
	Forms []FormDef

	// Defaults answers the defaultFor keys of the input for one caller, whose tenant may not be active yet
	// when it is shown the tool. Nil: there are none.
	Defaults func(ctx context.Context, p *auth.Principal, key string) (value any, ok bool, err error)
}

// Toolset is the tools of a host, and the policy that says who sees what of them, for one server. Tools are added
// before the server is built; that is not safe for concurrent use.
type Toolset struct {
	policy *Policy
	tools  []*hostTool
	used   bool // by a server
}

// NewToolset returns an empty set. A nil policy is NewPolicy(). New seals the policy, so that it serves one
// server alone.
func NewToolset(policy *Policy) *Toolset {
	if policy == nil {
		policy = NewPolicy()
	}
	return &Toolset{policy: policy}
}

// AddTool adds a tool whose input and output are Go structs, by the tags of package schema: the caller's
// view of In is what it is told, what is decoded and what is validated, and of a result only its view of
// Out leaves. Out may be an interface with a registered union. What is told is the strict profile, which
// leaves bounds and lengths out, since hosts with a strict mode refuse them; they are enforced all the same.
//
// The handler runs for callers who see the tool, with decoded arguments, and returns a result or an error.
// A *resource.Error and resource.Errors of the codes that there are reach the agent as they are, those of a
// Reader included, and schema.Errors as mistakes in the arguments; of any other error the agent learns a
// reference alone. A panic ends one call.
//
// Mistakes in the tool are reported by New, all of them at once. AddTool panics after that.
func AddTool[In, Out any](tools *Toolset, spec ToolSpec, handler func(ctx context.Context, c *Call, in In) (Out, error)) {
	h := &hostTool{spec: spec}
	h.spec.Options = slices.Clone(spec.Options)
	gates, err := schema.ParseGates(spec.Gate)
	h.mistake(err)
	opts := append(slices.Clone(h.spec.Options), schema.ToolGates(gates...))
	h.guarded(func() error {
		h.in, err = schema.For[In](schema.Input, append(opts, schema.Named("input of "+spec.Name))...)
		return err
	})
	h.guarded(func() error {
		h.out, err = schema.For[Out](schema.Output, append(opts, schema.Named("output of "+spec.Name))...)
		return err
	})
	if h.in != nil && spec.Defaults == nil && len(h.in.DefaultKeys()) > 0 {
		h.mistake(fmt.Errorf("the input has defaultFor=%s, and there is no Defaults to answer it", h.in.DefaultKeys()[0]))
	}
	if tools.used {
		panic("mcpserver: AddTool of " + spec.Name + " comes after New: add every tool before")
	}
	for _, f := range spec.Forms {
		if f.build != nil {
			h.guarded(f.build)
		}
	}
	if handler == nil {
		h.mistake(errors.New("the tool needs a handler"))
	}
	h.run = func(ctx context.Context, c *Call, v views, arguments []byte, def schema.Defaults) (json.RawMessage, error) {
		var in In
		if err := v.in.Decode(ctx, arguments, &in, def); err != nil {
			return nil, err
		}
		out, err := handler(ctx, c, in)
		if err != nil {
			return nil, err
		}
		body, err := v.out.Project(out)
		if err != nil {
			return nil, resource.Internal(fmt.Errorf("the result of %s: %w", spec.Name, err))
		}
		return body, nil
	}
	tools.tools = append(tools.tools, h)
}

// hostTool is a tool of the host.
type hostTool struct {
	spec    ToolSpec
	in, out *schema.Plan
	run     func(ctx context.Context, c *Call, v views, arguments []byte, def schema.Defaults) (json.RawMessage, error)
	errs    []error

	gates []schema.Gate // of the whole and of both plans
	tool  *tool
	entry hostEntry
}

// views are what one caller sees of a tool.
type views struct{ in, out *schema.View }

// seen returns what a decision leaves of the tool, and false when the caller does not see it.
func (h *hostTool) seen(d schema.Decision) (v views, ok bool) {
	in, seen := h.in.View(d)
	out, returned := h.out.View(d)
	if !seen || !returned {
		return views{}, false
	}
	return views{in, out}, true
}

// guarded notes what is wrong with a type, also when a method of it crashes.
func (h *hostTool) guarded(build func() error) {
	defer func() {
		if v := recover(); v != nil {
			h.mistake(fmt.Errorf("a method of a type crashed: %v", v))
		}
	}()
	h.mistake(build())
}

func (h *hostTool) mistake(err error) {
	if several, ok := err.(interface{ Unwrap() []error }); ok {
		for _, err := range several.Unwrap() {
			h.mistake(err)
		}
		return
	}
	if err != nil {
		h.errs = append(h.errs, fmt.Errorf("mcpserver: tool %s: %w", h.spec.Name, err))
	}
}

// maxToolName is what every known client takes.
const maxToolName = 40

var toolName = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

// named returns the tool under a prefix. Its mistakes are those of the name.
func (h *hostTool) named(prefix string, content Content) *hostTool {
	out := *h
	out.errs = slices.Clone(h.errs)
	name := prefix + h.spec.Name
	if !toolName.MatchString(h.spec.Name) || len(name) > maxToolName || h.spec.Name == other {
		out.mistake(fmt.Errorf("the name %q must be letters, digits, _ and -, at most %d with the prefix", name, maxToolName))
	}
	setDefault(&out.spec.Title, h.spec.Name)
	out.tool = &tool{plain: h.spec.Name, name: name, tenant: !h.spec.AnyTenant, host: &out}
	if len(out.errs) > 0 {
		return &out
	}
	out.gates = slices.Clone(h.in.Gates())
	for _, g := range h.out.Gates() {
		if !slices.Contains(out.gates, g) {
			out.gates = append(out.gates, g)
		}
	}
	out.entry = out.entryOf(content)
	return &out
}
