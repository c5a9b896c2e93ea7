package mcpserver

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"log/slog"
	"slices"
	"strings"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/schema"
)

// hosts are the tools of the host in one server. It is immutable.
type hosts struct {
	policy *Policy
	tools  []*hostTool // by name
	byName map[string]*hostTool
	gates  []schema.Gate // of all tools

	// seed chooses, for a name that is none, whose gates are asked first in the place of a hidden tool's own:
	// both then ask twice, and how long it takes is that of some tool.
	seed     maphash.Seed
	hideable []*hostTool // those that some callers do not see
}

// newHosts checks the tools of a set and seals its policy. The error lists every mistake. It is nil for a
// set without tools.
func newHosts(set *Toolset, o *Options) (*hosts, error) {
	if set == nil || len(set.tools) == 0 {
		return nil, nil
	}
	if set.used {
		return nil, errors.New("mcpserver: a Toolset serves one server: build another, with a policy of its own")
	}
	set.used = true
	ours, err := newTools(o.Prefix)
	if err != nil {
		return nil, err
	}
	taken := map[string]bool{}
	all := &hosts{policy: set.policy, byName: map[string]*hostTool{}, seed: maphash.MakeSeed()}
	var errs []error
	var plans []*schema.Plan
	for _, h := range set.tools {
		h = h.named(o.Prefix, o.Content)
		switch {
		case slices.ContainsFunc(ours, func(t *tool) bool { return t.name == h.tool.name }):
			h.mistake(errors.New("a tool of the framework has this name: choose another"))
		case taken[h.tool.name]:
			h.mistake(errors.New("there is another tool of this name"))
		}
		taken[h.tool.name] = true
		errs = append(errs, h.errs...)
		for _, p := range []*schema.Plan{h.in, h.out} {
			if p != nil {
				plans = append(plans, p)
			}
		}
		all.add(h)
	}
	errs = append(errs, sealed(set.policy, plans))
	slices.SortFunc(all.tools, func(a, b *hostTool) int { return cmp.Compare(a.tool.name, b.tool.name) })
	return all, errors.Join(errs...)
}

func sealed(p *Policy, plans []*schema.Plan) error {
	if err := p.Seal(plans...); err != nil {
		return fmt.Errorf("mcpserver: the policy of the tools: %w", err)
	}
	return nil
}

func (all *hosts) add(h *hostTool) {
	all.tools = append(all.tools, h)
	all.byName[h.tool.name] = h
	if len(h.errs) == 0 {
		if _, always := h.seen(schema.Decision{}); !always {
			all.hideable = append(all.hideable, h)
		}
	}
	for _, g := range h.gates {
		if !slices.Contains(all.gates, g) {
			all.gates = append(all.gates, g)
		}
	}
}

// decoy returns the gates that a call of an unknown name asks first: always the same for the same name.
func (all *hosts) decoy(name string) []schema.Gate {
	if len(all.hideable) == 0 {
		return nil
	}
	return all.hideable[maphash.String(all.seed, name)%uint64(len(all.hideable))].gates
}

// tool is the tool of a name, or what stands for a tool that is not there: it runs to the same end as one
// that its caller does not see.
func (all *hosts) tool(name string) *tool {
	if h := all.byName[name]; h != nil {
		return h.tool
	}
	return &tool{plain: other, name: name}
}

// hosted reports whether the tool is of the host, or none.
func (t *tool) hosted() bool { return t.run == nil }

// decide asks those of the gates that d has no answer for. What failed is logged, and denied. When the caller
// goes away in the middle, the decision is good for nothing.
func (s *Server) decide(ctx context.Context, p *auth.Principal, d schema.Decision, gates []schema.Gate, e *Event) schema.Decision {
	if p == nil {
		return schema.Decision{}
	}
	out := s.hosts.policy.Extend(ctx, p, d, gates)
	if ctx.Err() != nil {
		return out // what failed says nothing of the predicates, and nobody waits for it
	}
	failures := out.Failures()
	for _, f := range failures[min(len(d.Failures()), len(failures)):] {
		e.GateFailures++
		if e.Reference == "" {
			e.Reference = newReference()
		}
		s.opts.Logger.LogAttrs(ctx, slog.LevelError, "a predicate failed, and denied",
			slog.String("reference", e.Reference), slog.String("gate", f.Gate.Pred), slog.String("arg", f.Gate.Arg), slog.String("type", fmt.Sprintf("%T", f.Err)))
		s.opts.Logger.LogAttrs(ctx, slog.LevelDebug, "cause of a failed predicate", slog.String("reference", e.Reference), slog.Any("cause", f.Err))
	}
	return out
}

// judged is who the gates are asked about: the caller with the tenant that the call names, or nobody. The
// error is for a call that the caller then may not make after all.
func (s *Server) judged(p *auth.Principal, sel selection) (*auth.Principal, error) {
	if p == nil || expired(p) {
		return nil, errUnauthenticated
	}
	active, err := activate(p, sel, s.reader.TenantKind(), false)
	if err != nil {
		return p, err
	}
	return active, nil
}

// absent is the fault of a tool that is not there for this caller. It names the tools that are.
func (s *Server) absent(ctx context.Context, p *auth.Principal, d schema.Decision, name string, e *Event) error {
	d = s.decide(ctx, p, d, s.hosts.gates, e)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	names := s.names()
	for _, h := range s.hosts.tools {
		if _, ok := h.seen(d); ok {
			names = append(names, h.tool.name)
		}
	}
	slices.Sort(names)
	return carried(paramsFault(unknownTool(name, names)))
}

func unknownTool(name string, names []string) string {
	return "there is no tool " + resource.Echo(name) + ": use one of " + strings.Join(names, ", ")
}
