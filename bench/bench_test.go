package bench_test

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/bench"
)

// bars are the names of all bars; those that do not depend on how busy the machine is must be met in a smoke run.
var bars = map[string]bool{
	"list-cpu": false, "list-throughput": false,
	"list-without-settings-cpu": false, "list-without-settings-throughput": false,
	"keyset-depth-cpu": false, "capped-count-cpu": false,
	"list-allocations": true, "list-100-rows-more-allocations": true,
	"full-list-cpu": false, "full-list-allocations": true, "include-cpu": false,
	"start-of-500-resources-seconds": false, "start-of-500-resources-mebibytes": true, "list-of-500-resources-cpu": false,
	"warm-shape-squirrel-calls": true, "prepared-statements": true,
	"walls-cpu":                                 false,
	"list-of-100-tools-milliseconds":            false,
	"schema-decode-allocations-ratio":           true,
	"schema-decode-cpu":                         false,
	"schema-emission-of-40-fields-microseconds": false,
}

var lineForm = regexp.MustCompile(`^(# .+|figure [a-z0-9-]+ [0-9.e+-]+ .+|bar ([a-z0-9-]+) [0-9.e+-]+ [<>]=[0-9.]+ (ok|short))$`)

// TestRun keeps the measurement working, and holds the bars that are counts.
func TestRun(t *testing.T) {
	var out bytes.Buffer
	short, err := bench.Run(t.Context(), &out, &bench.Options{Quick: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Log(out.String())
	var names []string
	shorts := 0
	for line := range strings.Lines(out.String()) {
		line = strings.TrimSuffix(line, "\n")
		m := lineForm.FindStringSubmatch(line)
		if m == nil {
			t.Errorf("the line %q has none of the forms", line)
			continue
		}
		if m[2] == "" {
			continue
		}
		names = append(names, m[2])
		if m[3] == "short" {
			shorts++
			if bars[m[2]] {
				t.Error(line)
			}
		}
	}
	want := make([]string, 0, len(bars))
	for name := range bars {
		want = append(want, name)
	}
	slices.Sort(names)
	slices.Sort(want)
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("bars (-want +got):\n%s", diff)
	}
	if short != shorts {
		t.Errorf("Run counts %d short bars, and prints %d", short, shorts)
	}
}

func TestRunDatabaseMissing(t *testing.T) {
	_, err := bench.Run(t.Context(), &bytes.Buffer{}, &bench.Options{Quick: true, Database: "tenantry_bench_missing"})
	if err == nil {
		t.Fatal("a database that is not there was measured")
	}
}
