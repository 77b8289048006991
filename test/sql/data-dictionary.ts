// The data dictionary for people, from the database's own comments and catalogs, the same on every supported
// version of PostgreSQL: what is committed as docs/data-dictionary.md, so that it never says anything but the
// database does.
import type { TestDatabase } from '../support/database.ts';

/** In the order in which a reader needs them. */
const schemas = ['reporting', 'custody', 'sync'];

const intro = `# Data dictionary

Every view, table and column with its meaning, from the comments in the database. The file is made from them by
\`npm run db:dump\`; change the comments in \`sql/\`, not this text. [data.md](data.md) explains the whole;
[schema.txt](../migrations/schema.txt) lists constraints, indexes and triggers as well.

- Begin with the views of \`reporting\`: they are joined and explained. \`custody\` holds the tables behind them, \`sync\` how
  they came to be.
- Amounts are \`numeric\`: exact, of any length. Moments are \`timestamp with time zone\`: your session's time zone decides how
  they are shown, not what they are.
- *Null* says which columns of a table may be empty. A view's columns may be, where their meaning says so.
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

interface Place extends Record<string, unknown> {
  readonly schema: string;
  readonly relation: string;
}

interface Relation extends Place {
  readonly isTable: boolean;
  readonly comment: string | null;
}

interface Column extends Place {
  readonly column: string;
  readonly type: string;
  readonly nullable: boolean;
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

export async function writeDataDictionary(database: TestDatabase): Promise<string> {
  const namespaces = await database.query<{ schema: string; comment: string | null }>(
    `select nspname as schema, obj_description(oid, 'pg_namespace') as comment from pg_namespace where nspname = any($1)`,
    [schemas],
  );
  const found = {
    relations: (await database.query<Relation>(relations, [schemas])).toSorted(
      by(({ relation }) => relation),
    ),
    columns: await database.query<Column>(columns, [schemas]),
    keys: (await database.query<Key>(keys, [schemas])).toSorted(
      by(({ kind, definition }) => `${kind === 'p' ? 0 : 1}${definition}`),
    ),
  };
  const out = [intro];
  for (const schema of schemas) {
    const own = found.relations.filter((relation) => relation.schema === schema);
    const about = namespaces.find((namespace) => namespace.schema === schema)?.comment ?? '';
    out.push(
      `## ${schema}\n`,
      `${escapeMarkdown(about)}\n`,
      ...own.map(
        ({ relation, comment }) =>
          `- [${relation}](#${schema}${relation}): ${escapeMarkdown(firstSentence(comment ?? ''))}`,
      ),
      '',
    );
    for (const relation of own) {
      const here = (place: Place) => place.schema === schema && place.relation === relation.relation;
      out.push(...describe(relation, found.columns.filter(here), found.keys.filter(here)));
    }
    if (schema === 'reporting') out.push(...(await describeFunctions(database)));
  }
  return `${out.join('\n').trimEnd()}\n`;
}

function describe(relation: Relation, own: readonly Column[], ownKeys: readonly Key[]): string[] {
  const { schema, relation: name, isTable, comment } = relation;
  const heads = ['column', 'type', ...(isTable ? ['null'] : []), 'meaning'];
  return [
    `### ${schema}.${name}\n`,
    `${escapeMarkdown(comment ?? '')}\n`,
    ...(isTable ? ownKeys.map((key) => `- ${keyInWords(key)}`) : []),
    ...(isTable ? [''] : []),
    row(heads),
    row(heads.map(() => '---')),
    ...own.map(({ column, type, nullable, comment: meaning }) =>
      row([
        `\`${column}\``,
        escapeMarkdown(type),
        ...(isTable ? [nullable ? 'yes' : ''] : []),
        escapeMarkdown(meaning ?? ''),
      ]),
    ),
    '',
  ];
}

function keyInWords({ kind, definition }: Key): string {
  const [, own = '', table = '', others = ''] =
    /\(([^)]*)\)(?: REFERENCES (\S+?)\(([^)]*)\))?/.exec(definition) ?? [];
  return kind === 'p' ? `Primary key: \`${own}\`` : `\`${own}\` refers to \`${table}\` (\`${others}\`)`;
}

async function describeFunctions(database: TestDatabase): Promise<string[]> {
  const callables = await database.query<Callable>(functions);
  return callables.toSorted(by(({ name }) => name)).flatMap(({ name, arguments: given, result, comment }) => {
    const table = /^TABLE\((.*)\)$/.exec(result)?.[1];
    const members = (table ?? '').split(', ').map((member) => member.split(/ (.*)/, 2));
    const returned =
      table === undefined
        ? [`Returns ${escapeMarkdown(result)}.\n`]
        : [
            row(['column', 'type']),
            row(['---', '---']),
            ...members.map(([column = '', type = '']) => row([`\`${column}\``, escapeMarkdown(type)])),
            '',
          ];
    return [
      `### reporting.${name}(${escapeMarkdown(given)})\n`,
      `${escapeMarkdown(comment ?? '')}\n`,
      ...returned,
    ];
  });
}

function firstSentence(comment: string): string {
  return /^.*?[.?](?= |$)/s.exec(comment)?.[0] ?? comment;
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

/**
 * Text as Markdown that shows it as it is, in a paragraph or a cell of a table. An underscore within a word
 * means nothing.
 */
export function escapeMarkdown(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(/[\\`*[\]<>|~$]/g, (sign) => `\\${sign}`)
    .replaceAll(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
    .replaceAll(/&(?=#?\w+;)/g, '\\&')
    .replace(/^(\d+)([.)])(?= |$)/, '$1\\$2')
    .replace(/^([#+-])(?= |#|$)/, '\\$1');
}

/** By code unit: the order of the server's own locale differs from one server to the next. */
function by<Item>(key: (item: Item) => string): (a: Item, b: Item) => number {
  return (a, b) => (key(a) < key(b) ? -1 : 1);
}
