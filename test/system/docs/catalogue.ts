// What the database says of the columns that the read API shows: their types, of which it writes
// src/store/read-api/generated/catalogue.ts, and their meanings, by the comments in sql/.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { kindOfType } from '../../../src/store/read-api/list/columns.ts';
import type { List, Listing } from '../../../src/store/read-api/list/listing.ts';
import type { TestDatabase } from '../../support/database.ts';
import { root } from './blocks.ts';

/** Every listing of src/store/read-api, so that no column gets the text of another. */
async function readListings(): Promise<readonly Listing[]> {
  const folder = join(root, 'src/store/read-api');
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  const files: object[] = await Promise.all(names.sort().map((name) => import(join(folder, name))));
  const exported: unknown[] = files.flatMap((file) => Object.values(file));
  // Documents have two, and some have a past.
  return exported
    .flatMap((value) => (isListing(value) || !isObject(value) ? [value] : Object.values(value)))
    .flatMap((value) => (isListing(value) && 'past' in value ? [value, value.past.listing] : [value]))
    .filter(isListing);
}

function isListing(value: unknown): value is Listing & Partial<Pick<List, 'past'>> {
  return isObject(value) && 'columns' in value && 'describedBy' in value;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Comments of columns, by `schema.table.column`. */
function comments(): ReadonlyMap<string, string> {
  const files = readdirSync(join(root, 'sql'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.sql'))
    .sort();
  const text = files.map((name) => readFileSync(join(root, 'sql', name), 'utf8')).join('\n');
  const found = text.matchAll(/^COMMENT ON COLUMN "(\w+)"\."(\w+)"\."(\w+)" IS '((?:[^']|'')*)';$/gm);
  return new Map(
    [...found].map(([, schema, table, column, comment = '']) => [
      `${schema}.${table}.${column}`,
      comment.replaceAll("''", "'"),
    ]),
  );
}

/** The meaning of columns that their own file does not describe: by name, or that only the read API shows. */
function texts(file: 'columns' | 'read-api'): ReadonlyMap<string, string> {
  const lines = readFileSync(join(root, `sql/${file}.txt`), 'utf8').matchAll(/^([\w.]+): (.+)$/gm);
  return new Map([...lines].map(([, column = '', text = '']) => [column, text]));
}

const [own, commented, byName] = [texts('read-api'), comments(), texts('columns')];

export function meaningOf({ view, describedBy }: Listing, column: string): string | undefined {
  return own.get(`${view}.${column}`) ?? commented.get(`${describedBy}.${column}`) ?? byName.get(column);
}

/** The kinds of all columns of tables, views and functions, by `schema.name.column`. */
async function kinds(database: TestDatabase): Promise<ReadonlyMap<string, string>> {
  const rows = await database.query<{ column: string; type: string }>(`
    select format('%s.%s.%s', n.nspname, c.relname, a.attname) as column, format_type(a.atttypid, null) as type
    from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('custody', 'reporting', 'sync') and a.attnum > 0 and not a.attisdropped
    union all
    select format('%s.%s.%s', n.nspname, p.proname, a.name), format_type(a.type, null)
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    cross join unnest(p.proargnames, p.proallargtypes, p.proargmodes) as a (name, type, mode)
    where n.nspname = 'reporting' and a.mode = 't'`);
  return new Map(rows.map(({ column, type }) => [column, type]));
}

/** What is the same for all tables has one line by the name of the column; a table that differs has its own. */
export async function writeCatalogue(database: TestDatabase): Promise<string> {
  const types = await kinds(database);
  const shared = new Map<string, string>();
  const different = new Map<string, string>();
  for (const { columns, view } of await readListings())
    for (const column of Object.keys(columns)) {
      const type = types.get(`${view}.${column}`);
      const kind = type === undefined ? 'text' : kindOfType(type);
      if (!shared.has(column)) shared.set(column, kind);
      if (shared.get(column) !== kind) different.set(`${view}.${column}`, kind);
    }
  const lines = [...shared, ...different].map(([key, kind]) =>
    key.includes('.') ? `  '${key}': '${kind}',` : `  ${key}: '${kind}',`,
  );
  return `// The kinds of the columns of lists. Generated from the database by npm run generate. A line with the name of a table,
// view or function is for that one alone.

export const catalogue: Readonly<Record<string, string>> = {
${lines.sort().join('\n')}
};
`;
}
