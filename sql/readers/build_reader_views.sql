-- The schemas of a role that reads some accounts: for each table and view that readers read, a view of the rows of
-- its accounts. Their names are not in the views, whose definitions everybody may read. A function runs with the
-- rights of its caller, also within a view. So a view that calls a function which reads tables is wrapped in a
-- function with the owner's rights, and so is each function of reporting. docs/decisions/readers-by-account.md
CREATE FUNCTION "internal"."build_reader_views"("reader" text) RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	mine text := format('ANY (ARRAY(SELECT r.account_id FROM internal.account_readers r WHERE r.reader = %L))', reader);
	definer text := 'LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp';
	target text;
	source record;
	made text;
BEGIN
	PERFORM internal.drop_reader_views(reader);
	FOREACH target IN ARRAY ARRAY['custody', 'reporting', 'sync'] LOOP
		EXECUTE format('CREATE SCHEMA %I', target || '_' || reader);
		EXECUTE format('COMMENT ON SCHEMA %I IS %L', target || '_' || reader,
			'What ' || reader || ' may read of ' || target || '. Made by custody-mirror grant --account.');
	END LOOP;
	FOR source IN
		SELECT c.oid, n.nspname AS schema, c.relname AS name, EXISTS (
			SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'account_id' AND NOT a.attisdropped) AS by_account,
			EXISTS (
				WITH RECURSIVE used (class, oid) AS (
					SELECT 'pg_class'::regclass::oid, c.oid
					UNION
					SELECT d.refclassid, d.refobjid FROM used u CROSS JOIN LATERAL (
						SELECT d.* FROM pg_rewrite w JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = w.oid
						WHERE u.class = 'pg_class'::regclass AND w.ev_class = u.oid
						UNION ALL
						SELECT d.* FROM pg_depend d
						WHERE u.class = 'pg_proc'::regclass AND d.classid = 'pg_proc'::regclass AND d.objid = u.oid
					) AS d
					WHERE d.refclassid IN ('pg_class'::regclass, 'pg_proc'::regclass)
				)
				SELECT FROM used u JOIN pg_depend d ON d.classid = 'pg_proc'::regclass AND d.objid = u.oid AND d.refclassid = 'pg_class'::regclass
				WHERE u.class = 'pg_proc'::regclass) AS by_function
		FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
		WHERE c.relkind IN ('r', 'v') AND (n.nspname IN ('custody', 'reporting')
			OR n.nspname = 'sync' AND c.relname IN ('runs', 'anomalies', 'quarantine', 'learned', 'leases', 'expectations'))
	LOOP
		made := format('%I.%I', source.schema || '_' || reader, source.name);
		IF source.by_function THEN
			EXECUTE format('CREATE FUNCTION %s() RETURNS SETOF %I.%I %s AS %L', made, source.schema, source.name, definer,
				format('SELECT * FROM %I.%I WHERE account_id = %s', source.schema, source.name, mine));
			EXECUTE format('CREATE VIEW %s AS SELECT * FROM %1$s()', made);
		ELSE
			EXECUTE format('CREATE VIEW %s WITH (security_barrier) AS SELECT * FROM %I.%I', made, source.schema, source.name)
				|| CASE WHEN source.by_account THEN ' WHERE account_id = ' || mine ELSE '' END;
		END IF;
		EXECUTE format('COMMENT ON VIEW %s IS %L', made, obj_description(source.oid, 'pg_class'));
		EXECUTE (SELECT string_agg(format('COMMENT ON COLUMN %s.%I IS %L', made, a.attname, col_description(a.attrelid, a.attnum)), '; ')
			FROM pg_attribute a WHERE a.attrelid = source.oid AND a.attnum > 0 AND NOT a.attisdropped);
	END LOOP;
	FOR source IN
		SELECT p.proname AS name, pg_get_function_arguments(p.oid) AS arguments, pg_get_function_result(p.oid) AS result,
			(SELECT string_agg('$' || i, ', ' ORDER BY i) FROM generate_series(1, p.pronargs) AS i) AS passed,
			CASE WHEN 'account_id' = ANY (p.proargnames[p.pronargs + 1:]) THEN 'account_id'
				ELSE '$' || array_position(p.proargnames, 'account') END AS account
		FROM pg_proc p
		WHERE p.pronamespace = 'reporting'::regnamespace AND p.proretset
	LOOP
		EXECUTE format('CREATE FUNCTION %I.%I(%s) RETURNS %s %s AS %L', 'reporting_' || reader, source.name, source.arguments, source.result, definer,
			format('SELECT * FROM reporting.%I(%s) WHERE %s = %s', source.name, source.passed, source.account, mine));
	END LOOP;
	-- A view calls a function with the rights of its caller. These show nothing to a role that reads no table.
	EXECUTE (SELECT format('GRANT EXECUTE ON FUNCTION %s TO %I', string_agg(p.oid::regprocedure::text, ', '), reader) FROM pg_proc p
		WHERE p.pronamespace IN ('custody'::regnamespace, 'reporting'::regnamespace) AND p.prokind = 'f' AND p.provolatile <> 'v');
	FOREACH target IN ARRAY ARRAY['custody', 'reporting', 'sync'] LOOP
		target := target || '_' || reader;
		EXECUTE format('REVOKE ALL ON ALL FUNCTIONS IN SCHEMA %I FROM PUBLIC', target);
		EXECUTE format('GRANT USAGE ON SCHEMA %I TO %I', target, reader);
		EXECUTE format('GRANT SELECT ON ALL TABLES IN SCHEMA %I TO %I', target, reader);
		EXECUTE format('GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA %I TO %I', target, reader);
	END LOOP;
END
$$;

COMMENT ON FUNCTION "internal"."build_reader_views"("reader" text) IS 'Recreates the schemas of a role that reads only the accounts which internal.account_readers lists for it.';
