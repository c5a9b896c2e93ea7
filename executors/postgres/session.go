package postgres

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/resource"
)

// session is what the envelope knows of one connection: its prepared statements. It belongs to whoever
// holds the connection.
type session struct {
	named    bool
	prepared *simplelru.LRU[string, prepared]
	text     int      // bytes of the texts of those
	evicted  []string // statements to deallocate
	prefix   string   // of the names of the statements: a pooler may take the server's connection to somebody else's
	serial   int
	params   params
	setting  executors.Statement // that of the settings, with the arguments of the call
	times    [2]budgeted         // what the last call set: for a statement, and for a lock
}

// budgeted is a time as it is set, and as the server shows it then. Calls hardly differ in theirs.
type budgeted struct {
	time  time.Duration
	set   any // a string
	shown string
}

func (b *budgeted) be(d time.Duration) {
	if b.set == nil || b.time != d {
		*b = budgeted{d, millis(d), shown(d)}
	}
}

// sets has the settings be those of a call.
func (s *session) sets(call *executors.Call, path string) {
	s.times[0].be(call.StatementTimeout)
	s.times[1].be(call.LockTimeout)
	s.setting = executors.Statement{
		Args: append(s.setting.Args[:0], call.Tenant.Key(), s.times[0].set, s.times[1].set, path), Binary: oneBinary,
	}
}

// unsets forgets the arguments: the next call sets its own, or none.
func (s *session) unsets() {
	clear(s.setting.Args)
	s.setting.Args = s.setting.Args[:0]
}

type prepared struct {
	description *pgconn.StatementDescription
	formats     []int16
}

// maxPrepared is how many statements a connection keeps, and maxKeptText how many bytes of their texts: each byte
// costs the server about seventy. A text of more than a sixteenth of that is not kept.
const (
	maxPrepared = 256
	maxKeptText = 1 << 20
)

const sessionKey = "tenantry"

func sessionOf(pg *pgconn.PgConn, named bool) *session {
	if s, ok := pg.CustomData()[sessionKey].(*session); ok {
		return s
	}
	s := &session{named: named, prefix: "tenantry_" + strconv.FormatUint(rand.Uint64(), 36) + "_"}
	lru, err := simplelru.NewLRU(maxPrepared, func(sql string, p prepared) {
		s.text -= len(sql)
		s.evicted = append(s.evicted, p.description.Name)
	})
	if err != nil {
		panic(err) // the size is a positive constant
	}
	s.prepared = lru
	pg.CustomData()[sessionKey] = s
	return s
}

// prepare returns the statement, prepared on this connection.
func (s *session) prepare(ctx context.Context, pg *pgconn.PgConn, sql string, st *executors.Statement) (prepared, error) {
	if p, ok := s.prepared.Get(sql); ok {
		return p, nil
	}
	s.serial++
	d, err := s.describe(ctx, pg, s.prefix+strconv.Itoa(s.serial), sql)
	if err != nil {
		return prepared{}, err
	}
	if err := fits(d.Fields, st); err != nil {
		return prepared{}, errors.Join(err, pg.Deallocate(ctx, d.Name))
	}
	p := prepared{d, formats(st.Binary)}
	s.prepared.Add(sql, p)
	for s.text += len(sql); s.text > maxKeptText; {
		s.prepared.RemoveOldest()
	}
	for _, name := range s.evicted {
		if err := pg.Deallocate(ctx, name); err != nil {
			return prepared{}, err
		}
	}
	s.evicted = s.evicted[:0]
	return p, nil
}

// describe prepares a statement behind the settings of the call, in one transaction with them: names and
// operators are found by the call's search path, and a lock is waited for no longer than the call may.
func (s *session) describe(ctx context.Context, pg *pgconn.PgConn, name, sql string) (*pgconn.StatementDescription, error) {
	var values [][]byte
	for _, v := range s.setting.Args {
		values = append(values, fmt.Append(nil, v))
	}
	p := pg.StartPipeline(ctx)
	p.SendQueryParams(setSQL, values, nil, nil, nil)
	p.SendPrepare(name, sql, nil)
	err := p.Sync()
	var d *pgconn.StatementDescription
	for err == nil {
		var result any
		if result, err = p.GetResults(); result == nil {
			break
		}
		switch r := result.(type) {
		case *pgconn.ResultReader:
			_, err = r.Close()
		case *pgconn.StatementDescription:
			d = r
		}
	}
	err = errors.Join(err, p.Close())
	switch {
	case err != nil:
		return nil, err
	case d == nil:
		return nil, errors.New("postgres: a statement was not prepared")
	}
	d.Name, d.SQL = name, sql
	return d, nil
}

// fits refuses a statement whose binary columns are no longer of the type that their writers read.
func fits(fields []pgconn.FieldDescription, st *executors.Statement) error {
	if st.OIDs != nil && len(st.OIDs) != len(fields) {
		return resource.Internal(fmt.Errorf("%w: a statement has %d columns instead of %d", executors.ErrDrift, len(fields), len(st.OIDs)))
	}
	for i, oid := range st.OIDs {
		if oid != 0 && fields[i].DataTypeOID != oid {
			return resource.Internal(fmt.Errorf("%w: column %d is of type %d, and was bound as %d", executors.ErrDrift, i+1, fields[i].DataTypeOID, oid))
		}
	}
	return nil
}

// forget drops every prepared statement of the connection.
func (s *session) forget() { s.prepared.Purge() }

// formats are the protocol's codes: 1 for binary, 0 for text; none for all text.
func formats(binary []bool) []int16 {
	if len(binary) == 0 {
		return nil
	}
	out := make([]int16, len(binary))
	for i, b := range binary {
		if b {
			out[i] = 1
		}
	}
	return out
}
