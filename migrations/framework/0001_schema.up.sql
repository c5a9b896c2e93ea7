-- The framework's own schema, the setting that carries the tenant, and the role that may only read.
-- The setting is tenantry.tenant_id. The library sets it for one transaction, next to every query.

CREATE SCHEMA tenantry;
COMMENT ON SCHEMA tenantry IS 'Objects of tenantry, which answers reads for one tenant at a time.';

-- Roles belong to the whole server: one that exists, from another database or by hand, is left as it is.
DO $$
BEGIN
	IF EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = 'tenantry_reader') THEN
		RETURN;
	END IF;
	CREATE ROLE tenantry_reader NOLOGIN NOINHERIT NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE NOREPLICATION;
EXCEPTION
	WHEN duplicate_object OR unique_violation THEN
		NULL; -- created meanwhile, for another database
	WHEN insufficient_privilege THEN
		RAISE EXCEPTION 'the role tenantry_reader is missing and this user may not create it: have an administrator run CREATE ROLE tenantry_reader NOLOGIN'
			USING ERRCODE = 'insufficient_privilege';
END
$$;

GRANT USAGE ON SCHEMA tenantry TO tenantry_reader;

-- NULL when no tenant is set. After a transaction that set one, PostgreSQL leaves '' and not NULL behind,
-- and a cast of '' is an error where a comparison with NULL is no row.
CREATE FUNCTION tenantry.current_tenant() RETURNS text
	LANGUAGE sql STABLE PARALLEL SAFE
	RETURN nullif(pg_catalog.current_setting('tenantry.tenant_id', true), '');
COMMENT ON FUNCTION tenantry.current_tenant() IS 'The tenant of this transaction as text, or NULL without one.';
