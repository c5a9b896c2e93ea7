-- A policy of tenantry.protect compares a small integer as a bigint: a tenant that the column cannot hold then
-- sees no row, where a cast to the column's own type would fail. The index of the column serves all the same.
-- Policies made before stay as they are; another CALL makes them anew.
CREATE OR REPLACE PROCEDURE tenantry.protect(target regclass, tenant_column name, readable name[] DEFAULT NULL)
	LANGUAGE plpgsql SECURITY INVOKER
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	tenant_type text;
	columns text;
BEGIN
	SELECT CASE WHEN a.atttypid IN ('int2'::regtype, 'int4'::regtype) THEN 'bigint' ELSE format_type(a.atttypid, NULL) END
	INTO tenant_type
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
