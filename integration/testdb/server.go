package testdb

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

// The variables that say which server to use.
const (
	// EnvURL holds the address of a server whose user is a superuser.
	EnvURL = "TENANTRY_TEST_DATABASE_URL"

	// EnvWay forces one way: url, container or local. The others are then not tried.
	EnvWay = "TENANTRY_TEST_DATABASE"

	// EnvImage names the image of the container; postgres:17-alpine when unset.
	EnvImage = "TENANTRY_TEST_POSTGRES_IMAGE"

	// EnvRun becomes the label tenantry.run of the container, by which a script finds one that was left behind.
	EnvRun = "TENANTRY_TEST_RUN"
)

// startWait bounds the start of a server, with the pull of an image, and each later step.
const startWait = 5 * time.Minute

// errAbsent is for a way that this machine does not have.
var errAbsent = errors.New("not there")

// Server is a running PostgreSQL server. It is safe for concurrent use.
type Server struct {
	// URL connects to the maintenance database as the administrator.
	URL string

	// How says where the server came from, for messages.
	How string

	stop     func()
	prepared func() error // runs prepare once
}

// ways are tried in this order.
var ways = []struct {
	name  string
	start func(context.Context) (*Server, error)
}{
	{"url", given},
	{"container", container},
	{"local", local},
}

// Start finds a server, in this order: the one [EnvURL] names; a container, if an engine answers; local server
// binaries. The error of a machine that has none names the three ways. A URL that does not answer is an error at
// once: whoever set it wants that server. The caller stops the server.
func Start(ctx context.Context) (*Server, error) {
	ctx, cancel := context.WithTimeout(ctx, startWait)
	defer cancel()
	forced := os.Getenv(EnvWay)
	var tried []error
	for _, way := range ways {
		if forced != "" && forced != way.name {
			continue
		}
		s, err := way.start(ctx)
		if err == nil {
			s.prepared = sync.OnceValue(s.prepare)
			s.How = way.name + ": " + s.How + passedOver(tried)
			return s, nil
		}
		tried = append(tried, fmt.Errorf("%s: %w", way.name, err))
		if way.name == "url" && !errors.Is(err, errAbsent) {
			break
		}
	}
	return nil, fmt.Errorf("testdb: these tests need a PostgreSQL server, and there is none. Any one of these will do:\n"+
		"  set %s to the address of a server, as a superuser;\n"+
		"  start a container engine that can run %s (%s names another image);\n"+
		"  install the server's binaries, on Debian with: apt-get install postgresql.\n"+
		"Tried, with %s=%q:\n%w", EnvURL, image(), EnvImage, EnvWay, forced, errors.Join(tried...))
}

// Stop ends the server, if Start started it.
func (s *Server) Stop() { s.stop() }

// given uses the server of EnvURL.
func given(ctx context.Context) (*Server, error) {
	address := os.Getenv(EnvURL)
	if address == "" {
		return nil, fmt.Errorf("%s is not set: %w", EnvURL, errAbsent)
	}
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "postgres" && u.Scheme != "postgresql" {
		return nil, fmt.Errorf("%s is not a postgres:// URL", EnvURL)
	}
	if err := ask(ctx, address); err != nil {
		return nil, err
	}
	return &Server{URL: address, How: u.Redacted(), stop: func() {}}, nil
}

// address is the URL of a server that was just started.
func address(password, hostport string) string {
	u := url.URL{Scheme: "postgres", User: url.UserPassword("postgres", password), Host: hostport, Path: "/postgres", RawQuery: "sslmode=disable"}
	return u.String()
}

// ready waits until one of the addresses answers a query, which is the only sign of readiness that counts:
// a server announces itself more than once while its image is being set up. It gives up when gone closes.
func ready(ctx context.Context, gone <-chan struct{}, addresses ...string) (string, error) {
	ticker := time.NewTicker(50 * time.Millisecond)
	defer ticker.Stop()
	for {
		var errs []error
		for _, a := range addresses {
			err := ask(ctx, a)
			if err == nil {
				return a, nil
			}
			errs = append(errs, err)
		}
		select {
		case <-gone:
			return "", errors.New("the server ended while it was starting")
		case <-ctx.Done():
			return "", errors.Join(append(errs, context.Cause(ctx))...)
		case <-ticker.C:
		}
	}
}

// ask runs a query over a new connection.
func ask(ctx context.Context, address string) error {
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	conn, err := pgx.Connect(ctx, address)
	if err != nil {
		return err
	}
	var one int
	err = conn.QueryRow(ctx, "SELECT 1").Scan(&one)
	return errors.Join(err, conn.Close(ctx))
}

// secret returns a password for a server that lives as long as the tests do.
func secret() string { return rand.Text() }

// passedOver tells why earlier ways were not taken, unless they are simply not there.
func passedOver(tried []error) string {
	var told strings.Builder
	for _, err := range tried {
		if !errors.Is(err, errAbsent) {
			told.WriteString("\n  passed over: " + err.Error())
		}
	}
	return told.String()
}
