package executors

import (
	"log/slog"
	"time"
)

// Options change what New does. Nil means the zero Options; zero members take the defaults named here.
type Options struct {
	DefaultLimit int // rows of a page when the call does not say; 25
	MaxLimit     int // rows of a page at most; 100
	PageBytes    int // bytes of a page's JSON; 65,536

	StatementTimeout time.Duration // of each statement; 5 s
	LockTimeout      time.Duration // of waiting for a lock; 500 ms
	CountTimeout     time.Duration // of a count; 1 s

	// CursorKeys seal cursors, newest first; 16 bytes or more each, best random. Cursors sealed with any
	// of them open. None: a random key of this process, so that cursors die with it and do not work
	// across replicas.
	CursorKeys [][]byte

	// RequireRLS refuses to start unless row policies bind the role on every table, join tables included,
	// and takes out of service what a later binding finds without one: the resources that read the table,
	// or all when it is the role. When false, what is missing at the start is logged as warnings.
	RequireRLS bool

	// Logger takes what concerns operators. Nil: slog.Default().
	Logger *slog.Logger
}

const (
	defaultLimit     = 25
	defaultMaxLimit  = 100
	defaultPageBytes = 64 << 10
	defaultStatement = 5 * time.Second
	defaultLock      = 500 * time.Millisecond
	defaultCount     = time.Second

	maxOffset  = 10_000
	maxIDs     = 500
	maxNames   = 500
	maxCount   = 10_000  // what a capped count counts to
	maxCarried = 1 << 10 // bytes of a sort value that a cursor carries
	cursorLife = time.Hour
	maxShapes  = 256
)

func (o *Options) withDefaults() Options {
	var out Options
	if o != nil {
		out = *o
	}
	setDefault(&out.DefaultLimit, defaultLimit)
	setDefault(&out.MaxLimit, defaultMaxLimit)
	setDefault(&out.PageBytes, defaultPageBytes)
	setDefault(&out.StatementTimeout, defaultStatement)
	setDefault(&out.LockTimeout, defaultLock)
	setDefault(&out.CountTimeout, defaultCount)
	if out.DefaultLimit > out.MaxLimit {
		out.DefaultLimit = out.MaxLimit
	}
	if out.Logger == nil {
		out.Logger = slog.Default()
	}
	return out
}

func setDefault[T int | time.Duration](v *T, d T) {
	if *v <= 0 {
		*v = d
	}
}
