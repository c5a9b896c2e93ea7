// Package isolationtest drives a host's own endpoint as two tenants that try to read each other's rows.
//
//	func TestIsolation(t *testing.T) {
//		isolationtest.Run(t, isolationtest.App{
//			Handler: handler, Registry: reg, // as the host serves them
//			One:     isolationtest.Tenant{Token: "token-of-one", Fewer: []string{"token-of-one-without-scopes"}},
//			Two:     isolationtest.Tenant{Token: "token-of-two"},
//		}, seed)
//	}
//
// It calls every resource, relation, filter, operator, sort, page, cursor, count and aggregate that the tokens
// may use, over HTTP, and fails with the smallest call that shows something of the other tenant. The values of
// rows say whose they are, by [Mark]; docs/isolation.md says how to write a seeder, what is checked and what
// is not.
package isolationtest

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/tenantry/tenantry/registry"
)

// App is the endpoint under test.
type App struct {
	// Handler serves the MCP endpoint, on whatever path. Required.
	Handler http.Handler

	// Registry is what the handler's executor was built from: what exists, whoever may see it. Required.
	Registry *registry.Registry

	// Prefix is the one of the tool names, as in mcpserver.Options.
	Prefix string

	// Host is the Host header of the calls. Empty: that of a listener on loopback, which is served unless the
	// server was told its public URL.
	Host string

	// One and Two are the tenants. Required.
	One, Two Tenant

	// Changes each add, alter or remove rows of the one tenant whose mark they are given. The answers to the
	// other tenant must not change by a byte. Nil: not tested.
	Changes []Seeder
}

// Tenant is a tenant and its tokens.
type Tenant struct {
	// Token may read everything that the tenant may read. Required.
	Token string

	// Fewer are tokens of the same tenant with fewer permission scopes. What they may not see must behave as
	// if it did not exist.
	Fewer []string

	// Texts stand in rows of this tenant and in nobody else's: for a database that is filled already.
	Texts []string
}

// Seeder fills the database with rows of one tenant, whose values begin with the mark. Mark 1 is One's, 2 is
// Two's. It is good to give both tenants rows with equal keys where the key allows it, foreign keys that name
// rows of the other mark, rows without a tenant, and texts that no cast takes.
type Seeder func(ctx context.Context, m Mark) error

// Report is what Check has done and found.
type Report struct {
	Calls int // calls over HTTP
	Pairs int // pairs of calls whose answers had to be equal in every byte
	Leaks []Leak

	// Internal is how many calls the server failed at or would not look at, as for being too busy, and
	// FirstInternal one of them: nothing is known of what they ask for.
	Internal      int
	FirstInternal string

	// Unseen are the resources of which a tenant has no row, as "orders of mark 1": the test says little
	// about them.
	Unseen []string
}

// Leak is one call that showed what it must not.
type Leak struct {
	// Rule is what was broken, in a few words.
	Rule string

	// Call is the smallest call found that shows it, as JSON: {"method", "params"}.
	Call string

	// Detail is the mark that was seen, or how two answers differ. It holds no value of a row but marks.
	Detail string
}

// String is the leak in two lines: what was broken, and the call.
func (l Leak) String() string {
	return l.Rule + ": " + l.Detail + "\n  " + l.Call
}

// maxTold is how many leaks are worth reading.
const maxTold = 10

// Run seeds both tenants and fails the test for every leak, for calls that the server fails at, and for resources
// that the seed leaves empty. A nil seeder leaves the database as it is: its
// rows hold the marks 1 and 2 already, or the tenants' Texts.
func Run(t *testing.T, app App, seed Seeder) {
	t.Helper()
	report, err := Check(t.Context(), app, seed)
	if err != nil {
		t.Fatalf("isolationtest: %v", err)
	}
	for i, leak := range report.Leaks {
		if i == maxTold {
			t.Errorf("isolationtest: and %d more", len(report.Leaks)-maxTold)
			break
		}
		t.Errorf("isolationtest: %v", leak)
	}
	if report.Internal > 0 {
		t.Errorf("isolationtest: %d calls were failed or refused, so that nothing is known of what they ask; one of them:\n  %s", report.Internal, report.FirstInternal)
	}
	if len(report.Unseen) > 0 {
		t.Errorf("isolationtest: the seed has no row that is shown of %s", strings.Join(report.Unseen, ", "))
	}
	t.Logf("isolationtest: %d calls, %d pairs: %d leaks", report.Calls, report.Pairs, len(report.Leaks))
}

// Check is Run for those who want the figures. Its error is about the test itself: no endpoint, no rows, a
// token that does not work.
func Check(ctx context.Context, app App, seed Seeder) (*Report, error) {
	if app.Handler == nil || app.Registry == nil || app.One.Token == "" || app.Two.Token == "" {
		return nil, errors.New("an App needs Handler, Registry and the tokens of One and Two")
	}
	for n := 1; seed != nil && n <= 2; n++ {
		if err := seed(ctx, MarkOf(n)); err != nil {
			return nil, fmt.Errorf("the seeder of mark %d: %w", n, err)
		}
	}
	k := newKit(ctx, app)
	defer k.close()
	if err := k.learn(); err != nil {
		return nil, err
	}
	for _, s := range k.sides {
		for _, name := range s.names {
			if len(s.known[name].rows) == 0 {
				k.report.Unseen = append(k.report.Unseen, fmt.Sprintf("%s of mark %d", name, s.mark.n))
			}
		}
	}
	k.attack()
	k.compare()
	if err := k.change(); err != nil {
		return nil, err
	}
	return k.report, k.failed
}

// redacted shortens what stands behind a mark, so that a report holds no value of a row.
func redacted(text string) string {
	var out strings.Builder
	for {
		at := textMark.FindStringIndex(text)
		if at == nil {
			out.WriteString(text)
			return out.String()
		}
		out.WriteString(text[:at[1]])
		text = text[at[1]:]
		if end := strings.IndexAny(text, `"\`); end >= 0 {
			text = text[end:]
		}
	}
}
