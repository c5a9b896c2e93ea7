package sqlite

import "context"

// What a black-box test cannot see: how many connections and statements are kept.

// Connections is the number of open connections.
func Connections(db *DB) int { return db.pool.Stats().OpenConnections }

// MaxConnections is the most that can be open.
func MaxConnections(db *DB) int { return db.pool.Stats().MaxOpenConnections }

// Prepared is the number of statements that one connection keeps.
func Prepared(db *DB) (n int) {
	_ = db.with(context.Background(), func(s *session) error {
		n = s.prepared.Len()
		return nil
	})
	return n
}

// Statement is what one connection keeps for a text, or nil.
func Statement(db *DB, text string) (st any) {
	_ = db.with(context.Background(), func(s *session) error {
		st, _ = s.prepared.Peek(text)
		return nil
	})
	return st
}
