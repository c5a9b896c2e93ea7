-- A shop that three merchants share: twenty-six tables and views with the habits of schemas that have
-- grown. Keys are numbers, texts, uuids, codes of fixed width and all kinds of pairs and triples; names need
-- quoting; types are domains, enums, ranges, arrays and composites; there are views, partitions and cycles.
-- It stands beside the framework's own objects, which it needs for tenantry.protect.

CREATE EXTENSION IF NOT EXISTS citext;

CREATE SCHEMA shop;
CREATE SCHEMA "back office";

CREATE TYPE shop.standing AS ENUM ('guest', 'regular', 'gold', 'barred');
CREATE TYPE shop.address_kind AS ENUM ('billing', 'delivery', 'pick-up: locker/box');
CREATE TYPE shop.order_state AS ENUM ('draft', 'placed', 'packed', 'sent', 'closed', 'cancelled');
CREATE TYPE shop.pay_method AS ENUM ('card', 'transfer', 'cash', 'voucher');
CREATE TYPE shop.colour AS ENUM ('red', 'green', 'blue', 'off white', 'none, really');
CREATE TYPE shop.size AS (width real, height real, note text);
CREATE TYPE shop.price_range AS RANGE (subtype = numeric);

CREATE DOMAIN shop.amount AS numeric(14,2) CHECK (VALUE >= 0);
CREATE DOMAIN shop.discount AS shop.amount CHECK (VALUE <= 100);
CREATE DOMAIN shop.quantity AS int CHECK (VALUE BETWEEN 0 AND 100000);
CREATE DOMAIN shop.sku AS text CHECK (VALUE <> '');
CREATE DOMAIN shop.instant AS timestamptz;
CREATE DOMAIN shop.day AS date;
CREATE DOMAIN shop.paid_by AS shop.pay_method;
CREATE DOMAIN shop.keywords AS text[];
CREATE DOMAIN shop.reference AS uuid;
CREATE DOMAIN shop.initials AS char(3);
CREATE DOMAIN shop.span AS interval;
CREATE DOMAIN shop.yes_no AS boolean;
CREATE DOMAIN shop.document AS jsonb;

CREATE TABLE shop.merchants (
	id int PRIMARY KEY,
	slug text NOT NULL UNIQUE,
	name varchar(60) NOT NULL,
	founded date,
	open_since timestamp
);

CREATE TABLE shop.customers (
	id bigint PRIMARY KEY,
	merchant_id int NOT NULL REFERENCES shop.merchants,
	email citext,
	name text NOT NULL,
	nickname varchar(40),
	initials shop.initials,
	standing shop.standing NOT NULL DEFAULT 'guest',
	vip shop.yes_no,
	credit shop.amount,
	allowances shop.amount[],
	rating real,
	score double precision,
	born shop.day,
	joined_at shop.instant NOT NULL,
	changed_at timestamptz NOT NULL,
	phones text[],
	past_standings shop.standing[],
	preferences shop.document,
	last_address inet,
	referred_by bigint REFERENCES shop.customers
);
CREATE INDEX ON shop.customers (merchant_id, id);
CREATE INDEX ON shop.customers (merchant_id, name, id);

-- The merchant is a part of the key, and clients never see it.
CREATE TABLE shop.addresses (
	merchant_id int NOT NULL,
	customer_id bigint NOT NULL REFERENCES shop.customers,
	kind shop.address_kind NOT NULL,
	line text,
	postcode char(8),
	country char(2) NOT NULL,
	lives_there daterange,
	spot point,
	PRIMARY KEY (merchant_id, customer_id, kind)
);

CREATE TABLE shop.categories (
	merchant_id int NOT NULL,
	path text NOT NULL,
	parent_path text,
	title varchar(80),
	position smallint,
	PRIMARY KEY (merchant_id, path),
	FOREIGN KEY (merchant_id, parent_path) REFERENCES shop.categories
);

