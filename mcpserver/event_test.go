package mcpserver_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/mcpserver"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/tenant"
)

// journal keeps events and log lines.
type journal struct {
	mu     sync.Mutex
	events []mcpserver.Event
	log    bytes.Buffer
}

func (j *journal) Write(p []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.log.Write(p)
}

func (j *journal) options() *mcpserver.Options {
	opts := quiet()
	opts.Logger = slog.New(slog.NewJSONHandler(j, &slog.HandlerOptions{Level: slog.LevelInfo}))
	opts.Events = func(_ context.Context, e mcpserver.Event) {
		j.mu.Lock()
		defer j.mu.Unlock()
		j.events = append(j.events, e)
	}
	return opts
}

func (j *journal) read() ([]mcpserver.Event, string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.events, j.log.String()
}

// One event per call, refused ones included.
func TestEvents(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, body string
		headers    []string
		want       []mcpserver.Event
	}{
		{"ok", toolCall("list", `{"resource":"orders"}`), nil, []mcpserver.Event{{Tool: "list", Resource: "orders", Outcome: mcpserver.OutcomeOK, Rows: 1}}},
		{"mistake", toolCall("list", `{"resource":"orders","limit":-1}`), nil, []mcpserver.Event{{Tool: "list", Resource: "orders", Outcome: mcpserver.OutcomeInvalid, Code: resource.InvalidArgument}}},
		{"unknown resource", toolCall("list", `{"resource":"SECRET"}`), nil, []mcpserver.Event{{Tool: "list", Resource: "_other", Outcome: mcpserver.OutcomeInvalid, Code: resource.UnknownResource}}},
		{"no resource", toolCall("get", `{}`), nil, []mcpserver.Event{{Tool: "get", Outcome: mcpserver.OutcomeInvalid, Code: resource.InvalidArgument}}},
		{"not found", toolCall("get", `{"resource":"orders","id":8}`), nil, []mcpserver.Event{{Tool: "get", Resource: "orders", Outcome: mcpserver.OutcomeNotFound, Code: resource.NotFound}}},
		{"database away", toolCall("list", `{"resource":"away"}`), nil, []mcpserver.Event{{Tool: "list", Resource: "away", Outcome: mcpserver.OutcomeUnavailable, Code: resource.Unavailable}}},
		{"crash", toolCall("list", `{"resource":"crash"}`), nil, []mcpserver.Event{{Tool: "list", Outcome: mcpserver.OutcomeError, Code: resource.CodeInternal}}},
		{"foreign tenant", toolCall("list", `{"resource":"orders"}`), []string{"Tenantry-Tenant", "2"}, []mcpserver.Event{{Tool: "list", Outcome: mcpserver.OutcomeRefused, Code: resource.Forbidden}}},
		{"unknown tool", toolCall("SECRET", `{}`), nil, []mcpserver.Event{{Tool: "_other", Outcome: mcpserver.OutcomeInvalid}}},
		{"no token", toolCall("list", `{}`), []string{"Authorization", ""}, []mcpserver.Event{{Outcome: mcpserver.OutcomeRefused, Code: resource.Unauthenticated}}},
		{"foreign page", toolCall("list", `{}`), []string{"Origin", "null"}, []mcpserver.Event{{Outcome: mcpserver.OutcomeRefused, Code: resource.Forbidden}}},
		{"bad JSON", "{", nil, []mcpserver.Event{{Outcome: mcpserver.OutcomeInvalid}}},
		{"no call", request("tools/list", "{}"), nil, nil},
		{"no call, unknown", request("rows/list", "{}"), nil, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			j := &journal{}
			post(t, serve(t, newShop(), j.options()), tt.body, tt.headers...)
			events, log := j.read()
			if diff := cmp.Diff(tt.want, events, cmpopts.IgnoreFields(mcpserver.Event{}, "Caller", "Bytes", "Duration", "Reference")); diff != "" {
				t.Error(diff)
			}
			for _, e := range events {
				verified := e.Tool != "" && e.Tool != "_other"
				if verified != (e.Caller != "") || verified != (e.Bytes > 0) || strings.Contains(e.Caller, "alice") {
					t.Errorf("caller %q, %d bytes", e.Caller, e.Bytes)
				}
			}
			if strings.Contains(log, "KEY_ONE") {
				t.Errorf("the log holds the token: %s", log)
			}
		})
	}
}

