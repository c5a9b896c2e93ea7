-- The extension stays: it may have been there before, and others may use it.
DROP TABLE order_lines;
DROP TABLE orders;
DROP TABLE customers;
DROP TYPE order_state;
DROP TABLE tenants;
