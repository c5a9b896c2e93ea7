package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"
)

// demoTables is the schema of the demo's database. The second company's rows stand between the first
// one's, so that a forgotten condition would show.
const demoTables = `
CREATE TABLE customers (
	id INTEGER PRIMARY KEY, company_id INTEGER NOT NULL, name TEXT NOT NULL, email TEXT, country TEXT NOT NULL,
	created_at TIMESTAMPTZ NOT NULL);
CREATE TABLE orders (
	id INTEGER PRIMARY KEY, company_id INTEGER NOT NULL, customer_id INTEGER NOT NULL REFERENCES customers,
	number TEXT NOT NULL, state TEXT NOT NULL, placed_at TIMESTAMPTZ, total DOUBLE PRECISION NOT NULL,
	margin DOUBLE PRECISION NOT NULL, updated_at TIMESTAMPTZ NOT NULL, deleted_at TIMESTAMPTZ);
CREATE TABLE order_lines (
	id INTEGER PRIMARY KEY, order_id INTEGER NOT NULL REFERENCES orders, product TEXT NOT NULL,
	quantity INTEGER NOT NULL, price DOUBLE PRECISION NOT NULL);
CREATE INDEX customers_company ON customers (company_id, id);
CREATE INDEX orders_company ON orders (company_id, id);
CREATE INDEX order_lines_order ON order_lines (order_id);`

const (
	demoCustomers = 200
	demoOrders    = 1500
	demoTimes     = "2006-01-02T15:04:05.000000Z"
)

// fillDemo makes the demo's tables in an empty SQLite database. Their rows are the same on every run.
func fillDemo(ctx context.Context, db *sql.DB) error {
	if _, err := db.ExecContext(ctx, demoTables); err != nil {
		return err
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	f := &filler{tx: tx, rand: rand.New(rand.NewPCG(1, 2))}
	f.customers(ctx)
	f.orders(ctx)
	if f.err != nil {
		return errors.Join(f.err, tx.Rollback())
	}
	return tx.Commit()
}

// filler writes rows and keeps the first error.
type filler struct {
	tx   *sql.Tx
	rand *rand.Rand
	err  error
}

func (f *filler) exec(ctx context.Context, query string, args ...any) {
	if f.err == nil {
		_, f.err = f.tx.ExecContext(ctx, query, args...)
	}
}

// company is the tenant of the n-th customer and of the n-th order.
func company(n int) int { return 1 + n%2 }

func (f *filler) customers(ctx context.Context) {
	first := []string{"Ada", "Björn", "Chiara", "Dmitri", "Élodie", "Farah", "Goran", "Hana"}
	last := []string{"Okafor", "Lindqvist", "Moretti", "Tanaka", "Novák", "O'Brien", "Yilmaz"}
	countries := []string{"DE", "FR", "IT", "JP", "SE", "US"}
	for id := 1; id <= demoCustomers; id++ {
		name := pick(f.rand, first) + " " + pick(f.rand, last)
		f.exec(ctx, "INSERT INTO customers VALUES (?, ?, ?, ?, ?, ?)", id, company(id), name,
			fmt.Sprintf("customer%d@example.com", id), pick(f.rand, countries), f.day(0).Format(demoTimes))
	}
}

func (f *filler) orders(ctx context.Context) {
	products := []string{"Anvil", "Rocket skates", "Giant magnet", "Birdseed", "Tunnel paint", "Tornado seeds"}
	line := 0
	for id := 1; id <= demoOrders; id++ {
		customer := 1 + 2*f.rand.IntN(demoCustomers/2) + (1 - id%2) // of the same company
		state := pick(f.rand, []string{"draft", "placed", "placed", "shipped", "shipped", "shipped", "cancelled"})
		changed := f.day(365)
		var placed, deleted any
		if state != "draft" {
			placed = changed.Format(demoTimes)
		}
		if id%50 == 0 {
			deleted = changed.Add(time.Hour).Format(demoTimes)
		}
		cents := 0
		lines := 1 + f.rand.IntN(3)
		for range lines {
			line++
			quantity, price := 1+f.rand.IntN(9), 100+f.rand.IntN(20_000)
			cents += quantity * price
			f.exec(ctx, "INSERT INTO order_lines VALUES (?, ?, ?, ?, ?)", line, id, pick(f.rand, products), quantity, euros(price))
		}
		f.exec(ctx, "INSERT INTO orders VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", id, company(id), customer,
			fmt.Sprintf("2026-%04d", id), state, placed, euros(cents), euros(cents/4), changed.Format(demoTimes), deleted)
	}
}

// day is some moment of the year that begins so many days after the first of January 2025.
func (f *filler) day(offset int) time.Time {
	begin := time.Date(2025, time.January, 1+offset, 0, 0, 0, 0, time.UTC)
	return begin.Add(time.Duration(f.rand.Int64N(int64(365 * 24 * time.Hour)))).Truncate(time.Second)
}

func euros(cents int) float64 { return float64(cents) / 100 }

func pick(r *rand.Rand, from []string) string { return from[r.IntN(len(from))] }
