// The data dictionary for people, from the database's own comments and catalogs, the same on every supported
// version of PostgreSQL: what is committed as docs/data-dictionary.md, so that it never says anything but the
// database does.
import type { TestDatabase } from '../support/database.ts';
import { escapeMarkdown, wrap } from '../support/markdown.ts';
import { type Column, type Member, type Place, shareColumns, shortType } from './dictionary-columns.ts';

/** In the order in which a reader needs them. */
const schemas = ['reporting', 'custody', 'sync'];

const intro = `# Data dictionary

Every view, table and column with its meaning, from the comments in the database. \`npm run generate\` writes this file;
change the comments in \`sql/\`. [data.md](data.md) explains the whole, [schema.txt](../migrations/schema.txt) lists
constraints, indexes and triggers.

- Begin with the views of \`reporting\`. \`custody\` holds the tables behind them, \`sync\` how they came to be.
- Amounts are \`numeric\`: exact. Moments are \`timestamptz\` (\`timestamp with time zone\`): your session's
  time zone decides how they are shown, not what they are.
- A column is \`text\`, \`timestamptz\` if its name ends in \`_at\`, \`boolean\` if it begins with \`is_\`, unless its type is
  stated. A question mark marks a column of a table that may be null; one of a view may be null where its meaning says
  so.
- Columns stand in the order of the relation. One without an explanation is a [common column](#common-columns).
- One database may hold several accounts: name \`account_id\`, and join on it too.
`;

const relations = `
  select n.nspname as schema, c.relname as relation, c.relkind in ('r', 'p') as "isTable", obj_description(c.oid, 'pg_class') as comment
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = any($1) and c.relkind in ('r', 'p', 'v', 'm')`;

const columns = `
  select n.nspname as schema, c.relname as relation, a.attname as "column", format_type(a.atttypid, a.atttypmod) as type,
    not a.attnotnull as nullable, col_description(c.oid, a.attnum) as comment
  from pg_attribute a
  join pg_class c on c.oid = a.attrelid
  join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = any($1) and c.relkind in ('r', 'p', 'v', 'm') and a.attnum > 0 and not a.attisdropped
  order by a.attnum`;

const keys = `
  select n.nspname as schema, c.relname as relation, k.contype as kind, pg_get_constraintdef(k.oid) as definition
  from pg_constraint k
  join pg_class c on c.oid = k.conrelid
  join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = any($1) and k.contype in ('p', 'f')`;

const functions = `
  select p.proname as name, pg_get_function_identity_arguments(p.oid) as arguments, pg_get_function_result(p.oid) as result,
    obj_description(p.oid, 'pg_proc') as comment
  from pg_proc p join pg_namespace n on n.oid = p.pronamespace
  where n.nspname = 'reporting'`;

export interface Relation extends Place {
  readonly isTable: boolean;
  readonly comment: string | null;
}

interface Key extends Place {
  readonly kind: string;
  readonly definition: string;
}

interface Callable extends Record<string, unknown> {
  readonly name: string;
  readonly arguments: string;
  readonly result: string;
  readonly comment: string | null;
}

/** The relations of these schemas by name, and their columns in order. */
export async function readRelations(database: TestDatabase, wanted: readonly string[]) {
  const found = await database.query<Relation>(relations, [wanted]);
  const all = await database.query<Column>(columns, [wanted]);
  return found
    .toSorted(by(({ schema, relation }) => `${wanted.indexOf(schema)}${relation}`))
    .map((relation) => ({
      ...relation,
      columns: all.filter(
        (column) => column.schema === relation.schema && column.relation === relation.relation,
      ),
    }));
}

export async function readSchemaComment(database: TestDatabase, schema: string): Promise<string> {
  const [found] = await database.query<{ comment: string | null }>(
    `select obj_description(oid, 'pg_namespace') as comment from pg_namespace where nspname = $1`,
    [schema],
  );
  return found?.comment ?? '';
}

export async function writeDataDictionary(database: TestDatabase): Promise<string> {
  const found = await readRelations(database, schemas);
  const ownKeys = (await database.query<Key>(keys, [schemas])).toSorted(
    by(({ kind, definition }) => `${kind === 'p' ? 0 : 1}${definition}`),
  );
  const { common, listOf, shortList } = shareColumns(found);
  const out = [intro];
  for (const schema of schemas) {
    const own = found.filter((relation) => relation.schema === schema);
    out.push(`## ${schema}\n`, `${wrap(escapeMarkdown(await readSchemaComment(database, schema)))}\n`);
    for (const { relation, isTable, comment, ...rest } of own) {
      const here = ownKeys.filter((key) => key.schema === schema && key.relation === relation);
      out.push(
        `### ${schema}.${relation}\n`,
        `${wrap(escapeMarkdown(comment ?? ''))}\n`,
        ...(isTable ? [`${wrap(keysInWords(here))}\n`] : []),
        ...listOf({ schema, relation, isTable, columns: rest.columns }),
        '',
      );
    }
    if (schema === 'reporting') out.push(...(await describeFunctions(database, found, shortList)));
  }
  out.push('## Common columns\n', 'Columns of several views and tables, by name.\n', ...common);
  return `${out.join('\n').trimEnd()}\n`;
}

function keysInWords(own: readonly Key[]): string {
  return own
    .map(({ kind, definition }) => {
      const [, columns = '', table = '', others = ''] =
        /\(([^)]*)\)(?: REFERENCES (\S+?)\(([^)]*)\))?/.exec(definition) ?? [];
      if (kind === 'p') return `Key: \`${columns}\`.`;
      return `\`${columns}\` refers to \`${table}\`${columns === others ? '' : ` (\`${others}\`)`}.`;
    })
    .join(' ');
}

async function describeFunctions(
  database: TestDatabase,
  found: Awaited<ReturnType<typeof readRelations>>,
  shortList: (members: readonly Member[]) => string,
): Promise<string[]> {
  const callables = await database.query<Callable>(functions);
  const signs = (members: readonly Member[]) => members.map(({ column, type }) => `${column} ${type}`).join();
  return callables.toSorted(by(({ name }) => name)).flatMap(({ name, arguments: given, result, comment }) => {
    const table = /^TABLE\((.*)\)$/.exec(result)?.[1];
    const members = (table ?? '').split(', ').map((member) => {
      const [column = '', type = ''] = member.split(/ (.*)/, 2);
      return { column, type };
    });
    const same = found.find(({ columns }) => signs(columns) === signs(members));
    const returned =
      table === undefined
        ? escapeMarkdown(shortType(result))
        : same === undefined
          ? shortList(members)
          : `the columns of [${same.relation}](#${same.schema}${same.relation})`;
    return [
      `### reporting.${name}(${escapeMarkdown(shortType(given))})\n`,
      `${wrap(`${escapeMarkdown(comment ?? '')} Returns ${returned}.`)}\n`,
    ];
  });
}

/** By code unit: the order of the server's own locale differs from one server to the next. */
function by<Item>(key: (item: Item) => string): (a: Item, b: Item) => number {
  return (a, b) => (key(a) < key(b) ? -1 : 1);
}
