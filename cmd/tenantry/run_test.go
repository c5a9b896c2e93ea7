package main

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

func TestUsage(t *testing.T) {
	t.Parallel()
	const serveForm = ": write tenantry serve --config FILE [--listen ADDR] [--stdio]\n"
	const initForm = ": write tenantry init --database URL --tenant-column C [--out FILE]\n"
	for _, tc := range []struct {
		args string
		want string
	}{
		{"", "tenantry: name a command: demo, init, serve, check, call, schema, migrate, version; tenantry help says more\n"},
		{"srve", "tenantry: there is no command \"srve\": did you mean serve?\n"},
		{"completely", "tenantry: there is no command \"completely\": write one of demo, init, serve, check, call, schema, migrate, version\n"},
		{"serve", "tenantry serve: --config is missing" + serveForm},
		{"serve --config", "tenantry serve: flag needs an argument: -config" + serveForm},
		{"serve --confg x", "tenantry serve: flag provided but not defined: -confg" + serveForm},
		{"serve --config x more", "tenantry serve: \"more\" is an argument too many" + serveForm},
		{"serve --config x --log xml", "tenantry serve: --log is json or text" + serveForm},
		{"serve --config x --log-level loud", "tenantry serve: --log-level is debug, info, warn or error" + serveForm},
		{"serve --config x --stdio --listen 127.0.0.1:1", "tenantry serve: --stdio and --listen exclude each other" + serveForm},
		{"serve --config " + shopFile + " --listen 0.0.0.0:80", "tenantry serve: --listen: static tokens are for development: with auth.static the address is a loopback one, such as 127.0.0.1:8377; " +
			"an address that other machines reach needs server.public_url, the origin clients use; SQLite has no row policies: to serve it to other machines all the same, write require_rls: false" + serveForm},
		{"serve --config " + shopFile + " --stdio", "tenantry serve: --stdio needs TENANTRY_TOKEN, a token of auth.static in testdata/shop.yaml\n"},
		{"check", "tenantry check: --config is missing: write tenantry check --config FILE\n"},
		{"call --config x --token y", "tenantry call: an argument is missing: write tenantry call --config FILE --token T [--tenant KEY] TOOL [JSON]\n"},
		{"call --config x list", "tenantry call: --token is missing: write tenantry call --config FILE --token T [--tenant KEY] TOOL [JSON]\n"},
		{"schema --config x a b --token y", "tenantry schema: \"b\" is an argument too many: write tenantry schema --config FILE --token T [--tenant KEY] [RESOURCE]\n"},
		{"migrate", "tenantry migrate: an argument is missing: write tenantry migrate up|version --database URL\n"},
		{"migrate down", "tenantry migrate: there is no migrate \"down\": write tenantry migrate up|version --database URL\n"},
		{"migrate up", "tenantry migrate: --database is a postgres:// URL: write tenantry migrate up|version --database URL\n"},
		{"migrate up --database mysql://u:hunter2@db", "tenantry migrate: --database is a postgres:// URL: write tenantry migrate up|version --database URL\n"},
		{"init", "tenantry init: --tenant-column is missing" + initForm},
		{"init --tenant-column c", "tenantry init: --database is a postgres:// URL or sqlite:FILE" + initForm},
		{"init --tenant-column c --database sqlite::memory:", "tenantry init: --database is a postgres:// URL or sqlite:FILE" + initForm},
		{"init --tenant-column c --database postgres://u:hun%ter2@db", "tenantry init: --database: postgres: the connection string cannot be read: write postgres://user:password@host:5432/database" + initForm},
		{"init x", "tenantry init: \"x\" is an argument too many" + initForm},
		{"demo --config x", "tenantry demo: flag provided but not defined: -config: write tenantry demo [--once]\n"},
		{"version x", "tenantry version: \"x\" is an argument too many: write tenantry version\n"},
	} {
		t.Run(tc.args, func(t *testing.T) {
			t.Parallel()
			env := map[string]string{"SHOP": "sqlite:nowhere.db"}
			same(t, outcome{statusUsage, "", tc.want}, tenantry(t, env, strings.Fields(tc.args)...))
		})
	}
}

