package migrations_test

import (
	"fmt"
	"io/fs"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/migrations"
)

func TestFiles(t *testing.T) {
	t.Parallel()
	for _, set := range []migrations.Set{migrations.Framework, migrations.Example} {
		names, err := fs.Glob(set.Files, "*.up.sql")
		if err != nil || len(names) == 0 {
			t.Errorf("%s: %d files, %v", set.Name, len(names), err)
		}
		if diff := cmp.Diff([]string(nil), lint(set.Files)); diff != "" {
			t.Errorf("%s: %s", set.Name, diff)
		}
	}
}

func TestLintFindsEachMistake(t *testing.T) {
	t.Parallel()
	const index = "CREATE INDEX CONCURRENTLY i ON t (a);"
	tests := []struct {
		name  string
		files map[string]string
		want  []string
	}{
		{"good", map[string]string{"0001_a.up.sql": "SELECT 1; SELECT 2", "0001_a.down.sql": "", "0002_b.up.sql": "-- why; CONCURRENTLY\n" + index, "0002_b.down.sql": ""}, nil},
		{"no down", map[string]string{"0001_a.up.sql": ""}, []string{"0001_a.up.sql: has no 0001_a.down.sql"}},
		{"no up", map[string]string{"0001_a.down.sql": ""}, []string{"0001_a.down.sql: has no 0001_a.up.sql"}},
		{
			"one number twice",
			map[string]string{"0001_a.up.sql": "", "0001_a.down.sql": "", "0001_b.up.sql": "", "0001_b.down.sql": ""},
			[]string{"0001_b.up.sql: is number 1 where 2 is next"},
		},
		{"a gap", map[string]string{"0002_a.up.sql": "", "0002_a.down.sql": ""}, []string{"0002_a.up.sql: is number 2 where 1 is next"}},
		{"a name of another form", map[string]string{"1_a.up.sql": "", "readme.sql": ""}, []string{"1_a.up.sql: is not named NNNN_title.up.sql", "readme.sql: is not named NNNN_title.up.sql"}},
		{
			"company for a concurrent index",
			map[string]string{"0001_a.up.sql": index + index, "0001_a.down.sql": "SELECT 1; DROP INDEX concurrently i"},
			[]string{"0001_a.down.sql: has 2 statements, one of them CONCURRENTLY", "0001_a.up.sql: has 2 statements, one of them CONCURRENTLY"},
		},
		{"only a word", map[string]string{"0001_a.up.sql": "SELECT 'concurrently;'; DO $$ concurrently; $$", "0001_a.down.sql": "/* CONCURRENTLY; */ SELECT 1; SELECT 2"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := fstest.MapFS{}
			for name, text := range tt.files {
				dir[name] = &fstest.MapFile{Data: []byte(text)}
			}
			if diff := cmp.Diff(tt.want, lint(dir)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

var (
	form   = regexp.MustCompile(`^(\d{4})_[a-z0-9_]+\.(up|down)\.sql$`)
	quoted = regexp.MustCompile(`(?s)--[^\n]*|/\*.*?\*/|'[^']*'|\$\$.*?\$\$`)
	alone  = regexp.MustCompile(`(?i)\bconcurrently\b`)
)

// lint returns the mistakes in a folder of migrations.
func lint(dir fs.FS) (mistakes []string) {
	names, _ := fs.Glob(dir, "*") // sorted; only a bad pattern is an error
	next := 1
	for _, name := range names {
		complain := func(format string, args ...any) {
			mistakes = append(mistakes, name+": "+fmt.Sprintf(format, args...))
		}
		m := form.FindStringSubmatch(name)
		if m == nil {
			complain("is not named NNNN_title.up.sql")
			continue
		}
		if other := opposite(name); !exists(dir, other) {
			complain("has no %s", other)
		}
		if m[2] == "up" {
			if m[1] != fmt.Sprintf("%04d", next) {
				complain("is number %s where %d is next", strings.TrimLeft(m[1], "0"), next)
			}
			next++
		}
		if text := quoted.ReplaceAllString(read(dir, name), ""); alone.MatchString(text) && statements(text) > 1 {
			complain("has %d statements, one of them CONCURRENTLY", statements(text))
		}
	}
	return mistakes
}

func opposite(name string) string {
	if base, ok := strings.CutSuffix(name, ".up.sql"); ok {
		return base + ".down.sql"
	}
	return strings.TrimSuffix(name, ".down.sql") + ".up.sql"
}

func exists(dir fs.FS, name string) bool {
	_, err := fs.Stat(dir, name)
	return err == nil
}

func read(dir fs.FS, name string) string {
	text, err := fs.ReadFile(dir, name)
	if err != nil {
		return "" // it was listed a moment ago
	}
	return string(text)
}

func statements(text string) (n int) {
	for part := range strings.SplitSeq(text, ";") {
		if strings.TrimSpace(part) != "" {
			n++
		}
	}
	return n
}
