// Makes the migrations that bring a database from the committed ones to the tables of drizzle/ (by drizzle-kit) and to the files of
// sql/. A view is replaced in place where PostgreSQL can; else it is dropped and made again with what stands on it, and its grants
// are kept. A view of somebody else on top of a dropped one makes the migration fail, and PostgreSQL's message names it.
//
//   node scripts/generate-sql.mjs [--name words_of_the_change] [--drop-table custody.x] [--check] [--first] [--database postgres://…]
//
// --drop-table, once for each, names a table on which views stood that do no more: it is dropped after them.
// --check writes nothing and fails where the migrations and the files differ.
// --first replaces all migrations by a first set (sql-first.mjs); it is refused once a version was released.
// --database names an empty database to work in; without it a PostgreSQL of its own is started (after `npm run build`).
import { execFileSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { applyMigrations, withDatabase } from './sql-database.mjs';
import { readSqlFiles } from './sql-files.mjs';
import { breakpoint, releases, removeMigrations, writeFirstSet } from './sql-first.mjs';
import { plan, replacing, works } from './sql-plan.mjs';
import { differing, readState, resetting } from './sql-state.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values: options } = parseArgs({
  options: {
    name: { type: 'string' },
    'drop-table': { type: 'string', multiple: true, default: [] },
    check: { type: 'boolean' },
    first: { type: 'boolean' },
    database: { type: 'string' },
  },
});

const droppedTables = options['drop-table'].map((table) => `DROP TABLE ${table};`);

if (options.first) makeFirstSet();
else if (!options.check) generate([]);
await withDatabase(options.database, async (client) => {
  await applyMigrations(client, join(root, 'migrations'));
  const files = readSqlFiles(join(root, 'sql'));
  await client.query('begin');
  const before = await readState(client);
  const after = await stateOfFiles(client, files);
  const differences = Object.keys(before).flatMap((kind) => differing(before[kind], after[kind]));
  if (differences.length === 0) return console.log('sql: the migrations and sql/ agree');
  if (options.check || options.first) {
    console.error(`sql: the migrations and sql/ differ (npm run db:generate): ${differences.join(', ')}`);
    process.exitCode = 1;
    return;
  }
  const statements = await plan(client, files, before, after, droppedTables);
  await verify(client, statements, after);
  writeMigration(statements);
});

/** What was released is in databases that nobody here can reach, so only a set that never was is replaced. */
function makeFirstSet() {
  const found = releases(root);
  if (found.length > 0) {
    console.error(
      `sql: --first is refused, since a version was released (${found.join(', ')}): make a later migration with npm run db:generate -- --name words_of_the_change`,
    );
    process.exit(1);
  }
  const folder = join(root, 'migrations');
  const removed = removeMigrations(folder);
  generate([], 'tables');
  const names = writeFirstSet(folder, readSqlFiles(join(root, 'sql')), removed);
  console.log(`sql: wrote the first set, ${names.length} migrations: ${names.join(', ')}`);
}

/** What the database would be with the files alone; leaves it as it was. */
async function stateOfFiles(client, files) {
  await client.query('savepoint files');
  const { views, triggers, functions, settings, comments } = await readState(client);
  for (const view of views.keys()) await client.query(`drop view if exists ${view} cascade`);
  for (const trigger of triggers.keys()) await client.query(`drop trigger ${trigger}`);
  for (const [table, found] of settings) await client.query(resetting(table, found));
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
    for (const statement of [...file.triggers, ...file.settings, ...file.comments])
      await run(client, file, statement);
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

async function run(client, file, statement) {
  try {
    await client.query(statement);
  } catch (error) {
    throw new Error(`sql/${file.path}: ${error.message}`, { cause: error });
  }
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
function generate(kind, name = options.name ?? 'change') {
  const kit = join(root, 'node_modules/drizzle-kit/bin.cjs');
  const args = ['generate', ...kind, '--config', 'drizzle/drizzle.config.ts', '--name', name];
  const stdio = ['ignore', kind.length === 0 ? 'inherit' : 'ignore', 'inherit'];
  execFileSync(process.execPath, [kit, ...args], { cwd: root, stdio });
}
