// Plans a migration of views, functions, triggers, comments and storage parameters. What PostgreSQL can replace is replaced in place;
// the rest is dropped and made again with what stands on it, and its grants are kept.
import { settingsOf } from './sql-files.mjs';
import { differing, resetting, schemas } from './sql-state.mjs';

const keepGrants = `-- What is dropped below is made again, and whoever was granted it keeps it.
CREATE TABLE "drizzle"."kept_grants" AS
SELECT format('GRANT %s ON %s %s TO %s%s', acl.privilege_type, o.kind, o.name,
	CASE acl.grantee WHEN 0 THEN 'PUBLIC' ELSE acl.grantee::regrole::text END,
	CASE WHEN acl.is_grantable THEN ' WITH GRANT OPTION' ELSE '' END) AS "grant", o.kind, o.name
FROM (
	SELECT 'TABLE' AS kind, format('%I.%I', n.nspname, c.relname) AS name, c.relacl AS acl, c.relowner AS owner
	FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
	WHERE c.relkind = 'v' AND n.nspname IN ${schemas}
	UNION ALL
	SELECT 'FUNCTION', p.oid::regprocedure::text, p.proacl, p.proowner
	FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
	WHERE n.nspname IN ${schemas}
) AS o CROSS JOIN LATERAL aclexplode(o.acl) AS acl
WHERE acl.grantee <> o.owner;`;

const giveGrants = `DO $$
DECLARE
	kept record;
BEGIN
	FOR kept IN
		SELECT k."grant" FROM drizzle.kept_grants k
		WHERE CASE k.kind WHEN 'TABLE' THEN to_regclass(k.name) IS NOT NULL ELSE to_regprocedure(k.name) IS NOT NULL END
	LOOP
		EXECUTE kept."grant";
	END LOOP;
	DROP TABLE drizzle.kept_grants;
END
$$;`;

/**
 * The statements of a migration from the state `before` to the state `after`, which the files make.
 *
 * @param {string[]} droppedTables statements that drop tables on which views of `before` stood
 */
export async function plan(client, files, before, after, droppedTables) {
  const byName = new Map(files.filter(({ name }) => name).map((file) => [file.name, file]));
  const changed = new Set(
    [...differing(before.views, after.views), ...differing(before.functions, after.functions)].map(nameOf),
  );
  const there = new Set([...before.views.keys(), ...before.functions.keys()].map(nameOf));
  const again = await toMakeAgain(client, files, changed, there);
  const gone = [...there].filter((name) => !byName.has(name));
  const drops = await dropsOf(client, before, new Set([...again, ...gone]));
  const newComments = new Set(differing(before.comments, after.comments));
  const changedSettings = differing(before.settings, after.settings);
  const makes = changedSettings
    .filter((table) => before.settings.has(table))
    .map((table) => resetting(table, before.settings.get(table)));
  for (const file of files) {
    const isMade = again.has(file.name) || (file.create !== '' && !there.has(file.name));
    if (isMade) makes.push(file.create);
    else if (changed.has(file.name)) makes.push(replacing(file.create));
    makes.push(...file.settings.filter((statement) => changedSettings.includes(settingsOf(statement))));
    const comments = [];
    for (const comment of file.comments) {
      if (isMade || newComments.has(commentKey(comment, after))) comments.push(comment);
    }
    if (comments.length > 0) makes.push(comments.join('\n'));
    for (const trigger of file.triggers) {
      const [, name, table] = /CREATE TRIGGER "(\w+)"[\s\S]*? ON ("\w+"\."\w+")/.exec(trigger);
      const key = `${name} on ${table.replaceAll('"', '')}`;
      if (before.triggers.get(key) === after.triggers.get(key)) continue;
      if (before.triggers.has(key)) makes.push(`DROP TRIGGER "${name}" ON ${table};`);
      makes.push(trigger);
    }
  }
  return drops.length === 0 ? makes : [keepGrants, ...drops, ...droppedTables, ...makes, giveGrants];
}

/** Views and functions that cannot be replaced in place, and whatever stands on them. */
async function toMakeAgain(client, files, changed, there) {
  const again = new Set();
  await client.query('savepoint replacing');
  for (const file of files.filter(({ create }) => create !== '')) {
    if ([...file.needs].some((name) => again.has(name)) && there.has(file.name)) again.add(file.name);
    else if (!there.has(file.name) || changed.has(file.name)) {
      if (await works(client, replacing(file.create))) await client.query(replacing(file.create));
      else if (there.has(file.name)) again.add(file.name);
    }
  }
  await client.query('rollback to savepoint replacing');
  return again;
}

/** Drops what stands on others first: found by trying, since the database knows what its own views stand on. */
async function dropsOf(client, before, names) {
  const kinds = [
    ['VIEW', before.views],
    ['FUNCTION', before.functions],
  ];
  let left = kinds.flatMap(([kind, found]) =>
    [...found.keys()].filter((key) => names.has(nameOf(key))).map((key) => `DROP ${kind} ${key};`),
  );
  const drops = [];
  await client.query('savepoint drops');
  while (left.length > 0) {
    const later = [];
    for (const drop of left) {
      if (await works(client, drop)) {
        await client.query(drop);
        drops.push(drop);
      } else later.push(drop);
    }
    // The error of PostgreSQL names what stands on it.
    if (later.length === left.length) await client.query(later[0]);
    left = later;
  }
  await client.query('rollback to savepoint drops');
  return drops;
}

/** The key under which `readState` tells what a `COMMENT ON` statement writes. */
function commentKey(comment, after) {
  const [, kind, target] = /^COMMENT ON (\w+) ([^']*?) IS /.exec(comment);
  const plain = target.replaceAll('"', '');
  if (kind !== 'COLUMN') {
    const start = `${kind} ${nameOf(plain)}`;
    return [...after.comments.keys()].find((key) => key === start || key.startsWith(`${start}(`));
  }
  return [`TABLE COLUMN ${plain}`, `VIEW COLUMN ${plain}`].find((key) => after.comments.has(key));
}

/** Whether a statement would succeed; leaves the database as it was. */
export async function works(client, statement) {
  await client.query('savepoint attempt');
  try {
    await client.query(statement);
    return true;
  } catch {
    return false;
  } finally {
    await client.query('rollback to savepoint attempt');
  }
}

export function replacing(statement) {
  return statement.replace(/^CREATE (VIEW|FUNCTION)/m, 'CREATE OR REPLACE $1');
}

function nameOf(key) {
  return key.replace(/\(.*$/s, '');
}
