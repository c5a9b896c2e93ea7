-- The role stays: it belongs to the whole server, and other databases may use it.
DROP FUNCTION tenantry.current_tenant();
REVOKE USAGE ON SCHEMA tenantry FROM tenantry_reader;
DROP SCHEMA tenantry;
