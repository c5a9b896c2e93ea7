package mcpserver_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/mcpserver"
)

// overStdio serves lines for a caller and returns what was answered, without the handshake.
func overStdio(t *testing.T, s *mcpserver.Server, p *auth.Principal, in string) []string {
	t.Helper()
	var out strings.Builder
	if err := s.ServeStdio(t.Context(), p, strings.NewReader(handshake+in), &out); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	return slices.DeleteFunc(lines, func(l string) bool { return strings.Contains(l, `"id":"init"`) })
}

// A session outlives what its caller was granted: from then on it sees what nobody sees, and calls nothing.
func TestExpiredCallerSeesWhatNobodySees(t *testing.T) {
	t.Parallel()
	s := newServer(t, newShop(), staffed(newWorkshop(nil), quiet()))
	for _, tt := range []struct {
		name    string
		expires time.Time
		good    bool
	}{
		{"in an hour", time.Now().Add(time.Hour), true},
		{"an hour ago", time.Now().Add(-time.Hour), false},
	} {
		grant := adminGrant(t)
		grant.Expires = tt.expires
		p, err := auth.NewPrincipal(grant)
		if err != nil {
			t.Fatal(err)
		}
		list := overStdio(t, s, p, request("tools/list", `{}`)+"\n")
		if got := strings.Join(list, "\n"); len(list) != 1 || strings.Contains(got, `"purge"`) != tt.good || strings.Contains(got, `"remark"`) != tt.good || !strings.Contains(got, `"peek"`) {
			t.Errorf("%s: %v", tt.name, list)
		}
		purge := overStdio(t, s, p, toolCall("purge", `{}`)+"\n")
		none := overStdio(t, s, p, toolCall("purgatory", `{}`)+"\n")
		if tt.good {
			if len(purge) != 1 || resultOf(t, purge[0]).IsError || resultOf(t, purge[0]).Structured == "" {
				t.Errorf("%s: %v", tt.name, purge)
			}
			continue
		}
		if len(purge) != 1 || len(none) != 1 || strings.ReplaceAll(purge[0], "purge", "purgatory") != none[0] {
			t.Errorf("%s: %v, and of no tool %v", tt.name, purge, none)
		}
		if peek := overStdio(t, s, p, toolCall("peek", `{"id":1}`)+"\n"); len(peek) != 1 || !strings.Contains(peek[0], "unauthenticated") {
			t.Errorf("%s: %v", tt.name, peek)
		}
	}
}
