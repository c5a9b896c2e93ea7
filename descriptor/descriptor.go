// Package descriptor reads the YAML file behind the command line into the values a Go host would write.
//
//	f, err := descriptor.Load("tenantry.yaml", os.LookupEnv)
//	reg, err := registry.New(&registry.Options{Requires: f.Defaults.Requires}, f.Specs()...)
//
// What the file can say, a host can say with resource.Spec and the options of the other packages, and
// the other way round, except functions. Every mistake is told at once, with file and line.
package descriptor

import (
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/tenantry/tenantry/resource"
)

// maxFile bounds a file in bytes; a larger one is not a hand-written description.
const maxFile = 1 << 20

// File is a checked file. Its members are what the file says, with the defaults named here in place of
// what it leaves out. Do not modify it; it is then safe for concurrent use. Printing one shows no secret.
type File struct {
	// Name is the file's name as messages show it.
	Name string

	// Database is a postgres:// URL, sqlite:FILE or sqlite::memory:. Empty when the file names none.
	Database Secret

	// RequireRLS is what the file says of row policies; nil when it says nothing. See RLS.
	RequireRLS *bool

	Server   Server   // how the tools are served
	Auth     Auth     // who may call
	Defaults Defaults // what resources leave out
	Limits   Limits   // of one call

	// CursorKeys seal cursors, newest first. None: a random key for each process.
	CursorKeys []Secret

	specs   []resource.Spec
	globals []resource.Global
}

// Server says how the tools are served.
type Server struct {
	Name           string   // the server's name; tenantry
	Listen         string   // host:port; 127.0.0.1:8377
	Path           string   // of the MCP endpoint; /mcp
	Prefix         string   // put before every tool name
	PublicURL      string   // the origin clients use; empty on a loopback listener
	AllowedOrigins []string // origins of browsers that may call
	Content        Content  // both
}

// Content says in which forms an answer is sent.
type Content string

// The forms of an answer.
const (
	ContentBoth       Content = "both"
	ContentText       Content = "text"
	ContentStructured Content = "structured"
)

// Defaults stand in for what a resource leaves out.
type Defaults struct {
	// Requires is the permission scope of every resource that names none.
	Requires string
}

// Limits bounds one call. Zero members take the executor's defaults.
type Limits struct {
	Default          int           // rows of a page when the call does not say
	Max              int           // rows of a page at most
	PageBytes        int           // bytes of a page
	StatementTimeout time.Duration // of one statement
}

// Load reads a file of at most 1 MiB. Env looks a variable of the environment up, as os.LookupEnv does;
// nil stands for an empty environment. The error is every mistake joined, each a *Mistake, or that of
// reading.
func Load(path string, env func(string) (string, bool)) (*File, error) {
	in, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("the file cannot be read: %w", err)
	}
	defer func() { _ = in.Close() }() // it was only read
	data, err := io.ReadAll(io.LimitReader(in, maxFile+1))
	if err != nil {
		return nil, fmt.Errorf("the file cannot be read: %w", err)
	}
	return Parse(path, data, env)
}

// Parse is Load for a file that is already in memory. Name stands in messages.
func Parse(name string, data []byte, env func(string) (string, bool)) (*File, error) {
	r := newReader(name, env)
	root, ok := r.document(data)
	if !ok {
		return nil, r.err()
	}
	f := r.file(place{r: r, node: root, line: root.Line})
	if err := r.err(); err != nil {
		return nil, err
	}
	return f, nil
}

// Specs returns the resources that have a scope, in the order of the file. They are good: registry.New takes
// them, and with Globals registry.NewWithGlobals does.
func (f *File) Specs() []resource.Spec { return slices.Clone(f.specs) }

// Globals returns the resources that are global, in the order of the file.
func (f *File) Globals() []resource.Global { return slices.Clone(f.globals) }