CREATE TABLE shop.products (
	id uuid PRIMARY KEY,
	merchant_id int NOT NULL,
	sku shop.sku NOT NULL,
	name text NOT NULL,
	price shop.amount,
	vat numeric(5,3),
	gross numeric GENERATED ALWAYS AS (price * (1 + vat)) STORED,
	weight numeric,
	barcode char(13),
	released shop.day,
	retired_at timestamp,
	colours shop.colour[],
	grid int[],
	keywords shop.keywords,
	sold_during tstzrange,
	stages nummultirange,
	usual_price shop.price_range,
	measures shop.size,
	attributes jsonb,
	image bytea,
	words tsvector GENERATED ALWAYS AS (to_tsvector('simple', name)) STORED,
	UNIQUE (merchant_id, sku)
);

CREATE TABLE shop.product_categories (
	merchant_id int NOT NULL,
	product_id uuid NOT NULL REFERENCES shop.products,
	path text NOT NULL,
	main boolean NOT NULL,
	PRIMARY KEY (merchant_id, product_id, path),
	FOREIGN KEY (merchant_id, path) REFERENCES shop.categories
);

-- A tag belongs to a merchant, or to everybody. Its key is shown by no field.
CREATE TABLE shop.tags (
	id shop.reference PRIMARY KEY,
	merchant_id int,
	common boolean NOT NULL,
	label citext NOT NULL,
	weight double precision
);

CREATE TABLE shop.product_tags (
	product_id uuid NOT NULL REFERENCES shop.products,
	tag_id uuid NOT NULL REFERENCES shop.tags,
	merchant_id int NOT NULL,
	since timestamptz,
	PRIMARY KEY (product_id, tag_id)
);

CREATE TABLE shop."Price Lists" (
	"Merchant" int NOT NULL,
	"Code" char(4) NOT NULL,
	"List Name" text,
	"valid during" daterange,
	"Discount, %" shop.discount,
	"select" boolean,
	PRIMARY KEY ("Merchant", "Code")
);

CREATE TABLE shop.prices (
	merchant_id int NOT NULL,
	list_code char(4) NOT NULL,
	product_id uuid NOT NULL REFERENCES shop.products,
	from_quantity shop.quantity NOT NULL,
	price numeric(14,4) NOT NULL,
	PRIMARY KEY (merchant_id, list_code, product_id, from_quantity),
	FOREIGN KEY (merchant_id, list_code) REFERENCES shop."Price Lists"
);

CREATE TABLE shop.warehouses (
	merchant_id int NOT NULL,
	id smallint NOT NULL,
	name text NOT NULL,
	opens time,
	closes timetz,
	spot point,
	yard box,
	door macaddr,
	network cidr,
	PRIMARY KEY (merchant_id, id)
);

CREATE TABLE shop.stock (
	merchant_id int NOT NULL,
	warehouse_id smallint NOT NULL,
	product_id uuid NOT NULL REFERENCES shop.products,
	on_hand shop.quantity NOT NULL,
	reserved int,
	counted_at timestamp,
	PRIMARY KEY (merchant_id, warehouse_id, product_id),
	FOREIGN KEY (merchant_id, warehouse_id) REFERENCES shop.warehouses
);

CREATE TABLE shop.orders (
	id bigint PRIMARY KEY,
	merchant_id int NOT NULL,
	number text NOT NULL,
	customer_id bigint REFERENCES shop.customers,
	state shop.order_state NOT NULL,
	total numeric(14,4),
	placed_at timestamptz,
	due date,
	urgent boolean,
	note text,
	extra json,
	deleted_at timestamptz,
	UNIQUE (merchant_id, number)
);
CREATE INDEX ON shop.orders (merchant_id, placed_at DESC, due, id);

-- Lines have no merchant of their own: their order has.
CREATE TABLE shop.order_lines (
	order_id bigint NOT NULL REFERENCES shop.orders,
	line_no smallint NOT NULL,
	product_id uuid REFERENCES shop.products,
	quantity shop.quantity NOT NULL,
	price numeric(14,4),
	gift_text text,
	list_code char(4), -- with product and price_from the price of a list that was applied
	price_from int,
	PRIMARY KEY (order_id, line_no)
);

