-- The rows of the shop: the same on every run. A number that looks random is a digest of its place. One row in
-- eleven has nulls wherever there may be some, sort keys repeat, and the extremes of most types are there.

CREATE FUNCTION pg_temp.pick(seed text, n int) RETURNS int LANGUAGE sql AS $$
	SELECT ('x' || substr(md5(seed), 1, 7))::bit(28)::int % n $$;
CREATE FUNCTION pg_temp.key(seed text) RETURNS uuid LANGUAGE sql AS $$ SELECT md5(seed)::uuid $$;
-- bare says which rows have nulls everywhere.
CREATE FUNCTION pg_temp.bare(i int) RETURNS boolean LANGUAGE sql AS $$ SELECT i % 11 = 7 $$;

INSERT INTO shop.merchants VALUES
	(11, 'lantern', 'Lantern & Sons', '1987-04-01', '2019-05-06 08:00'),
	(22, 'kiosk:north', 'Kiosk North', '0044-03-15 BC', 'infinity'),
	(33, 'empty', 'Nearly Empty', NULL, NULL);

CREATE TEMP TABLE sizes AS SELECT * FROM (VALUES (11, 36), (22, 30), (33, 3)) AS s(m, n);

INSERT INTO shop.customers
SELECT m * 1000 + i, m,
	CASE WHEN i % 9 <> 4 THEN (ARRAY['Ada','bob','ÇELİK','dora'])[1 + i % 4] || i / 4 || '@Example.org' END,
	(ARRAY['Ada Ruiz','ada ruiz','Bo','Çelik','Ωmega','Zoë','z'])[1 + pg_temp.pick('name' || i, 7)],
	CASE WHEN NOT pg_temp.bare(i) THEN (ARRAY['','sun','100%','a_b','quote "q"',E'tab\there','null'])[1 + i % 7] END,
	CASE WHEN NOT pg_temp.bare(i) THEN (ARRAY['AR','B','ÇEK',''])[1 + i % 4] END,
	(enum_range(NULL::shop.standing))[1 + pg_temp.pick('standing' || i, 4)],
	CASE WHEN NOT pg_temp.bare(i) THEN i % 3 = 0 END,
	CASE WHEN NOT pg_temp.bare(i) THEN (i % 5) * 999999.99 END,
	CASE WHEN NOT pg_temp.bare(i) THEN ARRAY[i, NULL, 0.50]::shop.amount[] END,
	CASE WHEN NOT pg_temp.bare(i) THEN (ARRAY[0.1,1e10,3.4028235e38,-1.5,'NaN','Infinity'])[1 + i % 6]::real END,
	CASE WHEN NOT pg_temp.bare(i) THEN (ARRAY['0.1','0.30000000000000004','-0','5e-324','1.7976931348623157e308','NaN','-Infinity'])[1 + i % 7]::double precision END,
	CASE WHEN NOT pg_temp.bare(i) THEN (ARRAY['1990-01-01','0101-12-31 BC','12026-02-03','infinity','-infinity','2000-02-29'])[1 + i % 6]::date END,
	'2026-01-01Z'::timestamptz + (i / 3) * interval '1 day 0.000001 s',
	'2026-02-01Z'::timestamptz + i * interval '1 hour',
	CASE WHEN NOT pg_temp.bare(i) THEN ARRAY['+1 ' || i, NULL, 'a,b', 'NULL'] END,
	CASE WHEN NOT pg_temp.bare(i) THEN (ARRAY['{}','{guest}','{gold,NULL,barred}','{{guest,gold},{gold,guest}}'])[1 + i % 4]::shop.standing[] END,
	CASE WHEN NOT pg_temp.bare(i) THEN jsonb_build_object('letters', i % 2 = 0, 'limit', 12345678901234567890.50 + i, 'none', NULL) END,
	CASE WHEN NOT pg_temp.bare(i) THEN (ARRAY['192.0.2.7','192.0.2.0/24','2001:db8::1'])[1 + i % 3]::inet END,
	CASE WHEN i > 2 AND i % 4 = 0 THEN m * 1000 + i / 2 WHEN i = 1 THEN m * 1000 + 1 END
FROM sizes, generate_series(1, n) AS i;

