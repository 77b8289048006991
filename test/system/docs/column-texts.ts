// Writes src/api/generated/shared-column-texts.ts and column-texts.ts: the comments in sql/ of the columns
// that the API returns.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Listing } from '../../../src/store/read-api/list/listing.ts';
import { root } from './blocks.ts';

/** Every listing of src/store/read-api, so that no column gets the text of another. */
async function readListings(): Promise<readonly Listing[]> {
  const folder = join(root, 'src/store/read-api');
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  const files: object[] = await Promise.all(names.sort().map((name) => import(join(folder, name))));
  const exported: unknown[] = files.flatMap((file) => Object.values(file));
  // The listing of documents is three: current, at a moment, and revisions.
  return exported
    .flatMap((value) => (isListing(value) || !isObject(value) ? [value] : Object.values(value)))
    .filter(isListing);
}

function isListing(value: unknown): value is Listing {
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

/** The meaning of columns by name, for those that their own file does not describe. */
function textsByName(): ReadonlyMap<string, string> {
  const lines = readFileSync(join(root, 'sql/columns.txt'), 'utf8').matchAll(/^(\w+): (.+)$/gm);
  return new Map([...lines].map(([, column = '', text = '']) => [column, text]));
}

/** Texts by column name are shared by all tables; a table that differs has its own line. */
export async function writeColumnTexts(): Promise<{ readonly shared: string; readonly own: string }> {
  const [known, byName] = [comments(), textsByName()];
  const shared = new Map<string, string>();
  const own = new Map<string, string>();
  for (const { columns, describedBy } of await readListings())
    for (const column of Object.keys(columns)) {
      const text = known.get(`${describedBy}.${column}`) ?? byName.get(column);
      if (text === undefined) continue;
      if (!shared.has(column)) shared.set(column, text);
      if (shared.get(column) !== text) own.set(`${describedBy}.${column}`, text);
    }
  return {
    shared: write('sharedColumnTexts', 'Meaning of columns, by name', shared),
    own: write(
      'columnTexts',
      'Meaning of columns that differs from shared-column-texts.ts, by `schema.table.column`',
      own,
    ),
  };
}

function write(name: string, title: string, texts: ReadonlyMap<string, string>): string {
  const lines = [...texts].map(([key, text]) => `${key}: ${text}`).sort();
  return `// ${title}. Generated from the comments in sql/ by npm run generate.

export const ${name} = \`
${lines.join('\n').replaceAll(/[\\`$]/g, '\\$&')}
\`;
`;
}
