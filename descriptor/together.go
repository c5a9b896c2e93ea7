package descriptor

import (
	"errors"
	"net"
	"strconv"
	"strings"
)

// together checks what several parts of a file must agree on.
func (r *reader) together(root object, f *File) {
	if _, ok := f.SQLite(); ok && f.RequireRLS != nil && *f.RequireRLS {
		root.get("require_rls").fail("SQLite has no row policies to check: write false, or use PostgreSQL")
	}
	for _, err := range f.listenErrors(f.Server.Listen) {
		r.listen.fail("%v", err)
	}
}

// SQLite returns the file behind a sqlite: database, ":memory:" for one in memory.
func (f *File) SQLite() (path string, ok bool) {
	return strings.CutPrefix(string(f.Database), "sqlite:")
}

// RLS reports whether row policies are required: what the file says, else false on a loopback listener
// and true elsewhere.
func (f *File) RLS() bool {
	if f.RequireRLS != nil {
		return *f.RequireRLS
	}
	return !loopback(f.Server.Listen)
}

// WithListen returns a copy of the file with another listen address. The error is every rule that the
// address breaks, joined.
func (f *File) WithListen(addr string) (*File, error) {
	if err := errors.Join(f.listenErrors(addr)...); err != nil {
		return nil, err
	}
	g := *f
	g.Server.Listen = addr
	return &g, nil
}

// listenErrors says what speaks against serving the file at an address.
func (f *File) listenErrors(addr string) (errs []error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return []error{errors.New("write the address as HOST:PORT, such as " + defaultListen)}
	}
	if n, err := strconv.ParseUint(port, 10, 16); err != nil || strconv.FormatUint(n, 10) != port {
		errs = append(errs, errors.New("the port is a number from 0 to 65535"))
	}
	if loopbackHost(host) {
		return errs
	}
	if len(f.Auth.Static) > 0 {
		errs = append(errs, errors.New("static tokens are for development: with auth.static the address is a loopback one, such as "+defaultListen))
	}
	if f.Server.PublicURL == "" {
		errs = append(errs, errors.New("an address that other machines reach needs server.public_url, the origin clients use"))
	}
	if _, ok := f.SQLite(); ok && f.RequireRLS == nil {
		errs = append(errs, errors.New("SQLite has no row policies: to serve it to other machines all the same, write require_rls: false"))
	}
	return errs
}

func loopback(addr string) bool {
	host, _, err := net.SplitHostPort(addr)
	return err == nil && loopbackHost(host)
}
