CREATE TABLE accounts (id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE Users (
  id INTEGER PRIMARY KEY, account_id INTEGER NOT NULL REFERENCES accounts (ID), email TEXT, password_hash TEXT, avatar BLOB, settings JSON,
  loud TEXT GENERATED ALWAYS AS (upper(email)) VIRTUAL, updated_at TIMESTAMPTZ, deleted_at TIMESTAMPTZ, manager INTEGER REFERENCES users);
CREATE INDEX users_email ON users (account_id, email);
CREATE INDEX users_lower ON users (lower(email));
CREATE TABLE orders (account_id INTEGER NOT NULL, number INTEGER NOT NULL, user_id INTEGER REFERENCES USERS (Id), paid BOOLEAN, PRIMARY KEY (account_id, number)) WITHOUT ROWID;
CREATE TABLE lines (id TEXT PRIMARY KEY, account INTEGER, number INTEGER, sku ANY, FOREIGN KEY (account, number) REFERENCES orders);
CREATE INDEX lines_order ON lines (number, account, sku);
CREATE TABLE tags (id INTEGER PRIMARY KEY, account_id INTEGER, label TEXT);
CREATE TABLE user_tags (user_id INTEGER REFERENCES users, tag_id INTEGER REFERENCES tags, PRIMARY KEY (user_id, tag_id));
CREATE TABLE "on" (id INTEGER PRIMARY KEY, account_id INTEGER, "null" TEXT, "a.b" TEXT, "" TEXT, "${X}" TEXT, untyped);
CREATE TABLE "dot.ted" (id INTEGER PRIMARY KEY, account_id INTEGER);
CREATE TABLE odd_tenant (id INTEGER PRIMARY KEY, account_id TEXT);
CREATE TABLE rowid_only (account_id INTEGER, name TEXT);
CREATE TABLE dangling (id INTEGER PRIMARY KEY, user_id INTEGER REFERENCES nobody, other INTEGER REFERENCES users (no_column));
CREATE TABLE counted (id INTEGER PRIMARY KEY AUTOINCREMENT, account_id INTEGER);
CREATE VIRTUAL TABLE words USING fts5(account_id, body);
CREATE VIEW order_view AS SELECT * FROM orders;
