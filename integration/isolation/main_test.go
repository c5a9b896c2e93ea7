// Package isolation_test attacks a generated world of tenants that point at each other in every way, with
// oracles that know whose every value is and what every answer must be; and then attacks its own oracles, with
// bugs planted in the framework that each of them must find. docs/isolation.md says what is done and what it
// shows.
package isolation_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"github.com/tenantry/tenantry/integration/testdb"
	"github.com/tenantry/tenantry/tenant"
)

func TestMain(m *testing.M) { testdb.Main(m) }

// The variables that steer a run.
const (
	envTier    = "TENANTRY_ISOLATION"         // quick, full or release; quick when unset
	envSeed    = "TENANTRY_ISOLATION_SEED"    // of everything that is generated; a new one when unset
	envFigures = "TENANTRY_ISOLATION_FIGURES" // a file that takes the line of figures
)

// tier is how much is done.
type tier struct {
	name          string
	tenants       int
	calls         int
	http, clients int
	pairs         int
}

var tiers = map[string]tier{
	"quick":   {"quick", 16, 20_000, 3_000, 64, 500},
	"full":    {"full", 64, 200_000, 20_000, 256, 5_000},
	"release": {"release", 900, 2_000_000, 200_000, 512, 20_000},
}

func chosenTier(t *testing.T) tier {
	t.Helper()
	c, ok := tiers[cmp.Or(os.Getenv(envTier), "quick")]
	if !ok {
		t.Fatalf("%s is quick, full or release", envTier)
	}
	return c
}

func chosenSeed() uint64 {
	if n, err := strconv.ParseUint(os.Getenv(envSeed), 10, 64); err == nil {
		return n
	}
	return uint64(rand.Uint32())
}

// TestIsolation is the harness. Its parts share one report, whose figures are told in one line.
func TestIsolation(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes a minute: make test runs it, and make isolation more of it")
	}
	c, seed := chosenTier(t), chosenSeed()
	t.Logf("isolation %s: seed %d", c.name, seed)
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("to see it again: %s=%d %s=%s", envSeed, seed, envTier, c.name)
		}
	})
	rep := &report{}
	t.Run("calls", func(t *testing.T) { attackWorlds(t, c, seed, rep) })
	t.Run("kit", func(t *testing.T) { runKit(t, c, seed, rep) })
	t.Run("sqlite", func(t *testing.T) { attackSQLite(t, c, seed, rep) })
	var caught, planted int
	t.Run("bugs", func(t *testing.T) { caught, planted = plantBugs(t, c, seed) })
	line := fmt.Sprintf("isolation %s: seed %d: %d tenants, %d calls, %d over HTTP, %d pairs: %d foreign rows, %d differing bytes, %d wrong answers; %d of %d seeded bugs caught",
		c.name, seed, c.tenants, rep.calls.Load(), rep.http.Load(), rep.pairs.Load(), rep.rows(), len(rep.leaks)-rep.rows(), len(rep.wrong), caught, planted)
	t.Log(line)
	if path := os.Getenv(envFigures); path != "" && !t.Failed() {
		if err := os.WriteFile(path, []byte(line+"\n"), 0o600); err != nil {
			t.Error(err)
		}
	}
}

// shares of the calls, by the kind of tenant key.
var shares = []struct {
	kind tenant.Kind
	of   int // a hundred
}{{tenant.KindInt, 60}, {tenant.KindUUID, 20}, {tenant.KindText, 20}}

// tell fails the test for what was found.
func (r *report) tell(t *testing.T) {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, l := range r.leaks {
		t.Errorf("LEAK %s", l)
	}
	for _, w := range r.wrong {
		t.Errorf("wrong: %s", w)
	}
}
