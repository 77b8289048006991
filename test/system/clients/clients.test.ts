// Clients of other makers read the mirror as the role that `grant` made a reader: what they find by
// themselves of tables, keys, types and comments, and whether amounts arrive as they were sent. Each runs
// where it is installed.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import type { TestDatabase } from '../../support/database.ts';
import type { TestRole } from '../../support/roles.ts';
import { installed } from './installed.ts';
import { longAmount, openMirrorForReaders, postgresql, runClient } from './mirror-for-readers.ts';

/** The first Python that has the modules: one in front of the system's own need not. */
function pythonWith(modules: string, check = ''): string | undefined {
  const { directory } = installed('python');
  const own = directory === '' ? [] : [`${directory}/env/bin/python`];
  return [...own, 'python3', '/usr/bin/python3'].find(
    (python) => spawnSync(python, ['-c', `import ${modules}\n${check}`]).status === 0,
  );
}

const odbcDriver = 'PostgreSQL Unicode';
const sqlalchemy = pythonWith('sqlalchemy, psycopg2');
const odbc = pythonWith('pyodbc', `assert '${odbcDriver}' in pyodbc.drivers()`);
const absent = (found: string | undefined, packages: string) =>
  found === undefined ? ` (skipped: ${packages} are not installed)` : '';

let database: TestDatabase;
let reader: TestRole;

beforeAll(async () => {
  if (sqlalchemy === undefined && odbc === undefined) return;
  ({ database, reader } = await openMirrorForReaders());
});

function read(python: string | undefined, script: string): unknown {
  const { stdout } = runClient(python ?? '', [fileURLToPath(new URL(script, import.meta.url))], {
    env: { READER_URL: postgresql(reader.url), ODBC_DRIVER: odbcDriver },
  });
  return JSON.parse(stdout);
}

/** Every table of custody or view of reporting, with what the catalogs tell of it. */
async function relations(schema: string, kind: string) {
  const found = await database.query<{
    name: string;
    comment: string;
    key: string[];
    columns: { name: string; type: string; comment: string }[];
  }>(
    `select c.relname as name, obj_description(c.oid, 'pg_class') as comment,
       array(select a.attname::text from pg_index i, unnest(i.indkey::int[]) with ordinality as k (number, place)
             join pg_attribute a on a.attnum = k.number and a.attrelid = c.oid
             where i.indrelid = c.oid and i.indisprimary order by k.place) as key,
       (select json_agg(json_build_object('name', a.attname, 'type', t.typname, 'comment', col_description(c.oid, a.attnum)))
        from pg_attribute a join pg_type t on t.oid = a.atttypid
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns
     from pg_class c where c.relnamespace = to_regnamespace($1) and c.relkind = $2`,
    [schema, kind],
  );
  expect(found.length).toBeGreaterThan(5);
  return found;
}

async function facts() {
  const [counted] = await database.query<{ amounts: number; rows: number; changes: number }>(
    `select count(amount)::int as amounts, count(*)::int as rows,
       (select count(*)::int from custody.transaction_status_history) as changes from custody.transactions`,
  );
  return { amounts: counted?.amounts, rows: counted?.rows, changes: counted?.changes };
}

const balanceKeys = expect.arrayContaining([
  {
    columns: ['account_id', 'vault_type', 'valid_from'],
    refersTo: 'custody.balance_snapshots',
    referredColumns: ['account_id', 'vault_type', 'snapshot_at'],
  },
  {
    columns: ['account_id', 'vault_type', 'valid_to'],
    refersTo: 'custody.balance_snapshots',
    referredColumns: ['account_id', 'vault_type', 'snapshot_at'],
  },
]);
const refusals = { insert: '42501', update: '42501', delete: '42501' };

type Relation = Awaited<ReturnType<typeof relations>>[number];

/** What every driver shows, which tells of a relation what `describe` says. */
async function expected(describe: (relation: Relation) => object) {
  const [tables, views] = [await relations('custody', 'r'), await relations('reporting', 'v')];
  const { amounts, rows, changes } = await facts();
  const ofTable = (table: Relation) => ({
    ...describe(table),
    primaryKey: table.key,
    foreignKeys: table.name === 'balances' ? balanceKeys : expect.any(Array),
  });
  const shown = {
    tables: Object.fromEntries(tables.map((table) => [table.name, ofTable(table)])),
    views: Object.fromEntries(views.map((view) => [view.name, describe(view)])),
    ...{ amounts, exact: true, longest: longAmount, inView: rows, refusals },
  };
  return { tables, shown, changes };
}

test.skipIf(sqlalchemy === undefined)(
  `SQLAlchemy reflects tables, keys, types and comments, joins by them, and reads exactly${absent(sqlalchemy, 'python3-sqlalchemy and python3-psycopg2')}`,
  async () => {
    const seen = read(sqlalchemy, 'sqlalchemy_reader.py');
    const typeOf: Readonly<Record<string, string>> = {
      timestamptz: 'TIMESTAMP WITH TIME ZONE',
      numeric: 'NUMERIC',
      text: 'TEXT',
    };
    const described = ({ comment, columns }: Relation) => ({
      comment,
      columns: Object.fromEntries(
        columns.map((column) => [
          column.name,
          { type: typeOf[column.type] ?? expect.any(String), comment: column.comment },
        ]),
      ),
    });
    const { tables, shown, changes } = await expected(described);
    expect(seen).toEqual({ ...shown, zoned: true, joined: changes });
    for (const { name, comment, key } of tables)
      expect({ name, comment, keyed: key.length > 0 }).toEqual({
        name,
        comment: expect.stringMatching(/.{10}/),
        keyed: true,
      });
  },
);

test.skipIf(odbc === undefined)(
  `ODBC lists tables, keys and types, and reads exactly${absent(odbc, 'odbc-postgresql and python3-pyodbc')}`,
  async () => {
    const seen = read(odbc, 'odbc_reader.py');
    const typed = ({ columns }: Relation) => ({
      columns: Object.fromEntries(
        columns.map(({ name, type }) => [
          name,
          /^(timestamptz|numeric|text)$/.test(type) ? type : expect.any(String),
        ]),
      ),
    });
    expect(seen).toEqual((await expected(typed)).shown);
  },
);
