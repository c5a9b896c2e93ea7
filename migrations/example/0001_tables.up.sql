-- A small shop with several tenants. Every table carries the tenant, and every index begins with it:
-- that is what a scoped query, and a policy, compares first.

CREATE EXTENSION IF NOT EXISTS citext;

CREATE TABLE tenants (
	id int PRIMARY KEY,
	name text NOT NULL
);

CREATE TYPE order_state AS ENUM ('draft', 'paid', 'void');

CREATE TABLE customers (
	id bigint PRIMARY KEY,
	tenant_id int NOT NULL REFERENCES tenants,
	email citext NOT NULL,
	display_name text,
	credit_note text, -- shown to no client
	deleted_at timestamptz
);

CREATE TABLE orders (
	id bigint PRIMARY KEY,
	tenant_id int NOT NULL REFERENCES tenants,
	bill_to bigint REFERENCES customers,
	ship_to bigint REFERENCES customers,
	parent_id bigint REFERENCES orders,
	state order_state,
	total numeric(18,4),
	qty int,
	urgent boolean,
	due date,
	placed_at timestamptz,
	ref uuid,
	tags text[],
	extra jsonb,
	note text
);

CREATE TABLE order_lines (
	id bigint PRIMARY KEY,
	tenant_id int NOT NULL REFERENCES tenants,
	order_id bigint REFERENCES orders,
	sku text
);

CREATE INDEX customers_tenant_id ON customers (tenant_id, id);
CREATE INDEX customers_tenant_email ON customers (tenant_id, email);
CREATE INDEX orders_tenant_id ON orders (tenant_id, id);
CREATE INDEX orders_tenant_placed_at ON orders (tenant_id, placed_at, id);
CREATE INDEX orders_tenant_total ON orders (tenant_id, total, id);
CREATE INDEX orders_tenant_bill_to ON orders (tenant_id, bill_to, id);
CREATE INDEX order_lines_tenant_id ON order_lines (tenant_id, id);
CREATE INDEX order_lines_tenant_order ON order_lines (tenant_id, order_id, id);