// A digest tells callers apart, and says nothing about them.
func TestCallers(t *testing.T) {
	t.Parallel()
	seen := map[string]auth.Grant{}
	j := &journal{}
	s := newServer(t, newShop(), j.options())
	one, two := intTenant(t, 1), intTenant(t, 2)
	for _, g := range []auth.Grant{
		{Subject: "a", Tenants: []tenant.ID{one}},
		{Subject: "a", Tenants: []tenant.ID{two}},
		{Subject: "ab", Tenants: []tenant.ID{one}},
		{Issuer: "a", Subject: "b", Tenants: []tenant.ID{one}},
		{Subject: "a", Client: "b", Tenants: []tenant.ID{one}},
		{Subject: "a1", Tenants: []tenant.ID{one}},
	} {
		p, err := auth.NewPrincipal(g)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if _, _, err := s.Call(t.Context(), p, "resources", nil); err != nil {
				t.Fatal(err)
			}
		}
		events, _ := j.read()
		last := events[len(events)-1].Caller
		if events[len(events)-2].Caller != last {
			t.Errorf("%+v has two digests", g)
		}
		if twin, ok := seen[last]; ok {
			t.Errorf("%+v and %+v share a digest", g, twin)
		}
		seen[last] = g
	}
}

// Whatever fails inside shows one sentence and a reference; the log has the cause under it.
func TestInternalErrors(t *testing.T) {
	t.Parallel()
	form := regexp.MustCompile(`^\{"error":\{"code":"internal","message":"internal error: try again, or tell the operator this reference: ([0-9a-f]{16})"\}\}$`)
	for name, cause := range map[string]string{"crash": "panic: SECRET of another tenant", "broken": "secret_table"} {
		j := &journal{}
		url := serve(t, newShop(), j.options())
		res := resultOf(t, post(t, url, toolCall("list", `{"resource":"`+name+`"}`)).Body)
		match := form.FindStringSubmatch(res.Structured)
		if !res.IsError || match == nil {
			t.Fatalf("%s: %s", name, res.Structured)
		}
		_, log := j.read()
		var line struct{ Reference, Cause, Level string }
		if err := json.Unmarshal([]byte(log), &line); err != nil {
			t.Fatalf("%v in %s", err, log)
		}
		if line.Reference != match[1] || !strings.Contains(line.Cause, cause) || line.Level != "ERROR" {
			t.Errorf("%s: the log says %+v under %s", name, line, match[1])
		}
		if again := post(t, url, toolCall("list", `{"resource":"orders"}`)); again.Status != 200 {
			t.Errorf("%s: the server is gone: %d", name, again.Status)
		}
	}
}

// A database that is away is not the caller's fault, nor ours: its own sentence, and a reference.
func TestUnavailable(t *testing.T) {
	t.Parallel()
	j := &journal{}
	url := serve(t, newShop(), j.options())
	got := mistakesOf(t, resultOf(t, post(t, url, toolCall("list", `{"resource":"away"}`)).Body).Structured)
	_, log := j.read()
	if len(got) != 1 || !strings.HasPrefix(got[0].Message, "the database cannot be reached now: send the same call later (reference ") || strings.Contains(got[0].Message, "10.0") {
		t.Errorf("%+v", got)
	}
	if !strings.Contains(log, "10.0.0.7") || !strings.Contains(log, `"level":"WARN"`) {
		t.Errorf("the log has no cause: %s", log)
	}
}

// A database error's own text may quote rows: it is not for the log that everybody reads.
func TestDatabaseErrorText(t *testing.T) {
	t.Parallel()
	j := &journal{}
	s := newServer(t, failing{newShop(), sqlError{}}, j.options())
	if body, isError := run(t, s, "list", `{"resource":"orders"}`); !isError || strings.Contains(body, "SECRET") {
		t.Errorf("%s", body)
	}
	if _, log := j.read(); !strings.Contains(log, `"sqlstate":"22P02"`) || strings.Contains(log, "SECRET") {
		t.Errorf("the log: %s", log)
	}
}