-- A reference to a line, which has a key of two parts.
CREATE TABLE shop.returns (
	id int PRIMARY KEY,
	merchant_id int NOT NULL,
	order_id bigint NOT NULL,
	line_no smallint,
	reason varchar(2000),
	came_back date,
	FOREIGN KEY (order_id, line_no) REFERENCES shop.order_lines
);

CREATE TABLE shop.shipments (
	id uuid PRIMARY KEY,
	order_id bigint NOT NULL REFERENCES shop.orders,
	carrier varchar(30),
	took shop.span,
	weight real,
	flags bit(5),
	route varbit,
	sent_at timestamptz
);

CREATE TABLE shop.payments (
	id numeric(24,0) PRIMARY KEY,
	merchant_id int NOT NULL,
	order_id bigint NOT NULL REFERENCES shop.orders,
	method shop.paid_by,
	amount money,
	received numeric,
	booked date
);

CREATE TABLE shop.invoices (
	merchant_id int NOT NULL,
	number text NOT NULL,
	order_id bigint REFERENCES shop.orders,
	issued shop.day,
	total numeric,
	text text,
	PRIMARY KEY (merchant_id, number)
);

-- An invoice's key as a reference from elsewhere, with a part of its own.
CREATE TABLE shop.reminders (
	merchant_id int NOT NULL,
	invoice_number text NOT NULL,
	step "char" NOT NULL,
	level smallint NOT NULL,
	sent_on date,
	fee double precision,
	PRIMARY KEY (merchant_id, invoice_number, level),
	FOREIGN KEY (merchant_id, invoice_number) REFERENCES shop.invoices
);

CREATE TABLE shop.reviews (
	id int PRIMARY KEY,
	merchant_id int NOT NULL,
	subject_type text,
	subject_id text,
	stars smallint,
	body text,
	written_at timestamptz
);

CREATE TABLE "back office"."Employees" (
	"Merchant?" int NOT NULL,
	"Employee No" int NOT NULL,
	"Full ""Name""" text NOT NULL,
	"E-mail" citext,
	"Reports To" int,
	"Deputy" int,
	"Hired" date,
	"order" int,
	salary numeric(10,2),
	PRIMARY KEY ("Merchant?", "Employee No"),
	FOREIGN KEY ("Merchant?", "Reports To") REFERENCES "back office"."Employees" DEFERRABLE INITIALLY DEFERRED,
	FOREIGN KEY ("Merchant?", "Deputy") REFERENCES "back office"."Employees" DEFERRABLE INITIALLY DEFERRED
);

CREATE TABLE "back office".attachments (
	id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
	merchant_id int NOT NULL,
	owner_kind text,
	owner_no bigint,
	file_name text NOT NULL,
	content bytea,
	raw json,
	meta jsonb,
	pages oid,
	label xml
);

-- What happened, in partitions by time: the key holds an instant.
CREATE TABLE shop.events (
	merchant_id int NOT NULL,
	at timestamptz NOT NULL,
	seq int NOT NULL,
	kind text,
	payload jsonb,
	PRIMARY KEY (merchant_id, at, seq)
) PARTITION BY RANGE (at);
CREATE TABLE shop.events_early PARTITION OF shop.events FOR VALUES FROM (MINVALUE) TO ('2026-03-01Z');
CREATE TABLE shop.events_late PARTITION OF shop.events FOR VALUES FROM ('2026-03-01Z') TO (MAXVALUE);

-- Rates by a floating key and a date that may be of any age.
CREATE TABLE shop.rates (
	merchant_id int NOT NULL,
	valid_from date NOT NULL,
	grade double precision NOT NULL,
	open boolean NOT NULL,
	rate real,
	PRIMARY KEY (merchant_id, valid_from, grade, open)
);

