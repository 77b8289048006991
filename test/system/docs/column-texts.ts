// Writes the files of src/http/api/generated: what the comments in sql/ say of the columns that the API
// shows.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Listing } from '../../../src/store/reading/list/listing.ts';
import { root } from './blocks.ts';

/** All of src/store/reading, so that none is told in words of another. */
async function readListings(): Promise<readonly Listing[]> {
  const folder = join(root, 'src/store/reading');
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  const files: object[] = await Promise.all(names.sort().map((name) => import(join(folder, name))));
  const exported: unknown[] = files.flatMap((file) => Object.values(file));
  // Documents have one for now, for a moment and for their revisions.
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

/** What columns mean whose file says nothing of them, by their names. */
function textsByName(): ReadonlyMap<string, string> {
  const lines = readFileSync(join(root, 'sql/columns.txt'), 'utf8').matchAll(/^(\w+): (.+)$/gm);
  return new Map([...lines].map(([, column = '', text = '']) => [column, text]));
}

/**
 * Texts by the names of columns serve all tables; where a table says something else, it has a line of its
 * own.
 */
export async function writeColumnTexts(): Promise<{ readonly common: string; readonly own: string }> {
  const [known, byName] = [comments(), textsByName()];
  const common = new Map<string, string>();
  const own = new Map<string, string>();
  for (const { columns, describedBy } of await readListings())
    for (const column of Object.keys(columns)) {
      const text = known.get(`${describedBy}.${column}`) ?? byName.get(column);
      if (text === undefined) continue;
      if (!common.has(column)) common.set(column, text);
      if (common.get(column) !== text) own.set(`${describedBy}.${column}`, text);
    }
  return {
    common: write('commonTexts', 'What columns mean, by their names', common),
    own: write(
      'ownTexts',
      'What columns mean where a table differs from common-texts.ts, by `schema.table.column`',
      own,
    ),
  };
}

function write(name: string, says: string, texts: ReadonlyMap<string, string>): string {
  const lines = [...texts].map(([key, text]) => `${key}: ${text}`).sort();
  return `// ${says}. Made from the comments in sql/ by npm run docs:generate.

export const ${name} = \`
${lines.join('\n').replaceAll(/[\\`$]/g, '\\$&')}
\`;
`;
}
