// The tables as a freshly migrated database has them. After an intended change: `npx vitest run
// test/sql/schema.pg.test.ts -u`.
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { migrationsFolder } from '../../src/store/schema/migrations.ts';
import { testDatabase } from '../support/database.ts';
import { historyTables } from '../support/histories.ts';
import { dumpSchema, schemas } from '../support/schema-dump.ts';
import { commitPages, openStore, pageOf } from '../support/store.ts';

const root = dirname(migrationsFolder());
const tables = ['custody', 'sync', 'internal'];

test('the migrated database is the one that was reviewed', async () => {
  const dump = await dumpSchema(await testDatabase());
  await expect(dump).toMatchFileSnapshot('../../migrations/schema.txt');
});

test('the dump shows options of views, and what a function promises', async () => {
  const database = await testDatabase();
  const before = await dumpSchema(database);
  await database.query(`alter view internal.jobs set (security_barrier = true);
    alter function reporting.is_settled(text) security definer volatile`);
  const changed = (await dumpSchema(database)).split('\n').filter((line) => !before.includes(`${line}\n`));
  expect(changed).toEqual([
    '  with (security_barrier=true)',
    '  returns boolean language sql volatile parallel safe security definer',
  ]);
});

test('every schema, table, view and column says what it is', async () => {
  const database = await testDatabase();
  const silent = await database.query(
    `select n.nspname as schema, c.relname as relation, a.attname as column
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     join pg_attribute a on a.attrelid = c.oid and a.attnum >= 0 and not a.attisdropped
     where n.nspname = any($1) and c.relkind in ('r', 'p', 'v', 'm')
       and coalesce(col_description(c.oid, a.attnum), '') = ''
     union all
     select n.nspname, c.relname, null from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = any($1) and c.relkind in ('r', 'p', 'v', 'm')
       and coalesce(obj_description(c.oid, 'pg_class'), '') = ''
     union all
     select n.nspname, null, null from pg_namespace n
     where n.nspname = any($1) and coalesce(obj_description(n.oid, 'pg_namespace'), '') = ''`,
    [schemas],
  );
  expect(silent, 'without a COMMENT ON in sql/ or a line in sql/columns.txt').toEqual([]);
});

/** Types that clients of all makers and generators of code know. */
const plainTypes = [
  'text',
  'numeric',
  'timestamptz',
  'date',
  'interval',
  'bool',
  'int4',
  'int8',
  'jsonb',
  '_text',
  'float8',
];

test('what readers see has plain types only', async () => {
  const database = await testDatabase();
  const columns = await database.query<{ column: string; type: string }>(
    `select format('%s.%s.%s', n.nspname, c.relname, a.attname) as column, t.typname as type
     from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
     join pg_type t on t.oid = a.atttypid
     where n.nspname in ('custody', 'reporting', 'sync') and c.relkind in ('r', 'p', 'v', 'm') and a.attnum > 0
       and not a.attisdropped`,
  );
  expect(columns.length).toBeGreaterThan(200);
  expect(columns.filter(({ type }) => !plainTypes.includes(type))).toEqual([]);
});

/** What BI tools know: no jsonb, no array. */
const reportingTypes = ['text', 'numeric', 'timestamptz', 'date', 'interval', 'bool', 'int4', 'int8'];

test('views and functions of reporting have plain columns, as BI tools want them', async () => {
  const database = await testDatabase();
  const columns = await database.query<{ column: string; type: string }>(
    `select format('%s.%s', c.relname, a.attname) as column, t.typname as type
     from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_type t on t.oid = a.atttypid
     where c.relnamespace = 'reporting'::regnamespace and a.attnum > 0
     union all
     select format('%s(%s)', p.proname, o.name), t.typname
     from pg_proc p cross join lateral unnest(p.proallargtypes, p.proargmodes, p.proargnames) as o (type, mode, name)
     join pg_type t on t.oid = o.type
     where p.pronamespace = 'reporting'::regnamespace and o.mode = 't'`,
  );
  expect(columns.length).toBeGreaterThan(300);
  expect(columns.filter(({ type }) => !reportingTypes.includes(type))).toEqual([]);
});