INSERT INTO shop.addresses
SELECT c.merchant_id, c.id, k.kind, CASE WHEN c.id % 11 <> 7 THEN 'Lane ' || c.id % 5 END,
	CASE WHEN c.id % 3 > 0 THEN (ARRAY['10115','AB1 2CD'])[c.id % 3] END, (ARRAY['DE','FR','TR'])[1 + c.id % 3],
	CASE WHEN c.id % 4 > 0 THEN (ARRAY['[2020-01-01,infinity)','(-infinity,2021-02-03]','empty'])[c.id % 4]::daterange END,
	CASE WHEN c.id % 2 = 0 THEN point(c.id, -0.5) END
FROM shop.customers c, unnest(enum_range(NULL::shop.address_kind)) AS k(kind)
WHERE (c.id + length(k.kind::text)) % 3 > 0;

INSERT INTO shop.categories
SELECT m, p, parent, nullif(title, ''), position FROM sizes, (VALUES
	('food', NULL, 'Food', 1), ('food/fruit', 'food', 'Fruit', 1), ('food/fruit/ripe: now', 'food/fruit', '', 2),
	('100%', NULL, 'All of it', NULL), ('100%25', '100%', 'Encoded?', 3), ('Спорт/лыжи', NULL, 'Лыжи', 2),
	('a:b', NULL, NULL, 2), ('a%3Ab', 'a:b', '', 1), (' ', NULL, 'Blank', NULL), ('["x"]', NULL, 'Brackets', 7),
	('tools,garden', NULL, 'Comma', 7), (E'line\nbreak', NULL, 'Break', 7), ('😀', '100%', 'Smile', 1)) AS c(p, parent, title, position);

INSERT INTO shop.products (id, merchant_id, sku, name, price, vat, weight, barcode, released, retired_at, colours, grid, keywords,
	sold_during, stages, usual_price, measures, attributes, image)
SELECT pg_temp.key('product' || m || i), m, 'SKU/' || i || ':' || chr(96 + i % 26), (ARRAY['Lamp','lamp','Kettle','Tin, large','Ёлка'])[1 + i % 5] || ' ' || i / 5,
	CASE WHEN NOT pg_temp.bare(i) THEN (i % 8) * 1.10 END, CASE WHEN NOT pg_temp.bare(i) THEN 0.190 END,
	CASE WHEN NOT pg_temp.bare(i) THEN (ARRAY['0.1000','1e-30','12345678901234567890.12345','NaN','-5','Infinity'])[1 + i % 6]::numeric END,
	CASE WHEN NOT pg_temp.bare(i) THEN lpad(i::text, 12, '4') END,
	CASE WHEN NOT pg_temp.bare(i) THEN '2025-12-01'::date + i % 4 END,
	CASE WHEN NOT pg_temp.bare(i) THEN '2026-12-01 00:00:00.5'::timestamp + (i % 4) * interval '0.000001 s' END,
	CASE WHEN NOT pg_temp.bare(i) THEN (ARRAY['{}','{red}','{"off white",NULL}','{"none, really",blue}'])[1 + i % 4]::shop.colour[] END,
	CASE WHEN NOT pg_temp.bare(i) THEN (ARRAY['{{1,2},{3,4}}','[2:3]={7,8}','{}','[0:0][5:6]={{NULL,9}}'])[1 + i % 4]::int[] END,
	CASE WHEN NOT pg_temp.bare(i) THEN ARRAY['key ' || i % 3, 'a"b'] END,
	CASE WHEN NOT pg_temp.bare(i) THEN (ARRAY['[2026-01-01Z,infinity)','(,2026-01-01Z)','empty','(-infinity,)'])[1 + i % 4]::tstzrange END,
	CASE WHEN NOT pg_temp.bare(i) THEN (ARRAY['{}','{[1.50,2),[3,)}','{(,)}'])[1 + i % 3]::nummultirange END,
	CASE WHEN NOT pg_temp.bare(i) THEN shop.price_range(i % 3, CASE WHEN i % 2 = 0 THEN 9.90 END) END,
	CASE WHEN NOT pg_temp.bare(i) THEN ROW(i / 4.0, NULL, 'a "b", c')::shop.size END,
	CASE WHEN NOT pg_temp.bare(i) THEN (ARRAY['{"a": [1, 2.50]}','[]','"text"','7','{"b c": null}'])[1 + i % 5]::jsonb END,
	CASE WHEN NOT pg_temp.bare(i) THEN decode(md5(i::text), 'hex') END
