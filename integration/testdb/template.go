package testdb

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/tenantry/tenantry/migrations"
)

// reader is the role behind DB.ReaderURL.
const reader = "tenantry_test_reader"

// sets are what the template has.
var sets = []migrations.Set{migrations.Framework, migrations.Example}

// create makes a database, as a clone of the template or empty.
func (s *Server) create(ctx context.Context, migrated bool) (*DB, error) {
	if err := s.prepared(); err != nil {
		return nil, err
	}
	source := "template0"
	if migrated {
		source = templateName()
	}
	name := "tenantry_test_" + strings.ToLower(rand.Text())
	err := s.admin(ctx, func(conn *pgx.Conn) error {
		return each(ctx, conn,
			"CREATE DATABASE "+name+" TEMPLATE "+source,
			"REVOKE ALL ON DATABASE "+name+" FROM PUBLIC", // a database gives everybody TEMP
			"GRANT CONNECT ON DATABASE "+name+" TO "+reader)
	})
	if err != nil {
		return nil, err
	}
	db := &DB{name: name, URL: s.url(name, nil), ReaderURL: s.url(name, url.UserPassword(reader, s.readerPassword()))}
	if pooler := os.Getenv(EnvPooler); pooler != "" {
		db.ReaderURL = through(db.ReaderURL, pooler)
	}
	return db, nil
}

// drop removes a database, whoever is connected to it.
func (s *Server) drop(ctx context.Context, db *DB) error {
	return s.admin(ctx, func(conn *pgx.Conn) error {
		return each(ctx, conn, "DROP DATABASE IF EXISTS "+db.name+" WITH (FORCE)")
	})
}

// prepare makes the template database and the reading role, if no other test binary has made them on this
// server. One binary does so at a time.
func (s *Server) prepare() error {
	ctx, cancel := context.WithTimeout(context.Background(), startWait)
	defer cancel()
	return s.admin(ctx, func(conn *pgx.Conn) error {
		if err := each(ctx, conn, "SELECT pg_advisory_lock(hashtextextended('tenantry_template', 0))"); err != nil {
			return err
		}
		var done bool
		err := conn.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)", templateName()).Scan(&done)
		if err == nil && !done {
			err = s.makeTemplate(ctx, conn)
		}
		if err != nil {
			return err
		}
		return each(ctx, conn, s.makeReader())
	})
}

// makeTemplate gives the template its name last, so that a database of that name is complete.
func (s *Server) makeTemplate(ctx context.Context, conn *pgx.Conn) error {
	draft := "tenantry_draft_" + strings.ToLower(rand.Text())
	if err := each(ctx, conn, "CREATE DATABASE "+draft+" TEMPLATE template0"); err != nil {
		return err
	}
	for _, set := range sets {
		if err := migrations.Up(ctx, s.url(draft, nil), set); err != nil {
			return errors.Join(err, each(ctx, conn, "DROP DATABASE "+draft+" WITH (FORCE)"))
		}
	}
	return each(ctx, conn,
		"ALTER DATABASE "+draft+" ALLOW_CONNECTIONS false", // a template that somebody visits cannot be cloned
		"ALTER DATABASE "+draft+" RENAME TO "+templateName())
}

// makeReader is the statement for a role that may log in, and is a member of tenantry_reader.
func (s *Server) makeReader() string {
	return fmt.Sprintf(`DO $$ BEGIN
		IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '%[1]s') THEN CREATE ROLE %[1]s; END IF;
		ALTER ROLE %[1]s LOGIN PASSWORD '%[2]s';
		GRANT tenantry_reader TO %[1]s;
	END $$`, reader, s.readerPassword())
}

// readerPassword is the same in every test binary that knows the administrator's.
func (s *Server) readerPassword() string {
	u, err := url.Parse(s.URL)
	if err != nil {
		panic(err) // it has been connected to
	}
	sum := sha256.Sum256([]byte("reader beside " + u.User.String()))
	return hex.EncodeToString(sum[:16])
}

// url is the address of a database of this server; a nil user is the administrator.
func (s *Server) url(database string, user *url.Userinfo) string {
	u, err := url.Parse(s.URL)
	if err != nil {
		panic(err) // it has been connected to
	}
	u.Path = "/" + database
	if user != nil {
		u.User = user
	}
	return u.String()
}

// admin runs do with a connection to the maintenance database.
func (s *Server) admin(ctx context.Context, do func(*pgx.Conn) error) (err error) {
	conn, err := pgx.Connect(ctx, s.URL)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close(ctx)) }()
	return do(conn)
}

// each runs statements one after the other, since CREATE DATABASE refuses company.
func each(ctx context.Context, conn *pgx.Conn, statements ...string) error {
	for _, sql := range statements {
		if _, err := conn.Exec(ctx, sql); err != nil {
			return fmt.Errorf("%s: %w", strings.SplitN(sql, "\n", 2)[0], err)
		}
	}
	return nil
}

// templateName changes with the files of the migrations, so that a server that outlives the tests never
// serves an old template.
func templateName() string {
	var all []byte
	for _, set := range sets {
		names, _ := fs.Glob(set.Files, "*") // only a bad pattern is an error
		for _, name := range names {
			text, err := fs.ReadFile(set.Files, name)
			if err != nil {
				panic(err) // it is embedded
			}
			all = append(fmt.Appendf(all, "%s %d ", name, len(text)), text...)
		}
	}
	sum := sha256.Sum256(all)
	return "tenantry_template_" + hex.EncodeToString(sum[:6])
}
