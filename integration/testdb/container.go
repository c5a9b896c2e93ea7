package testdb

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"os"
	"time"

	"github.com/testcontainers/testcontainers-go"
	tclog "github.com/testcontainers/testcontainers-go/log"
)

// image is the image that a container is made of. It works with the official image and with the one that
// scripts/postgres-image builds.
func image() string { return cmp.Or(os.Getenv(EnvImage), "postgres:17-alpine") }

// container starts a server in a container, if an engine answers.
func container(ctx context.Context) (*Server, error) {
	if err := engine(ctx); err != nil {
		return nil, fmt.Errorf("no container engine answers (%w): %w", err, errAbsent)
	}
	password := secret()
	c, err := testcontainers.Run(ctx, image(),
		testcontainers.WithEnv(map[string]string{"POSTGRES_PASSWORD": password}),
		testcontainers.WithLabels(map[string]string{"tenantry.run": os.Getenv(EnvRun)}),
		testcontainers.WithExposedPorts("5432/tcp"),
		testcontainers.WithCmd(append([]string{"postgres"}, settings...)...),
	)
	s := &Server{How: image(), stop: func() { terminate(c) }}
	if err == nil {
		s.URL, err = reach(ctx, c, password)
	}
	if err != nil {
		s.stop()
		return nil, fmt.Errorf("%s: %w", image(), err)
	}
	return s, nil
}

// engine asks the container engine whether it is there.
func engine(ctx context.Context) (err error) {
	defer func() {
		if r := recover(); r != nil { // the library panics where it finds no way to an engine
			err = fmt.Errorf("%v", r)
		}
	}()
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	tclog.SetDefault(log.New(io.Discard, "", 0)) // a banner is not a test's output
	provider, err := testcontainers.NewDockerProvider()
	if err != nil {
		return err
	}
	return provider.Health(ctx)
}

// reach returns the address under which the container's server answers. The library guesses the host, and
// from inside of a container it guesses the gateway, which is wrong when the engine runs beside the tests.
func reach(ctx context.Context, c *testcontainers.DockerContainer, password string) (string, error) {
	port, err := c.MappedPort(ctx, "5432/tcp")
	if err != nil {
		return "", err
	}
	addresses := []string{address(password, net.JoinHostPort("127.0.0.1", port.Port()))}
	if host, err := c.Host(ctx); err == nil && host != "127.0.0.1" && host != "localhost" {
		addresses = append(addresses, address(password, net.JoinHostPort(host, port.Port())))
	}
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	return ready(ctx, nil, addresses...)
}

// terminate removes a container, which may be nil.
func terminate(c *testcontainers.DockerContainer) {
	if err := testcontainers.TerminateContainer(c, testcontainers.StopTimeout(0)); err != nil {
		log.Printf("testdb: a container is left behind: %v", err)
	}
}