FROM sizes, generate_series(1, n) AS i;

INSERT INTO shop.product_categories
SELECT p.merchant_id, p.id, c.path, c.path = 'food' FROM shop.products p JOIN shop.categories c USING (merchant_id)
WHERE pg_temp.pick(p.sku || c.path, 9) = 0;

INSERT INTO shop.tags
SELECT pg_temp.key('tag' || m || i), CASE WHEN i % 6 > 0 THEN m END, i % 6 = 0, (ARRAY['New','new ','SALE','ß','Ünique'])[1 + i % 5] || m || '-' || i,
	CASE WHEN i % 4 > 0 THEN i % 4 / 3.0 END
FROM sizes, generate_series(1, 14) AS i;

INSERT INTO shop.product_tags
SELECT p.id, t.id, p.merchant_id, CASE WHEN pg_temp.pick(p.sku || t.label, 3) > 0 THEN '2026-04-01Z'::timestamptz + pg_temp.pick(p.sku, 3) * interval '1 s' END
FROM shop.products p JOIN shop.tags t ON t.common OR t.merchant_id = p.merchant_id
WHERE pg_temp.pick(p.sku || t.label || 'x', 12) = 0;

INSERT INTO shop."Price Lists"
SELECT m, c, CASE WHEN c <> 'C%3A' THEN 'List ' || length(c) END, v::daterange, d, c < 'B' FROM sizes, (VALUES
	('A', '[2026-01-01,2026-12-31]', 0), ('B:1', '[2026-01-01,)', 12.50), ('C%3A', '(,infinity)', NULL), ('ÄÖ/Ü', 'empty', 100), ('D', NULL, 12.50)) AS l(c, v, d);

INSERT INTO shop.prices
SELECT p.merchant_id, l."Code", p.id, q, p.vat * q + 1.0001 FROM shop.products p JOIN shop."Price Lists" l ON l."Merchant" = p.merchant_id,
	unnest(ARRAY[1, 10, 100000]) AS q
WHERE p.vat IS NOT NULL AND pg_temp.pick(p.sku || l."Code" || q, 8) = 0;

INSERT INTO shop.warehouses
SELECT m, i, (ARRAY['North','South','north'])[1 + abs(i) % 3], CASE WHEN i > 1 THEN (ARRAY['08:00','24:00'])[1 + i % 2]::time END,
	CASE WHEN i > 1 THEN (ARRAY['20:00:00.5+02','23:59:60-03:30'])[1 + i % 2]::timetz END, point(i, 1.5), box(point(0, 0), point(i, 2)),
	CASE WHEN i <> 3 THEN '08:00:2b:01:02:03'::macaddr END, '10.1.0.0/16'
FROM sizes, generate_series(-1, 4) AS i;

INSERT INTO shop.stock
SELECT p.merchant_id, w.id, p.id, pg_temp.pick(p.sku || w.id, 4) * 100, nullif(pg_temp.pick(p.sku || w.id || 'r', 4), 3),
	CASE WHEN w.id > 0 THEN '2026-05-01'::timestamp + pg_temp.pick(p.sku, 3) * interval '1 us' END
FROM shop.products p JOIN shop.warehouses w USING (merchant_id)
WHERE pg_temp.pick(p.sku || w.id || 's', 4) = 0;