func TestHelp(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"help"}, {"--help"}, {"-h"}} {
		got := tenantry(t, nil, args...)
		for _, c := range commands() {
			if !strings.Contains(got.Out, "tenantry "+c.name) {
				t.Errorf("%v does not name %s", args, c.name)
			}
		}
		same(t, outcome{Out: got.Out}, got)
	}
	got := tenantry(t, nil, "serve", "--help")
	same(t, outcome{Out: `tenantry serve --config FILE [--listen ADDR] [--stdio]

serve the resources of a file.
  --config     the YAML file that declares the resources
  --listen     the address to listen on, in place of the file's
  --log        the form of the log on stderr: json or text (text)
  --log-level  the least level that is logged: debug, info, warn or error (info)
  --stdio      serve one client on stdin and stdout; its token is in TENANTRY_TOKEN
`}, got)
}

func TestVersion(t *testing.T) {
	t.Parallel()
	got := tenantry(t, nil, "version")
	form := regexp.MustCompile(`^tenantry \S+\n` + regexp.QuoteMeta(runtime.Version()) + `\nMCP \d{4}-\d\d-\d\d(, \d{4}-\d\d-\d\d)*\n$`)
	if got.Status != 0 || !form.MatchString(got.Out) || got.Err != "" {
		t.Errorf("%+v", got)
	}
}

func TestBadFile(t *testing.T) {
	t.Parallel()
	missing := filepath.Join(t.TempDir(), "none.yaml")
	twice := write(t, "databse: postgres://u:hunter2@db/x\nresources:\n  orders: {table: orders, fields: {id: }}\n")
	alone := write(t, "resources: {orders: {table: orders, scope: {column: company_id}, fields: {id: }}}\n")
	url := write(t, "database: postgres://u:hun%ter2@db/x\nauth: {static: [{token: hunter2, subject: a, tenant: 1}]}\n"+
		"resources: {orders: {table: orders, scope: {column: company_id}, fields: {id: }}}\n")
	for _, tc := range []struct {
		name, file, command string
		want                string
	}{
		{"missing", missing, "check", "tenantry check: " + missing + " is not there: name the file with --config\n"},
		{"two mistakes", twice, "serve", twice + ":1: unknown key \"databse\": did you mean database?\n" +
			twice + ":3: resources.orders.scope: is required: it says which rows belong to a tenant, such as {column: tenant_id}\n"},
		{"no database", alone, "check", "tenantry check: " + alone + ": database is missing: write database: postgres://USER@HOST/NAME or sqlite:FILE\n"},
		{"nobody may call", alone, "serve", "tenantry serve: " + alone + ": nobody could call: write a token under auth.static\n"},
		{"a bad URL", url, "serve", "tenantry serve: " + url + ": database: postgres: the connection string cannot be read: write postgres://user:password@host:5432/database\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			same(t, outcome{statusBadFile, "", tc.want}, tenantry(t, nil, tc.command, "--config", tc.file))
		})
	}
}

// closedPort is an address of this machine where nobody listens.
func closedPort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().String()
}

func TestUnreachable(t *testing.T) {
	t.Parallel()
	address := "postgres://acme:hunter2@" + closedPort(t) + "/acme"
	env := map[string]string{"SHOP": address}
	gone := map[string]string{"SHOP": "sqlite:" + filepath.Join(t.TempDir(), "none.db")}
	for _, tc := range []struct {
		name string
		env  map[string]string
		args []string
	}{
		{"serve", env, []string{"serve", "--config", shopFile}},
		{"check", env, []string{"check", "--config", shopFile}},
		{"call", env, []string{"call", "--config", shopFile, "--token", "acme-hunter2", "resources"}},
		{"schema", env, []string{"schema", "--config", shopFile, "--token", "acme-hunter2"}},
		{"init", nil, []string{"init", "--tenant-column", "c", "--database", address}},
		{"init from a SQLite file that is not there", nil, []string{"init", "--tenant-column", "c", "--database", gone["SHOP"]}},
		{"migrate up", nil, []string{"migrate", "up", "--database", address}},
		{"migrate version", nil, []string{"migrate", "version", "--database", address}},
		{"a SQLite file that is not there", gone, []string{"check", "--config", shopFile}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			got := tenantry(t, tc.env, tc.args...)
			begin := fmt.Sprintf("tenantry %s: the database cannot be reached: see that it runs and that ", tc.args[0])
			if got.Status != statusUnreachable || got.Out != "" || !strings.HasPrefix(got.Err, begin) || strings.Count(got.Err, "\n") != 1 {
				t.Errorf("%+v", got)
			}
			if strings.Contains(got.Err, "hunter2") {
				t.Errorf("a secret is shown: %s", got.Err)
			}
		})
	}
	if path := strings.TrimPrefix(gone["SHOP"], "sqlite:"); exists(path) {
		t.Errorf("%s was made", path)
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
