// Makes the migrations that bring a database from the committed ones to the tables of drizzle/ (by drizzle-kit) and to the files of
// sql/. A view is replaced in place where
// PostgreSQL can; else it is dropped and made again with what stands on it, and its grants are kept. A view of somebody else on top
// of a dropped one makes the migration fail, and PostgreSQL's message names it.
//
//   node scripts/generate-sql.mjs [--name words_of_the_change] [--drop-table custody.x] [--check] [--database postgres://…]
//
// --drop-table, once for each, names a table on which views stood that do no more: it is dropped after them.
// --check writes nothing and fails where the migrations and the files differ. --database names an empty database to work in; without
// it a PostgreSQL of its own is started (after `npm run build`).
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { readSqlFiles } from './sql-files.mjs';
import { differing, readState, schemas } from './sql-state.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
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

const breakpoint = '\n--> statement-breakpoint\n';
const { values: options } = parseArgs({
  options: {
    name: { type: 'string' },
    'drop-table': { type: 'string', multiple: true, default: [] },
    check: { type: 'boolean' },
    database: { type: 'string' },
  },
});

const droppedTables = options['drop-table'].map((table) => `DROP TABLE ${table};`);

if (!options.check) generate([]);
await withDatabase(async (client) => {
  await applyMigrations(client);
  const files = readSqlFiles(join(root, 'sql'));
  await client.query('begin');
  const before = await readState(client);
  const after = await stateOfFiles(client, files);
  const differences = Object.keys(before).flatMap((kind) => differing(before[kind], after[kind]));
  if (differences.length === 0) return console.log('sql: the migrations and sql/ agree');
  if (options.check) {
    console.error(`sql: the migrations and sql/ differ (npm run db:generate): ${differences.join(', ')}`);
    process.exitCode = 1;
    return;
  }
  const statements = await plan(client, files, before, after);
  await verify(client, statements, after);
  writeMigration(statements);
});

async function withDatabase(work) {
  const { url, end } = options.database ? { url: options.database, end: () => {} } : await ownServer();
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
    await work(client);
  } finally {
    await client.end();
    await end();
  }
}

async function ownServer() {
  const { startEmbeddedPostgres } = await import('../dist/src/embedded-postgres/server.js');
  const folder = mkdtempSync(join(tmpdir(), 'custody-mirror-sql-'));
  const server = await startEmbeddedPostgres({ dataDirectory: join(folder, 'data'), persistent: false });
  await server.createDatabase('sql');
  const end = async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  return { url: server.url('sql'), end };
}

async function applyMigrations(client) {
  await client.query(`create schema drizzle;
    create table drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)`);
  const folder = join(root, 'migrations');
  for (const name of readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .toSorted()) {
    for (const statement of readFileSync(join(folder, name), 'utf8').split('--> statement-breakpoint'))
      await client.query(statement);
  }
}

/** What the database would be with the files alone; leaves it as it was. */
async function stateOfFiles(client, files) {
  await client.query('savepoint files');
  const { views, triggers, functions, comments } = await readState(client);
  for (const view of views.keys()) await client.query(`drop view if exists ${view} cascade`);
  for (const trigger of triggers.keys()) await client.query(`drop trigger ${trigger}`);
  for (const drop of droppedTables) await client.query(drop);
  for (const key of comments.keys()) {
    const [, column, target] = /^(?:TABLE( COLUMN)?|SCHEMA) (.*)$/.exec(key) ?? [];
    const isGone = options['drop-table'].some((table) => `${target}.`.startsWith(`${table}.`));
    if (target && !isGone)
      await client.query(`comment on ${column ? 'column' : key.split(' ')[0]} ${target} is null`);
  }
  const known = new Set();
  for (const file of files) {
    if (file.kind === 'FUNCTION') await replaceFunction(client, file);
    else if (file.create) await run(client, file, file.create);
    if (file.kind === 'FUNCTION') known.add(file.name);
    for (const statement of [...file.triggers, ...file.comments]) await run(client, file, statement);
  }
  for (const key of functions.keys()) {
    if (!known.has(key.slice(0, key.indexOf('(')))) await client.query(`drop function ${key} cascade`);
  }
  const state = await readState(client);
  await client.query('rollback to savepoint files');
  return state;
}

async function replaceFunction(client, file) {
  if (await works(client, replacing(file.create))) return await run(client, file, replacing(file.create));
  const { rows } = await client.query(
    `select p.oid::regprocedure as found from pg_proc p where p.oid::regproc::text = $1`,
    [file.name],
  );
  for (const { found } of rows) await client.query(`drop function ${found} cascade`);
  await run(client, file, file.create);
}

/** Whether a statement would succeed; leaves the database as it was. */
async function works(client, statement) {
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

async function run(client, file, statement) {
  try {
    await client.query(statement);
  } catch (error) {
    throw new Error(`sql/${file.path}: ${error.message}`, { cause: error });
  }
}

function replacing(statement) {
  return statement.replace(/^CREATE (VIEW|FUNCTION)/m, 'CREATE OR REPLACE $1');
}

function nameOf(key) {
  return key.replace(/\(.*$/s, '');
}

/** The statements of the migration. */
async function plan(client, files, before, after) {
  const byName = new Map(files.filter(({ name }) => name).map((file) => [file.name, file]));
  const changed = new Set(
    [...differing(before.views, after.views), ...differing(before.functions, after.functions)].map(nameOf),
  );
  const there = new Set([...before.views.keys(), ...before.functions.keys()].map(nameOf));
  const again = await toMakeAgain(client, files, changed, there);
  const gone = [...there].filter((name) => !byName.has(name));
  const drops = await dropsOf(client, before, new Set([...again, ...gone]));
  const newComments = new Set(differing(before.comments, after.comments));
  const makes = [];
  for (const file of files) {
    const isMade = again.has(file.name) || (file.create !== '' && !there.has(file.name));
    if (isMade) makes.push(file.create);
    else if (changed.has(file.name)) makes.push(replacing(file.create));
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

/** Plays the migration on the state of the migrations: it must lead to the state of the files. */
async function verify(client, statements, after) {
  for (const statement of statements) {
    try {
      await client.query(statement);
    } catch (error) {
      throw new Error(`sql: the migration fails: ${error.message}\n${statement}`, { cause: error });
    }
  }
  const reached = await readState(client);
  const differences = Object.keys(after).flatMap((kind) => differing(reached[kind], after[kind]));
  if (differences.length > 0)
    throw new Error(`sql: the migration leaves a difference: ${differences.join(', ')}`);
  await client.query('rollback');
}

function writeMigration(statements) {
  const folder = join(root, 'migrations');
  const known = new Set(readdirSync(folder));
  generate(['--custom']);
  const file = readdirSync(folder).find((name) => name.endsWith('.sql') && !known.has(name));
  writeFileSync(join(folder, file), `${statements.join(breakpoint)}\n`);
  console.log(`sql: wrote migrations/${file}, ${statements.length} statements`);
}

/** Has drizzle-kit write a migration: of the tables' changes, if any, or with `--custom` an empty one. */
function generate(kind) {
  const kit = join(root, 'node_modules/drizzle-kit/bin.cjs');
  const args = [
    'generate',
    ...kind,
    '--config',
    'drizzle/drizzle.config.ts',
    '--name',
    options.name ?? 'change',
  ];
  const stdio = ['ignore', kind.length === 0 ? 'inherit' : 'ignore', 'inherit'];
  execFileSync(process.execPath, [kit, ...args], { cwd: root, stdio });
}