/** Keys of the read API: one may read several accounts. */
const ofTheMirror = ['api_keys'];

test('every primary key leads with the account', async () => {
  const database = await testDatabase();
  const leading = await database.query(
    `select c.relname as table,
       (select a.attname from pg_index i join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
        where i.indrelid = c.oid and i.indisprimary) as column
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = any($1) and c.relkind = 'r'`,
    [tables],
  );
  expect(leading.length).toBe(32);
  const others = leading.filter((row) => row['column'] !== 'account_id').map((row) => row['table']);
  expect(others).toEqual(ofTheMirror);
});

test('the migrations are what the tables in drizzle/ ask for', async () => {
  const folder = await mkdtemp(join(root, 'node_modules/.drizzle-check-'));
  try {
    const copy = join(folder, 'migrations');
    await cp(migrationsFolder(), copy, { recursive: true });
    const before = await readdir(copy);
    const schema = (await readdir(join(root, 'drizzle')))
      .filter((name) => name !== 'drizzle.config.ts')
      .map((name) => `./drizzle/${name}`);
    const config = join(folder, 'drizzle.config.ts');
    const out = `./${relative(root, copy)}`;
    await writeFile(config, `export default ${JSON.stringify({ dialect: 'postgresql', schema, out })};`);
    const program = join(root, 'node_modules/drizzle-kit/bin.cjs');
    const args = [program, 'generate', '--config', relative(root, config)];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root });
    // Of a column that may have been renamed it would ask, writes nothing, and ends as if all were well.
    expect(stdout).toContain('No schema changes');
    expect(await readdir(copy)).toEqual(before);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('the migrations lead to the views, functions, triggers and comments of sql/', async () => {
  const empty = await testDatabase({ empty: true });
  const args = [join(root, 'scripts/generate-sql.mjs'), '--check', '--database', empty.url];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  expect(stdout).toBe('sql: the migrations and sql/ agree\n');
});

test('each migration is younger than the one before', async () => {
  // Drizzle applies what is younger than the youngest it has applied, so an older one would never run.
  const journal = JSON.parse(await readFile(join(migrationsFolder(), 'meta/_journal.json'), 'utf8'));
  const times = journal.entries.map((entry: { when: number }) => entry.when);
  expect(times).toEqual(times.toSorted((a: number, b: number) => a - b));
  expect(new Set(times).size).toBe(times.length);
});

test('history refuses to be rewritten', async () => {
  const store = await openStore();
  await commitPages(store, pageOf([{ id: 'a' }], 0));
  for (const table of historyTables) {
    for (const statement of [
      `update custody.${table} set run_id = 0`,
      `delete from custody.${table}`,
      `truncate custody.${table} cascade`,
    ]) {
      await expect(store.query(statement)).rejects.toThrow(`custody.${table} is append-only`);
    }
  }
  await expect(store.query('truncate custody.transactions cascade')).rejects.toThrow('append-only');
});

test('amounts that are no numbers are refused', async () => {
  const store = await openStore();
  const insert = (amount: string) =>
    store.query(
      `insert into custody.transactions
       (account_id, transaction_id, status, amount, first_seen_at, status_changed_at, changed_at, content_hash, raw)
       values ('acme', 'x', 'pending', $1::numeric, now(), now(), now(), '', '{}')`,
      [amount],
    );
  for (const amount of ['NaN', 'Infinity', '-Infinity']) {
    await expect(insert(amount)).rejects.toThrow('transactions_amounts_finite');
  }
});

test('a price is a number of up to 100 digits that is not negative', async () => {
  const test = await testDatabase();
  await test.query(
    "insert into custody.accounts (account_id, base_url, first_seen_at) values ('default', 'https://custody.example', now())",
  );
  const price = (text: string) =>
    test.query(
      "insert into custody.asset_prices (asset_id, currency, as_of, price) values ('BTC', 'USD', now(), $1::numeric)",
      [text],
    );
  for (const text of ['-1', 'NaN', 'Infinity', '1e100', '1e-101'])
    await expect(price(text)).rejects.toThrow('price_bounded');
  await price('0');
  await price('65000.123456789012345678');
});
