package mcpserver

import (
	"errors"
	"net/http"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/executors"
)

// New returns a server of the tools over an executor. The error lists every mistake in the options.
func New(exec *executors.Executor, opts *Options) (*Server, error) {
	if exec == nil {
		return nil, errors.New("mcpserver: New needs an executor")
	}
	return newServer(exec, opts)
}

// Handler is New and Server.HTTP in one: the handler of one MCP endpoint.
func Handler(exec *executors.Executor, v auth.Verifier, opts *Options) (http.Handler, error) {
	s, err := New(exec, opts)
	if err != nil {
		return nil, err
	}
	return s.HTTP(v)
}
