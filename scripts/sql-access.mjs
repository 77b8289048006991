// Parts of a migration that keep what others were granted on views and functions that are made again, and the options that were set
// on views: `keepAccess` before the first drop, `giveAccess` after the last statement that makes something.
import { schemas } from './sql-state.mjs';

const grantee = `CASE acl.grantee WHEN 0 THEN 'PUBLIC' ELSE acl.grantee::regrole::text END,
	CASE WHEN acl.is_grantable THEN ' WITH GRANT OPTION' ELSE '' END`;

// Everybody may execute a new function, so what PUBLIC had is taken away before the grants are given. A function is kept by its name
// alone, so that one whose arguments change keeps its grants.
export const keepAccess = `-- What is made again below keeps its grants and the options that were set on it.
CREATE TABLE "drizzle"."kept_access" AS
WITH o AS (
	SELECT 'TABLE' AS kind, c.oid, format('%I.%I', n.nspname, c.relname) AS name, c.relacl AS acl, c.relowner AS owner, c.reloptions AS options
	FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
	WHERE c.relkind = 'v' AND n.nspname IN ${schemas}
	UNION ALL
	SELECT 'FUNCTION', p.oid, format('%I.%I', n.nspname, p.proname), p.proacl, p.proowner, NULL
	FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
	WHERE n.nspname IN ${schemas}
)
SELECT o.kind, o.oid, o.name, NULL::name AS "column", NULL AS "option", format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', o.name) AS statement
FROM o WHERE o.kind = 'FUNCTION' AND o.acl IS NOT NULL
UNION ALL
SELECT o.kind, o.oid, o.name, NULL, NULL, format('GRANT %s ON %s %s TO %s%s', acl.privilege_type, o.kind, o.name,
	${grantee})
FROM o CROSS JOIN LATERAL aclexplode(o.acl) AS acl WHERE acl.grantee <> o.owner
UNION ALL
SELECT o.kind, o.oid, o.name, a.attname, NULL, format('GRANT %s (%I) ON %s TO %s%s', acl.privilege_type, a.attname, o.name,
	${grantee})
FROM o JOIN pg_catalog.pg_attribute a ON o.kind = 'TABLE' AND a.attrelid = o.oid
CROSS JOIN LATERAL aclexplode(a.attacl) AS acl WHERE acl.grantee <> o.owner
UNION ALL
SELECT o.kind, o.oid, o.name, NULL, p.option_name, format('ALTER VIEW %s SET (%I = %L)', o.name, p.option_name, p.option_value)
FROM o CROSS JOIN LATERAL pg_options_to_table(o.options) AS p;`;

// Replacing a view in place keeps its grants, but not its options. An option that the view now has itself prevails.
// Where somebody made another function of the name, PostgreSQL refuses the grant and names it: better than to lose a grant in silence.
export const giveAccess = `DO $$
DECLARE
	kept record;
BEGIN
	FOR kept IN
		SELECT k.statement FROM drizzle.kept_access k
		CROSS JOIN LATERAL (
			SELECT to_regclass(k.name)::oid, to_regclass(k.name)::oid <> k.oid WHERE k.kind = 'TABLE'
			UNION ALL
			SELECT max(p.oid), bool_and(p.oid <> k.oid)
			FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
			WHERE k.kind = 'FUNCTION' AND format('%I.%I', n.nspname, p.proname) = k.name
		) AS o (oid, is_made_again)
		WHERE CASE
			WHEN k."option" IS NOT NULL THEN o.oid IS NOT NULL AND NOT EXISTS (
				SELECT FROM pg_catalog.pg_class c CROSS JOIN LATERAL pg_options_to_table(c.reloptions) p
				WHERE c.oid = o.oid AND p.option_name = k."option")
			WHEN k."column" IS NOT NULL THEN o.is_made_again AND EXISTS (
				SELECT FROM pg_catalog.pg_attribute a WHERE a.attrelid = o.oid AND a.attname = k."column")
			ELSE o.is_made_again END
		ORDER BY k.statement LIKE 'REVOKE %' DESC
	LOOP
		EXECUTE kept.statement;
	END LOOP;
	DROP TABLE drizzle.kept_access;
END
$$;`;
