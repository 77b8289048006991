// Parts of a migration that keep what others were granted on views and functions that are made again, and the
// options that they set on views: `keepAccess` before the first drop, `giveAccess` after the last statement
// that makes something. `closeFunctions` takes from PUBLIC what it has on every new function.
import { schemas } from './sql-state.mjs';

// Everybody may execute a new function, so what PUBLIC had is taken away before the grants are given. A
// function is kept by its name alone, so that one whose arguments change keeps its grants.
export const keepAccess = `-- What is made again below keeps its grants and the options that were set on it.
CREATE TABLE "drizzle"."kept_access" AS
WITH o AS (
	SELECT 'TABLE' AS kind, oid, format('%s.%I', relnamespace::regnamespace, relname) AS name, relacl AS acl,
		relowner AS owner, reloptions AS options
	FROM pg_catalog.pg_class WHERE relkind = 'v' AND relnamespace::regnamespace::text IN ${schemas}
	UNION ALL
	SELECT 'FUNCTION', oid, format('%s.%I', pronamespace::regnamespace, proname), proacl, proowner, NULL
	FROM pg_catalog.pg_proc WHERE pronamespace::regnamespace::text IN ${schemas}
)
SELECT kind, oid, name, NULL AS "option", format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', name) AS statement
FROM o WHERE kind = 'FUNCTION' AND acl IS NOT NULL
UNION ALL
SELECT kind, oid, name, NULL, format('GRANT %s%s ON %s %s TO %s%s', a.privilege_type, part.columns, kind,
	name, CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE a.grantee::regrole::text END,
	CASE WHEN a.is_grantable THEN ' WITH GRANT OPTION' END)
FROM o CROSS JOIN LATERAL (
	SELECT o.acl, ''
	UNION ALL
	SELECT attacl, format(' (%I)', attname) FROM pg_catalog.pg_attribute
	WHERE kind = 'TABLE' AND attrelid = o.oid
) AS part (acl, columns) CROSS JOIN LATERAL aclexplode(part.acl) AS a
WHERE a.grantee <> owner
UNION ALL
SELECT kind, oid, name, option_name, format('ALTER VIEW %s SET (%I = %L)', name, option_name, option_value)
FROM o CROSS JOIN LATERAL pg_options_to_table(options);`;

// Replacing a view in place keeps its grants, but not its options. An option that the view now has itself
// prevails. What is gone for good, a view or a column, needs no grant. Where others made a function of the
// same name, PostgreSQL refuses the grant and names it: better than to lose one in silence.
export const giveAccess = `DO $$
DECLARE
	kept record;
BEGIN
	FOR kept IN
		SELECT k.statement FROM drizzle.kept_access k
		WHERE CASE
			WHEN k."option" IS NOT NULL THEN k."option" NOT IN (
				SELECT p.option_name FROM pg_catalog.pg_class c CROSS JOIN LATERAL pg_options_to_table(c.reloptions) p
				WHERE c.oid = to_regclass(k.name))
			WHEN k.kind = 'TABLE' THEN NOT EXISTS (SELECT FROM pg_catalog.pg_class c WHERE c.oid = k.oid)
			ELSE NOT EXISTS (SELECT FROM pg_catalog.pg_proc p WHERE p.oid = k.oid) END
		ORDER BY k.statement LIKE 'REVOKE %' DESC
	LOOP
		BEGIN
			EXECUTE kept.statement;
		EXCEPTION WHEN undefined_table OR undefined_column OR undefined_function THEN
		END;
	END LOOP;
	DROP TABLE drizzle.kept_access;
END
$$;`;

const openFunctions = `
	SELECT p.oid::regprocedure AS name, p.provolatile <> 'v' AND n.nspname IN ('custody', 'reporting') AS is_read
	FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
	WHERE n.nspname IN ${schemas} AND EXISTS (
		SELECT FROM aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) AS a WHERE a.grantee = 0)`;

/** Whether PUBLIC may execute a function of the mirror. */
export async function isAnyOpen(client) {
  return (await client.query(openFunctions)).rows.length > 0;
}

// Views call functions as whoever asks them. Who may use the schemas that readers read could execute all of
// them until now, and keeps that for those that change nothing.
export const closeFunctions = `DO $$
DECLARE
	open record;
	reader text;
BEGIN
	FOR open IN ${openFunctions.trim().replaceAll('\n', '\n\t')}
	LOOP
		FOR reader IN
			SELECT DISTINCT a.grantee::regrole::text
			FROM pg_catalog.pg_namespace n CROSS JOIN LATERAL aclexplode(n.nspacl) AS a
			WHERE open.is_read AND n.nspname IN ('custody', 'reporting') AND a.grantee NOT IN (0, n.nspowner)
		LOOP
			EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO %s', open.name, reader);
		END LOOP;
		EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', open.name);
	END LOOP;
END
$$;`;
