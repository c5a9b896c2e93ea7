-- Needs the framework set. customers.credit_note is left out of what may be read.

CALL tenantry.protect('tenants', 'id');
CALL tenantry.protect('customers', 'tenant_id',
	ARRAY['id', 'tenant_id', 'email', 'display_name', 'deleted_at']);
CALL tenantry.protect('orders', 'tenant_id');
CALL tenantry.protect('order_lines', 'tenant_id');