// Errors that no executor should return: none is shown as it is, and none is lost.
func TestForeignErrors(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		err     error
		code    resource.Code
		outcome mcpserver.Outcome
	}{
		"deadline":        {fmt.Errorf("SECRET: %w", context.DeadlineExceeded), resource.Timeout, mcpserver.OutcomeTimeout},
		"cancelled":       {fmt.Errorf("SECRET: %w", context.Canceled), resource.Unavailable, mcpserver.OutcomeCanceled},
		"no mistakes":     {resource.Errors{}, resource.CodeInternal, mcpserver.OutcomeError},
		"wrapped mistake": {fmt.Errorf("SECRET: %w", resource.Errorf(resource.NotFound, "", "gone")), resource.NotFound, mcpserver.OutcomeNotFound},
		"internal beside": {resource.Errors{resource.Errorf(resource.NotFound, "", "gone"), resource.Internal(io.EOF)}, resource.CodeInternal, mcpserver.OutcomeError},
		"internal around": {resource.Internal(resource.Errors{resource.Errorf(resource.NotFound, "", "SECRET")}), resource.CodeInternal, mcpserver.OutcomeError},
		"no answer":       {nil, resource.CodeInternal, mcpserver.OutcomeError},
	} {
		j := &journal{}
		body, isError := run(t, newServer(t, failing{newShop(), tt.err}, j.options()), "list", `{"resource":"orders"}`)
		got := mistakesOf(t, body)
		events, _ := j.read()
		if !isError || len(got) != 1 || got[0].Code != tt.code || events[0].Outcome != tt.outcome || strings.Contains(body, "SECRET") {
			t.Errorf("%s: %s, outcome %s", name, body, events[0].Outcome)
		}
	}
}

// What a reader reports beyond ten mistakes is dropped, and nothing is escaped that JSON does not ask for.
func TestReportedMistakes(t *testing.T) {
	t.Parallel()
	var many resource.Errors
	for range 15 {
		many = append(many, resource.Errorf(resource.UnknownField, "/fields", "no <such> field"))
	}
	body, _ := run(t, newServer(t, failing{newShop(), many}, quiet()), "list", `{"resource":"orders"}`)
	if got := mistakesOf(t, body); len(got) != 10 || !strings.Contains(body, "no <such> field") {
		t.Errorf("%d mistakes: %s", len(got), body)
	}
}

// A principal whose time is over is refused, even where no verifier is asked again.
func TestExpiredPrincipal(t *testing.T) {
	t.Parallel()
	p, err := auth.NewPrincipal(auth.Grant{Subject: "late", Tenants: []tenant.ID{intTenant(t, 1)}, Expires: time.Unix(1, 0)})
	if err != nil {
		t.Fatal(err)
	}
	shop := newShop()
	for _, p := range []*auth.Principal{p, nil} {
		body, isError, err := newServer(t, shop, quiet()).Call(t.Context(), p, "list", []byte(`{"resource":"orders"}`))
		if err != nil || !isError || mistakesOf(t, string(body))[0].Code != resource.Unauthenticated {
			t.Errorf("%v %s", err, body)
		}
	}
	if shop.calls() > 0 {
		t.Error("the reader was asked")
	}
}

// The default event is one line of slog without a value of the call.
func TestDefaultEvents(t *testing.T) {
	t.Parallel()
	j := &journal{}
	opts := j.options()
	opts.Events = nil
	post(t, serve(t, newShop(), opts), toolCall("get", `{"resource":"orders","id":"SECRET"}`))
	_, log := j.read()
	var line struct{ Msg, Tool, Resource, Outcome, Code string }
	if err := json.Unmarshal([]byte(log), &line); err != nil {
		t.Fatalf("%v in %s", err, log)
	}
	want := struct{ Msg, Tool, Resource, Outcome, Code string }{"call", "get", "orders", "not_found", "not_found"}
	if diff := cmp.Diff(want, line); diff != "" || strings.Contains(log, "SECRET") {
		t.Errorf("%s\n%s", diff, log)
	}
}