CREATE VIEW shop.customer_totals AS
	SELECT c.merchant_id, c.id AS customer_id, c.name, count(o.id) AS orders, sum(o.total) AS spent, max(o.placed_at) AS last_at
	FROM shop.customers c LEFT JOIN shop.orders o ON o.customer_id = c.id AND o.deleted_at IS NULL
	GROUP BY c.merchant_id, c.id, c.name;

CREATE VIEW shop.open_orders AS
	SELECT id, merchant_id, number, state, placed_at FROM shop.orders WHERE state IN ('placed', 'packed') AND deleted_at IS NULL;

CREATE MATERIALIZED VIEW shop.product_stats AS
	SELECT p.merchant_id, p.id AS product_id, count(l.line_no) AS lines, sum(l.quantity) AS sold,
		avg(l.quantity)::double precision AS mean, array_agg(DISTINCT l.price ORDER BY l.price) AS paid
	FROM shop.products p LEFT JOIN shop.order_lines l ON l.product_id = p.id
	GROUP BY p.merchant_id, p.id
	WITH NO DATA;
CREATE UNIQUE INDEX ON shop.product_stats (merchant_id, product_id);

GRANT USAGE ON SCHEMA shop, "back office" TO tenantry_reader;
CALL tenantry.protect('shop.merchants', 'id');
CALL tenantry.protect('shop.customers', 'merchant_id');
CALL tenantry.protect('shop.addresses', 'merchant_id');
CALL tenantry.protect('shop.categories', 'merchant_id');
CALL tenantry.protect('shop.products', 'merchant_id');
CALL tenantry.protect('shop.product_categories', 'merchant_id');
CALL tenantry.protect('shop.product_tags', 'merchant_id');
CALL tenantry.protect('shop."Price Lists"', 'Merchant');
CALL tenantry.protect('shop.prices', 'merchant_id');
CALL tenantry.protect('shop.warehouses', 'merchant_id');
CALL tenantry.protect('shop.stock', 'merchant_id');
CALL tenantry.protect('shop.orders', 'merchant_id');
CALL tenantry.protect('shop.returns', 'merchant_id');
CALL tenantry.protect('shop.payments', 'merchant_id');
CALL tenantry.protect('shop.invoices', 'merchant_id');
CALL tenantry.protect('shop.reminders', 'merchant_id');
CALL tenantry.protect('shop.reviews', 'merchant_id');
CALL tenantry.protect('"back office"."Employees"', 'Merchant?');
CALL tenantry.protect('"back office".attachments', 'merchant_id');
CALL tenantry.protect('shop.events', 'merchant_id');
CALL tenantry.protect('shop.rates', 'merchant_id');

-- The tables without a merchant of their own.
ALTER TABLE shop.tags ENABLE ROW LEVEL SECURITY;
ALTER TABLE shop.order_lines ENABLE ROW LEVEL SECURITY;
ALTER TABLE shop.shipments ENABLE ROW LEVEL SECURITY;
ALTER TABLE shop.tags FORCE ROW LEVEL SECURITY;
ALTER TABLE shop.order_lines FORCE ROW LEVEL SECURITY;
ALTER TABLE shop.shipments FORCE ROW LEVEL SECURITY;
CREATE POLICY mine_or_common ON shop.tags FOR SELECT
	USING (common OR merchant_id = (SELECT tenantry.current_tenant())::int);
CREATE POLICY of_my_orders ON shop.order_lines FOR SELECT
	USING (EXISTS (SELECT FROM shop.orders o WHERE o.id = order_id AND o.merchant_id = (SELECT tenantry.current_tenant())::int));
CREATE POLICY of_my_orders ON shop.shipments FOR SELECT
	USING (EXISTS (SELECT FROM shop.orders o WHERE o.id = order_id AND o.merchant_id = (SELECT tenantry.current_tenant())::int));
GRANT SELECT ON shop.tags, shop.order_lines, shop.shipments, shop.customer_totals, shop.open_orders, shop.product_stats TO tenantry_reader;
