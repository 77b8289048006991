// Makes the migrations that bring a database from the committed ones to the tables of drizzle/ (by drizzle-kit) and to the files of
// sql/. A view is replaced in place where PostgreSQL can; else it is dropped and made again with what stands on it, and its grants
// are kept. A view of somebody else on top of a dropped one makes the migration fail, and PostgreSQL's message names it. When the
// making fails, migrations/ stays as it was.
//
//   node scripts/generate-sql.mjs [--name words_of_the_change] [--check] [--first] [--database postgres://…]
//
// --check writes nothing and fails where the migrations and the files differ.
// --first replaces all migrations by a first set (sql-first.mjs); it is refused once a version was released.
// --database names an empty database to work in; without it a PostgreSQL of its own is started (after `npm run build`).
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { applyMigrations, play, separator, withDatabase } from './sql-database.mjs';
import { readSqlFiles } from './sql-files.mjs';
import { breakpoint, releases, removeMigrations, writeFirstSet } from './sql-first.mjs';
import { compare, migrationTo } from './sql-migration.mjs';
import { tablesMigration } from './sql-tables.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values: options } = parseArgs({
  options: {
    name: { type: 'string' },
    check: { type: 'boolean' },
    first: { type: 'boolean' },
    database: { type: 'string' },
  },
});

const folder = join(root, 'migrations');
if (options.first) refuseOnceReleased();
if (options.check) await main();
else await orAsBefore(main);

/** A migration that was begun would be in the way of the next attempt. */
async function orAsBefore(work) {
  const earlier = mkdtempSync(join(tmpdir(), 'custody-mirror-migrations-'));
  cpSync(folder, earlier, { recursive: true });
  try {
    await work();
  } catch (error) {
    rmSync(folder, { recursive: true });
    cpSync(earlier, folder, { recursive: true });
    throw error;
  } finally {
    rmSync(earlier, { recursive: true });
  }
}

async function main() {
  if (options.first) makeFirstSet();
  const made = options.first || options.check ? null : generate([]);
  await withDatabase(options.database, async (client) => {
    await applyMigrations(client, folder, made);
    const files = readSqlFiles(join(root, 'sql'));
    await client.query('begin');
    const isKept = made !== null && (await writeTables(client, made));
    const compared = await compare(client, files);
    const { differences } = compared;
    if (differences.length === 0 && !isKept) return console.log('sql: the migrations and sql/ agree');
    if (options.check || options.first) {
      console.error(`sql: the migrations and sql/ differ (npm run db:generate): ${differences.join(', ')}`);
      process.exitCode = 1;
      return;
    }
    const statements = await migrationTo(client, files, compared, isKept);
    await client.query('rollback');
    const file = generate(['--custom']);
    writeFileSync(join(folder, file), `${statements.join(breakpoint)}\n`);
    console.log(`sql: wrote migrations/${file}, ${statements.length} statements`);
  });
}

/** What was released is in databases that nobody here can reach, so only a set that never was is replaced. */
function refuseOnceReleased() {
  const found = releases(root);
  if (found.length > 0) {
    console.error(
      `sql: --first is refused, since a version was released (${found.join(', ')}): make a later migration with npm run db:generate -- --name words_of_the_change`,
    );
    process.exit(1);
  }
}

function makeFirstSet() {
  const removed = removeMigrations(folder);
  generate([], 'tables');
  const names = writeFirstSet(folder, readSqlFiles(join(root, 'sql')), removed);
  console.log(`sql: wrote the first set, ${names.length} migrations: ${names.join(', ')}`);
}

/** Writes the migration that drizzle-kit made again, with the drops that it needs, and plays it; returns whether grants are kept. */
async function writeTables(client, name) {
  const file = join(folder, name);
  const { statements, isKept } = await tablesMigration(client, readFileSync(file, 'utf8').split(separator));
  writeFileSync(file, `${statements.join(breakpoint)}\n`);
  await play(client, name, statements);
  return isKept;
}

/**
 * Has drizzle-kit write a migration: of the tables' changes, if any, or with `--custom` an empty one.
 *
 * @returns {string | null} the file's name
 */
function generate(kind, name = options.name ?? 'change') {
  const kit = join(root, 'node_modules/drizzle-kit/bin.cjs');
  const args = ['generate', ...kind, '--config', 'drizzle/drizzle.config.ts', '--name', name];
  const known = new Set(readdirSync(folder));
  // It asks whether something was renamed. Where nobody can answer, it says so and still ends as if all were well.
  const isAnswered = process.stdin.isTTY && process.stdout.isTTY;
  const stdio = isAnswered ? 'inherit' : ['ignore', 'pipe', 'inherit'];
  const output = execFileSync(process.execPath, [kit, ...args], { cwd: root, stdio, encoding: 'utf8' });
  const made = readdirSync(folder).find((file) => file.endsWith('.sql') && !known.has(file));
  if (made === undefined && output !== null && !output.includes('No schema changes'))
    throw new Error(
      `sql: drizzle-kit wrote nothing, and did not say that nothing changed; it may have a question (was something renamed?), so run npm run db:generate in a terminal:\n${output}`,
    );
  return made ?? null;
}
