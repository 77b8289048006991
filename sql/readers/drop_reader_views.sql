-- Objects that others built on them are not dropped: the function fails, and PostgreSQL names them.
CREATE FUNCTION "internal"."drop_reader_views"("reader" text) RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	target text;
	parts text;
BEGIN
	FOREACH target IN ARRAY ARRAY['custody', 'reporting', 'sync'] LOOP
		CONTINUE WHEN to_regnamespace(quote_ident(target || '_' || reader)) IS NULL;
		SELECT string_agg(c.oid::regclass::text, ', ') INTO parts
		FROM pg_class c WHERE c.relnamespace = to_regnamespace(quote_ident(target || '_' || reader)) AND c.relkind = 'v';
		IF parts IS NOT NULL THEN
			EXECUTE 'DROP VIEW ' || parts;
		END IF;
		SELECT string_agg(p.oid::regprocedure::text, ', ') INTO parts
		FROM pg_proc p WHERE p.pronamespace = to_regnamespace(quote_ident(target || '_' || reader));
		IF parts IS NOT NULL THEN
			EXECUTE 'DROP FUNCTION ' || parts;
		END IF;
		EXECUTE format('DROP SCHEMA %I', target || '_' || reader);
	END LOOP;
END
$$;

COMMENT ON FUNCTION "internal"."drop_reader_views"("reader" text) IS 'Removes the schemas of a role that reads some accounts.';
