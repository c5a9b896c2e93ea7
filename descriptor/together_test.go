package descriptor_test

import (
	"testing"

	"github.com/tenantry/tenantry/descriptor"
)

const elsewhere = `server: {listen: "0.0.0.0:8377", public_url: "https://acme.example"}
`

func TestRLS(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, in string
		want     bool
	}{
		{"loopback", "", false},
		{"localhost", "server: {listen: \"localhost:1\"}\n", false},
		{"IPv6 loopback", "server: {listen: \"[::1]:1\"}\n", false},
		{"loopback, asked for", "require_rls: true\n", true},
		{"elsewhere", elsewhere, true},
		{"elsewhere, declined", "require_rls: false\n" + elsewhere, false},
		{"every interface", "server: {listen: \":1\", public_url: \"https://acme.example\"}\n", true},
		{"SQLite elsewhere, declined", "database: sqlite:a.db\nrequire_rls: false\n" + elsewhere, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			f, err := descriptor.Parse("acme.yaml", []byte(tc.in+tail), nil)
			if err != nil {
				t.Fatal(err)
			}
			if f.RLS() != tc.want {
				t.Errorf("RLS() = %v", f.RLS())
			}
		})
	}
}

func TestWithListen(t *testing.T) {
	t.Parallel()
	f, err := descriptor.Parse("acme.yaml", []byte(secretFile), nil)
	if err != nil {
		t.Fatal(err)
	}
	g, err := f.WithListen("[::1]:9000")
	if err != nil {
		t.Fatal(err)
	}
	if g.Server.Listen != "[::1]:9000" || f.Server.Listen != "127.0.0.1:8377" {
		t.Errorf("listening on %q, and the file says %q", g.Server.Listen, f.Server.Listen)
	}
	const want = "static tokens are for development: with auth.static the address is a loopback one, such as 127.0.0.1:8377\n" +
		"an address that other machines reach needs server.public_url, the origin clients use"
	if _, err := f.WithListen("10.0.0.1:8377"); err == nil || err.Error() != want {
		t.Errorf("another machine's address: %v", err)
	}
	if _, err := f.WithListen("8377"); err == nil {
		t.Error("an address without a host is accepted")
	}
}

func TestSQLite(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		database, path string
		ok             bool
	}{
		{`"sqlite::memory:"`, ":memory:", true},
		{`sqlite:/var/lib/acme.db`, "/var/lib/acme.db", true},
		{`postgres://db/acme`, "", false},
	} {
		f, err := descriptor.Parse("acme.yaml", []byte("database: "+tc.database+"\n"+tail), nil)
		if err != nil {
			t.Fatal(err)
		}
		path, ok := f.SQLite()
		if ok != tc.ok || ok && path != tc.path {
			t.Errorf("%s: %q, %v", tc.database, path, ok)
		}
	}
}