-- Keys of orders lie around 2^53, where readers of JSON numbers begin to round.
INSERT INTO shop.orders
SELECT 9007199254740950 + m * 100 - 2200 + i, m, 'No. ' || i % 10 || '-' || i, CASE WHEN NOT pg_temp.bare(i) THEN m * 1000 + 1 + pg_temp.pick('customer' || i, n) END,
	(enum_range(NULL::shop.order_state))[1 + pg_temp.pick('state' || i, 6)],
	CASE WHEN NOT pg_temp.bare(i) THEN pg_temp.pick('total' || i, 5) * 10.0001 END,
	CASE WHEN NOT pg_temp.bare(i) THEN '2026-06-01T09:30:00.123456Z'::timestamptz + pg_temp.pick('placed' || i, 6) * interval '1 us' END,
	CASE WHEN i % 3 > 0 THEN '2026-07-01'::date + i % 3 END,
	CASE WHEN i % 4 > 0 THEN i % 4 = 1 END,
	CASE WHEN i % 5 = 0 THEN repeat('nö✓', 300 + i % 2) WHEN i % 5 > 1 THEN 'note ' || i % 5 END,
	CASE WHEN i % 2 = 0 THEN '{"b": 1.0, "a":[1e2]}'::json END,
	CASE WHEN i % 13 = 5 THEN '2026-06-02Z'::timestamptz END
FROM sizes, generate_series(1, n + 20) AS i;

INSERT INTO shop.order_lines
SELECT o.id, l, p.id, pg_temp.pick(o.number || l, 4), CASE WHEN l <> 2 THEN l * 1.5000 END, CASE WHEN l = 3 THEN 'For you ' || o.id % 2 END
FROM shop.orders o, generate_series(1, 3) AS l
LEFT JOIN shop.products p ON false
WHERE pg_temp.pick(o.number || l || 'l', 3) > 0;
UPDATE shop.order_lines l SET product_id = (SELECT p.id FROM shop.products p JOIN shop.orders o ON o.merchant_id = p.merchant_id
	WHERE o.id = l.order_id ORDER BY md5(p.id::text || l.order_id) LIMIT 1)
WHERE l.quantity > 0;
UPDATE shop.order_lines l SET list_code = p.list_code, price_from = p.from_quantity FROM shop.prices p, shop.orders o
WHERE o.id = l.order_id AND p.merchant_id = o.merchant_id AND p.product_id = l.product_id;

INSERT INTO shop.returns
SELECT o.merchant_id * 1000 + row_number() OVER (ORDER BY l.order_id, l.line_no), o.merchant_id, l.order_id, CASE WHEN l.quantity < 3 THEN l.line_no END,
	CASE l.quantity WHEN 1 THEN 'too small' WHEN 2 THEN repeat('ß', 600) END, CASE WHEN l.line_no > 1 THEN '2026-09-01'::date + l.line_no END
FROM shop.order_lines l JOIN shop.orders o ON o.id = l.order_id WHERE pg_temp.pick(o.number || l.line_no || 'b', 5) = 0;

INSERT INTO shop.shipments
SELECT pg_temp.key('shipment' || o.id), o.id, CASE WHEN o.id % 3 > 0 THEN 'carrier ' || o.id % 3 END,
	CASE WHEN o.id % 4 > 0 THEN (ARRAY['1 mon -2 days 36:00:00.000001','-00:00:01','0'])[o.id % 4]::interval END,
	CASE WHEN o.id % 4 > 0 THEN o.id % 4 / 7.0 END, (o.id % 8)::int::bit(5), CASE WHEN o.id % 2 = 0 THEN B'0101' END,
	CASE WHEN o.id % 2 = 0 THEN o.placed_at + interval '1 day' END
FROM shop.orders o WHERE o.state IN ('sent', 'closed', 'packed');

INSERT INTO shop.payments
SELECT (o.id::numeric * 100000), o.merchant_id, o.id, CASE WHEN o.id % 5 > 0 THEN (enum_range(NULL::shop.pay_method))[1 + o.id % 4] END,
	o.total::money, CASE WHEN o.id % 3 > 0 THEN o.total * 1.00 END, CASE WHEN o.id % 2 = 0 THEN o.due END
FROM shop.orders o WHERE o.state <> 'draft';

INSERT INTO shop.invoices
SELECT o.merchant_id, (ARRAY['2026/07:', '100%-', 'Ünï ', '%2F', 'a', 'A', '"q" '])[1 + o.id % 7] || o.id % 1000, o.id,
	CASE WHEN o.id % 4 > 0 THEN (ARRAY['2026-07-01','infinity','0001-01-01 BC'])[o.id % 4]::date END, o.total / 3,
	CASE WHEN o.id % 3 > 0 THEN repeat('long ', 210) || o.id % 3 END
