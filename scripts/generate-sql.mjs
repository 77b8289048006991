// Makes the migration that brings a database from the committed ones to the tables of drizzle/ (by
// drizzle-kit) and to the files of sql/. A view is replaced in place where PostgreSQL can; else it is dropped
// and made again with what stands on it, and its grants are kept. What others built on what is dropped makes
// the migration fail, and PostgreSQL's message names it. When the making fails, migrations/ stays as it was.
//
//   node scripts/generate-sql.mjs [--name words_of_a_change | --baseline | --check] [--database postgres://…]
//
// --baseline replaces all migrations by one, and leaves them alone where that one would be the same; it is
// refused after the first release. --check writes nothing
// and fails where the migrations and sql/ differ. --database names an empty database to work in; without it
// the script starts its own PostgreSQL, from dist/.
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';
import { compare, planMigration } from './sql-plan.mjs';
import { readSql } from './sql-state.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'migrations');
const separator = '--> statement-breakpoint';
const { values: options } = parseArgs({
  options: {
    name: { type: 'string' },
    baseline: { type: 'boolean' },
    check: { type: 'boolean' },
    database: { type: 'string' },
  },
});
const name = options.name ?? (options.baseline ? 'baseline' : 'change');
const scratch = mkdtempSync(join(tmpdir(), 'custody-mirror-sql-'));
const earlier = join(scratch, 'migrations');
process.on('exit', () => rmSync(scratch, { recursive: true }));
const server = options.database === undefined ? await startServer() : null;
const client = new pg.Client({ connectionString: options.database ?? server.url('sql') });
try {
  await client.connect();
  const sql = readSql(join(root, 'sql'));
  if (options.check) {
    await openMigrated();
    await check(sql);
  } else await orAsBefore(() => writeMigration(sql));
} catch (error) {
  // What is wrong is in a file of sql/ or in the database: where in this script says nothing.
  console.error(error.message);
  process.exitCode = 1;
} finally {
  await client.end();
  await server?.stop();
}

async function startServer() {
  const { startEmbeddedPostgres } = await import('../dist/packages/demo/src/embedded-postgres/server.js');
  const server = await startEmbeddedPostgres({ dataDirectory: join(scratch, 'data'), persistent: false });
  await server.createDatabase('sql');
  return server;
}

/** Begins a transaction, which nobody commits. */
async function openMigrated() {
  await migrate(drizzle(client), { migrationsFolder: folder });
  await client.query('BEGIN');
}

async function check(sql) {
  const { differences } = await compare(client, sql);
  if (differences.length === 0) return console.log('sql: the migrations and sql/ agree');
  console.error(`sql: the migrations and sql/ differ (npm run generate): ${differences.join(', ')}`);
  process.exitCode = 1;
}

/** A migration that was begun would be in the way of the next attempt. */
async function orAsBefore(work) {
  cpSync(folder, earlier, { recursive: true });
  try {
    await work();
  } catch (error) {
    restoreMigrations();
    throw error;
  }
}

function restoreMigrations() {
  rmSync(folder, { recursive: true });
  cpSync(earlier, folder, { recursive: true });
}

function readMigrations() {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => `${file}\n${readFileSync(join(folder, file), 'utf8')}`)
    .join('');
}

async function writeMigration(sql) {
  const before = readMigrations();
  if (options.baseline) emptyFolder();
  await openMigrated();
  const made = generate([]);
  const tables = made === null ? [] : readFileSync(join(folder, made), 'utf8').split(separator);
  const statements = await planMigration(client, sql, tables);
  if (statements.length === 0) return console.log('sql: the migrations and sql/ agree');
  const file = made ?? generate(['--custom']);
  writeFileSync(join(folder, file), `${statements.join(`\n${separator}\n`)}\n`);
  // Only drizzle-kit's identifiers and times differ then.
  if (readMigrations() === before) {
    restoreMigrations();
    return console.log('sql: the migrations and sql/ agree');
  }
  console.log(`sql: wrote migrations/${file}, ${statements.length} statements`);
}

function emptyFolder() {
  if (existsSync(join(root, 'test/system/versions/released')))
    throw new Error('sql: migrations of a released version never change: leave --baseline away');
  for (const file of readdirSync(folder)) if (file.endsWith('.sql')) rmSync(join(folder, file));
  rmSync(join(folder, 'meta'), { recursive: true });
  mkdirSync(join(folder, 'meta'));
  const journal = { version: '7', dialect: 'postgresql', entries: [] };
  writeFileSync(join(folder, 'meta/_journal.json'), JSON.stringify(journal));
}

/**
 * Has drizzle-kit write a migration: of the tables' changes, if any, or with `--custom` an empty one.
 *
 * @returns {string | null} the file's name
 */
function generate(kind) {
  const kit = join(root, 'node_modules/drizzle-kit/bin.cjs');
  const args = ['generate', ...kind, '--config', 'drizzle/drizzle.config.ts', '--name', name];
  const known = new Set(readdirSync(folder));
  // It asks whether something was renamed. Where nobody can answer, it says so and still ends as if all were
  // well.
  const isAnswered = process.stdin.isTTY && process.stdout.isTTY;
  const stdio = isAnswered ? 'inherit' : ['ignore', 'pipe', 'inherit'];
  const output = execFileSync(process.execPath, [kit, ...args], { cwd: root, stdio, encoding: 'utf8' });
  const made = readdirSync(folder).find((file) => file.endsWith('.sql') && !known.has(file));
  if (made === undefined && output !== null && !output.includes('No schema changes'))
    throw new Error(
      `sql: drizzle-kit wrote nothing, and did not say that nothing changed; it may have a question \
(was something renamed?), so run npm run generate in a terminal:\n${output}`,
    );
  return made ?? null;
}
