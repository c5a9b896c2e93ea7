package isolation_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/isolationtest"
	"github.com/tenantry/tenantry/mcpserver"
	"github.com/tenantry/tenantry/registry"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/tenant"
)

// subject is a served world.
type subject struct {
	*world
	*report
	exec   *executors.Executor
	reg    *registry.Registry
	oracle *isolationtest.Oracle
	watch  *watch
	tokens map[holder]*auth.Principal
}

// holder is who has a token.
type holder struct {
	tenant int
	token  token
}

var cursorKey = []byte("a key of which all of the test's executors know")

// patience is what statements get: the machine may be busy with other tests.
const patience = 30 * time.Second

// open serves the kinds named, or all of them, from a database that has the world's rows.
func open(t *testing.T, w *world, db executors.DB, rep *report, kinds ...string) *subject {
	t.Helper()
	t.Cleanup(db.Close)
	var specs []resource.Spec
	for _, name := range w.order {
		if len(kinds) == 0 || slices.Contains(kinds, name) {
			specs = append(specs, pruned(w.kinds[name].spec, kinds))
		}
	}
	reg, err := registry.New(nil, specs...)
	if err != nil {
		t.Fatal(err)
	}
	s := &subject{world: w, report: rep, reg: reg, oracle: isolationtest.NewOracle(reg), tokens: map[holder]*auth.Principal{}}
	s.watch = &watch{DB: db, postgres: !w.sqlite, found: rep.leak}
	logger := slog.New(slog.NewTextHandler(rep, &slog.HandlerOptions{Level: slog.LevelError}))
	s.exec, err = executors.New(t.Context(), s.watch, reg, &executors.Options{
		Logger: logger, CursorKeys: [][]byte{cursorKey}, StatementTimeout: patience, CountTimeout: patience,
	})
	if err != nil {
		t.Fatal(err)
	}
	for n := 1; n <= w.tenants; n++ {
		for _, k := range []token{full, low, both} {
			if s.tokens[holder{n, k}], err = auth.NewPrincipal(w.grant(n, k)); err != nil {
				t.Fatal(err)
			}
		}
	}
	return s
}

// pruned is a resource without the relations that lead elsewhere.
func pruned(spec resource.Spec, kinds []string) resource.Spec {
	if len(kinds) > 0 {
		spec.Relations = slices.DeleteFunc(slices.Clone(spec.Relations), func(r resource.Relation) bool { return !slices.Contains(kinds, r.Target) })
	}
	return spec
}

// grant is what a token of a tenant grants. Those for two tenants have one subject, so that nothing but the
// tenant tells their calls apart.
func (w *world) grant(n int, k token) auth.Grant {
	g := auth.Grant{Subject: fmt.Sprintf("user-%d", n), Tenants: []tenant.ID{w.id(n)}}
	if k != low {
		g.Scopes = []string{"staff:read", "secrets:read"}
	}
	if k == both {
		g.Subject = "both"
		g.Tenants = append(g.Tenants, w.id(n%w.tenants+1))
	}
	return g
}

// principal is the caller of a call. Of a token for two tenants the first is chosen.
func (s *subject) principal(c *call) *auth.Principal {
	p := s.tokens[holder{c.tenant, c.token}]
	if c.token == both {
		var err error
		if p, err = p.Activate(s.id(c.tenant).Key()); err != nil {
			panic(err)
		}
	}
	return p
}

// run runs a call and holds its answer against what must be.
func (s *subject) run(ctx context.Context, c *call) []byte {
	s.calls.Add(1)
	body, failed := c.on(expecting(ctx, s.id(c.tenant).Key()), s.exec, s.principal(c))
	s.judge(c, body, failed)
	return body
}

// loud is what no answer says.
var loud = regexp.MustCompile(`SELECT |SQLSTATE|tenantry:w|\bw_[a-z]+|tenant_id|division by zero|invalid input syntax|pgconn|goroutine |127\.0\.0\.1`)

// judge applies the oracles that look at one answer.
func (s *subject) judge(c *call, body []byte, failed bool) {
	sent := encoded(c.arguments())
	if mark := s.oracle.Foreign(body, sent, isolationtest.MarkOf(c.tenant)); mark != "" {
		s.leak("O1: %s in the answer of %v", mark, c)
	}
	if word := loud.Find([]byte(same(body))); word != nil && !bytes.Contains(sent, word) {
		s.leak("O1: an answer says %q: %v", word, c)
	}
	got := code(body)
	switch {
	case failed && busy(body):
	case c.cancel > 0 && failed && (got == resource.Timeout || got == resource.Unavailable):
	case c.fails && failed && got == resource.CodeInternal:
	case failed && (got == resource.CodeInternal || got == resource.Unavailable || got == "none"):
		s.bad("%v: %s", c, body)
	case c.modelled && !c.fails:
		s.model(c, body, failed)
	}
}

// model applies the oracle that knows the answer.
func (s *subject) model(c *call, body []byte, failed bool) {
	if failed {
		s.bad("O2: %v: %s", c, body)
		return
	}
	if wrong := s.differs(c, body); wrong != "" {
		s.bad("O2: %v: %s", c, wrong)
	}
}

var cursorText = regexp.MustCompile(`"next_cursor":"[\w-]+"`)

// same is an answer without what is sealed anew each time.
func same(body []byte) string { return string(cursorText.ReplaceAll(body, nil)) }

// pair runs a call on both of two worlds that differ in what is not the caller's.
func (s *subject) pair(ctx context.Context, other *subject, c *call) {
	s.pairs.Add(1)
	one, two := same(s.run(ctx, c)), same(other.quietly(ctx, c))
	if one != two {
		s.leak("O3: the rows of others change the answer of %v:\n  %s\n  %s", c, one, two)
	}
}

// quietly runs a call without judging it.
func (s *subject) quietly(ctx context.Context, c *call) []byte {
	body, _ := c.on(expecting(ctx, s.id(c.tenant).Key()), s.exec, s.principal(c))
	return body
}

// alike runs two calls whose answers may differ in the caller's own words alone.
func (s *subject) alike(ctx context.Context, a, b *call, words ...string) {
	s.pairs.Add(1)
	one, two := same(s.quietly(ctx, a)), same(s.quietly(ctx, b))
	for _, w := range words {
		one, two = strings.ReplaceAll(one, w, "…"), strings.ReplaceAll(two, w, "…")
	}
	if one != two {
		s.leak("O4: %v and %v are told apart:\n  %s\n  %s", a, b, one, two)
	}
}

// handler is the world over HTTP.
func (s *subject) handler(t *testing.T) http.Handler {
	t.Helper()
	grants := map[string]auth.Grant{}
	for n := 1; n <= s.tenants; n++ {
		for _, k := range []token{full, low, both} {
			grants[s.bearer(n, k)] = s.grant(n, k)
		}
	}
	v, err := auth.NewStatic(grants)
	if err != nil {
		t.Fatal(err)
	}
	h, err := mcpserver.Handler(s.exec, v, &mcpserver.Options{
		Logger: slog.New(slog.NewTextHandler(io.Discard, nil)), Events: func(context.Context, mcpserver.Event) {},
	})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func (s *subject) bearer(n int, k token) string { return fmt.Sprintf("token-%d-%s", n, k) }