FROM shop.orders o WHERE o.state IN ('sent', 'closed');

INSERT INTO shop.reminders
SELECT i.merchant_id, i.number, chr(64 + l)::"char", l, CASE WHEN l < 3 THEN '2026-08-01'::date + l END, CASE WHEN l > 1 THEN l / 3.0 END
FROM shop.invoices i, generate_series(1, 3) AS l WHERE pg_temp.pick(i.number || l, 2) = 0;

INSERT INTO shop.reviews
SELECT m * 100 + i, m, CASE WHEN i % 4 > 0 THEN (ARRAY['Product','Order','nothing known'])[i % 4] END,
	CASE i % 4 WHEN 1 THEN pg_temp.key('product' || m || i)::text WHEN 2 THEN (9007199254740950 + m * 100 - 2200 + i)::text WHEN 3 THEN 'x:/%' END,
	nullif(i % 6, 0), CASE WHEN i % 5 > 0 THEN 'Body ' || i % 5 END, CASE WHEN i % 3 > 0 THEN '2026-07-01Z'::timestamptz - (i % 3) * interval '400 years' * (i % 8) END
FROM sizes, generate_series(1, n) AS i;

BEGIN;
INSERT INTO "back office"."Employees"
SELECT m, i, (ARRAY['Ann','Ben','Çağ'])[1 + i % 3], CASE WHEN i % 4 > 0 THEN (ARRAY['Ann@X','ben@x','ANN@x'])[i % 4] END,
	CASE WHEN i = 1 THEN 2 WHEN i = 2 THEN 1 WHEN i % 5 > 0 THEN i / 2 + 1 END, CASE WHEN i % 3 = 0 THEN i END,
	CASE WHEN i % 4 > 0 THEN '2020-01-01'::date + i % 4 END, i % 3, i * 1000
FROM sizes, generate_series(1, n / 2 + 1) AS i;
COMMIT;

INSERT INTO "back office".attachments
SELECT pg_temp.key('attachment' || m || i), m, CASE WHEN i % 3 > 0 THEN 'Employee' END, CASE WHEN i % 3 > 0 THEN i END, 'file ' || i % 4 || '.txt',
	CASE WHEN NOT pg_temp.bare(i) THEN decode(repeat('00ff', i), 'hex') END, CASE WHEN NOT pg_temp.bare(i) THEN ('{"z" : ' || i || ',  "a":1.10}')::json END,
	CASE WHEN NOT pg_temp.bare(i) THEN ('{"pages": ' || i || ', "z": [null, 1e3]}')::jsonb END, CASE WHEN NOT pg_temp.bare(i) THEN 4294967295::oid END,
	CASE WHEN NOT pg_temp.bare(i) THEN '<a b="c">d</a>'::xml END
FROM sizes, generate_series(1, n / 2 + 1) AS i;

INSERT INTO shop.events
SELECT m, '2026-02-27T23:59:59.999998Z'::timestamptz + (i / 4) * interval '12 hours 1 us', i % 4, CASE WHEN i % 5 > 0 THEN (ARRAY['seen','bought'])[1 + i % 2] END,
	CASE WHEN i % 5 > 0 THEN jsonb_build_object('i', i) END
FROM sizes, generate_series(1, n) AS i;
INSERT INTO shop.events VALUES (11, '0044-03-15 10:00:00.5Z BC', 1, 'ides', NULL), (11, '12026-01-01Z', 1, 'later', 'null'), (11, 'infinity', 1, NULL, '{}'), (11, '-infinity', 1, NULL, '{}');

INSERT INTO shop.rates
SELECT m, d, g, o, CASE WHEN o THEN g / 3 END FROM sizes, unnest('{2026-01-01,"0044-03-15 BC",12026-01-01,infinity}'::date[]) AS d,
	unnest('{0.1,0.30000000000000004,-0,NaN,Infinity,1e+23}'::double precision[]) AS g, unnest('{true,false}'::boolean[]) AS o
WHERE pg_temp.pick(d::text || g || o, 3) > 0;

REFRESH MATERIALIZED VIEW shop.product_stats;
ANALYZE;
