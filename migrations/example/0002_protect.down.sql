REVOKE SELECT ON tenants, orders, order_lines FROM tenantry_reader;
REVOKE SELECT (id, tenant_id, email, display_name, deleted_at) ON customers FROM tenantry_reader;

DROP POLICY tenantry_select ON order_lines;
DROP POLICY tenantry_select ON orders;
DROP POLICY tenantry_select ON customers;
DROP POLICY tenantry_select ON tenants;

ALTER TABLE order_lines NO FORCE ROW LEVEL SECURITY, DISABLE ROW LEVEL SECURITY;
ALTER TABLE orders NO FORCE ROW LEVEL SECURITY, DISABLE ROW LEVEL SECURITY;
ALTER TABLE customers NO FORCE ROW LEVEL SECURITY, DISABLE ROW LEVEL SECURITY;
ALTER TABLE tenants NO FORCE ROW LEVEL SECURITY, DISABLE ROW LEVEL SECURITY;
