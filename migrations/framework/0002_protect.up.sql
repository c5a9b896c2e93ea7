-- CALL tenantry.protect('orders', 'tenant_id');
-- CALL tenantry.protect('orders', 'tenant_id', ARRAY['id', 'tenant_id', 'number']);
--
-- Row security on one table: a SELECT returns the rows of the current tenant and no others, and
-- tenantry_reader may read the table, or only the columns named.
--
-- The policy binds everybody but superusers and roles with BYPASSRLS, the owner of the table included. An
-- application that reads and writes as the owner needs a policy of its own beside this one:
-- CREATE POLICY app ON orders TO app_role USING (true).
--
-- The tenant stands in a subquery so that it is read once for a query and not once for a row.
CREATE PROCEDURE tenantry.protect(target regclass, tenant_column name, readable name[] DEFAULT NULL)
	LANGUAGE plpgsql SECURITY INVOKER
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	tenant_type text;
	columns text;
BEGIN
	SELECT format_type(a.atttypid, NULL) INTO tenant_type
	FROM pg_attribute a
	WHERE a.attrelid = target AND a.attname = tenant_column AND a.attnum > 0 AND NOT a.attisdropped;
	IF tenant_type IS NULL THEN
		RAISE EXCEPTION 'tenantry.protect: % has no column %', target, tenant_column
			USING ERRCODE = 'undefined_column';
	END IF;

	EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', target);
	EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', target);
	EXECUTE format('DROP POLICY IF EXISTS tenantry_select ON %s', target);
	EXECUTE format(
		'CREATE POLICY tenantry_select ON %s FOR SELECT USING (%I = (SELECT tenantry.current_tenant())::%s)',
		target, tenant_column, tenant_type);

	SELECT '(' || string_agg(quote_ident(c), ', ') || ')' INTO columns FROM unnest(readable) AS c;
	EXECUTE format('GRANT SELECT %s ON %s TO tenantry_reader', coalesce(columns, ''), target);
END
$$;
COMMENT ON PROCEDURE tenantry.protect(regclass, name, name[]) IS
	'Shows the rows of one table to their own tenant only, and lets tenantry_reader read it.';
