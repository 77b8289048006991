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
import { compare, migrationTo } from './sql-migration.mjs';

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

const droppedTables = options['drop-table'];

if (options.first) makeFirstSet();
else if (!options.check) generate([]);
await withDatabase(options.database, async (client) => {
  await applyMigrations(client, join(root, 'migrations'));
  const files = readSqlFiles(join(root, 'sql'));
  await client.query('begin');
  const compared = await compare(client, files, droppedTables);
  const { differences } = compared;
  if (differences.length === 0) return console.log('sql: the migrations and sql/ agree');
  if (options.check || options.first) {
    console.error(`sql: the migrations and sql/ differ (npm run db:generate): ${differences.join(', ')}`);
    process.exitCode = 1;
    return;
  }
  const statements = await migrationTo(client, files, compared, droppedTables);
  await client.query('rollback');
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
