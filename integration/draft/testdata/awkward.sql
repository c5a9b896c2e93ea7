CREATE SCHEMA sales;
CREATE SCHEMA "dotted.schema";
CREATE TYPE state AS ENUM ('draft', 'paid');
CREATE DOMAIN code AS text NOT NULL CHECK (value <> '');
CREATE TABLE accounts (id bigint PRIMARY KEY, owner_id bigint, name text);
CREATE TABLE countries (code char(2) PRIMARY KEY, name text);
CREATE TABLE users (
  id bigint PRIMARY KEY, account_id bigint NOT NULL REFERENCES accounts, email text NOT NULL, password_digest text, "apiKey" text,
  tokenized_at timestamptz, otp_enabled boolean NOT NULL, login_token_count int, country char(2) REFERENCES countries, manager_id bigint REFERENCES users,
  created_at timestamptz, updated_at timestamptz, deleted_at timestamptz);
ALTER TABLE accounts ADD FOREIGN KEY (owner_id) REFERENCES users;
CREATE UNIQUE INDEX ON users (account_id, email);
CREATE INDEX ON users (created_at);
CREATE INDEX ON users (lower(email));
CREATE TABLE profiles (user_id bigint PRIMARY KEY REFERENCES users, bio text);
COMMENT ON TABLE users IS E'People: who #log in\n  "every" day, for ${HOME} and $${X} \\ ''quoted''';
COMMENT ON COLUMN users.email IS '- [a]: b # c';
CREATE TABLE orders (
  account_id bigint NOT NULL, number int NOT NULL, bill_to bigint REFERENCES users, ship_to bigint NOT NULL REFERENCES users,
  state state NOT NULL, total numeric(10, 2), gross numeric GENERATED ALWAYS AS (total * 1.2) STORED, paid boolean, tags text[], extra jsonb, raw json,
  photo bytea, doc xml, words tsvector, during tstzrange, at timestamp, PRIMARY KEY (account_id, number)) PARTITION BY HASH (account_id);
CREATE TABLE orders_0 PARTITION OF orders FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE orders_1 PARTITION OF orders FOR VALUES WITH (MODULUS 2, REMAINDER 1);
CREATE INDEX ON orders (account_id, state);
CREATE INDEX ON orders (account_id, at DESC);
CREATE TABLE lines (
  id uuid PRIMARY KEY, account bigint NOT NULL, order_number int NOT NULL, sku code, approver bigint REFERENCES users,
  FOREIGN KEY (account, order_number) REFERENCES orders (account_id, number));
CREATE INDEX ON lines (account, order_number, sku);
CREATE TABLE notes (id int PRIMARY KEY, line_id uuid REFERENCES lines, body text);
CREATE TABLE tags (id int PRIMARY KEY, account_id bigint NOT NULL, label text, UNIQUE (account_id, label));
CREATE TABLE user_tags (user_id bigint REFERENCES users, tag_id int REFERENCES tags, added_at timestamptz, PRIMARY KEY (user_id, tag_id));
CREATE TABLE follows (id serial PRIMARY KEY, account_id bigint, follower_id bigint REFERENCES users, followed_id bigint REFERENCES users, UNIQUE (follower_id, followed_id));
CREATE TABLE "on" (id int PRIMARY KEY, account_id bigint, "null" text, "yes" text, "1e3" int, "a.b" text, "a_b" text, "x,y" text, links text, "any" text, "-dash" text,
  "${HOME}" text, "$" text, "sp ace" text, "q""uote" text, "2020-01-01" date, "~" text, " lead" text, "tab	name" text, "ünï" text, "<<" text, "*a" text, "&a" text, "!a" text, "#a" text, "a: b" text);
CREATE INDEX ON "on" (account_id, "a.b");
CREATE INDEX ON "on" ("1e3");
COMMENT ON COLUMN "on"."null" IS 'on';
CREATE TABLE "We""ird ${X} $1" (id int PRIMARY KEY, account_id bigint, on_id int REFERENCES "on");
CREATE TABLE "dot.ted" (id int PRIMARY KEY, account_id bigint);
CREATE TABLE "dotted.schema".hidden (id int PRIMARY KEY, account_id bigint);
CREATE TABLE sales.orders (id int PRIMARY KEY, account_id bigint, user_id bigint REFERENCES users, parent_id int REFERENCES sales.orders);
CREATE TABLE bare (account_id bigint, name text);
CREATE TABLE keyed (account_id bigint, code text NOT NULL, name text, UNIQUE (name), UNIQUE (code, account_id));
CREATE TABLE sessions (token text PRIMARY KEY, account_id bigint);
CREATE TABLE periods (during tstzrange PRIMARY KEY, account_id bigint);
CREATE TABLE odd_tenant (id int PRIMARY KEY, account_id jsonb);
CREATE TABLE uuid_tenant (id int PRIMARY KEY, account_id uuid);
CREATE TABLE settings (account_id bigint PRIMARY KEY REFERENCES accounts, theme text);
CREATE TABLE only_tenant (account_id bigint PRIMARY KEY);
CREATE TABLE invoices (id int PRIMARY KEY, customer bigint REFERENCES accounts);
CREATE TABLE a_cycle (id int PRIMARY KEY, b int, user_id bigint REFERENCES users);
CREATE TABLE b_cycle (id int PRIMARY KEY, a int REFERENCES a_cycle);
ALTER TABLE a_cycle ADD FOREIGN KEY (b) REFERENCES b_cycle;
CREATE TABLE lonely_a (id int PRIMARY KEY, b int);
CREATE TABLE lonely_b (id int PRIMARY KEY, a int REFERENCES lonely_a);
ALTER TABLE lonely_a ADD FOREIGN KEY (b) REFERENCES lonely_b;
CREATE VIEW order_view AS SELECT * FROM orders;
CREATE TABLE odd_names (id int PRIMARY KEY, account_id bigint, U&"a\0001b" text, U&"\FEFFc" text, U&"d\2028e" text, U&"f\0085g" text, U&"h\+01F642" text, U&"i\007F" text, U&"j\FFFE" text, U&"k\00A0" text, U&"\202El" text);
CREATE TABLE documents (id int PRIMARY KEY, org bigint REFERENCES accounts, author_id bigint REFERENCES users);
CREATE TABLE coded (account_id bigint, code text NOT NULL, UNIQUE (code, account_id));
CREATE TABLE coded_parts (id int PRIMARY KEY, account bigint, code text, FOREIGN KEY (code, account) REFERENCES coded (code, account_id));
CREATE TABLE remarks (id int PRIMARY KEY, tag_id int REFERENCES tags, user_id bigint NOT NULL REFERENCES users);
