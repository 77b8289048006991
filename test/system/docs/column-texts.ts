// Writes the files of src/http/api/generated: what the comments in sql/ say of the columns that the API
// shows.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as balances from '../../../src/store/reading/balances/balances.ts';
import * as explained from '../../../src/store/reading/balances/explained.ts';
import * as series from '../../../src/store/reading/balances/series.ts';
import * as worth from '../../../src/store/reading/balances/worth.ts';
import { vaults, whitelist } from '../../../src/store/reading/documents.ts';
import * as findings from '../../../src/store/reading/findings.ts';
import type { Listing } from '../../../src/store/reading/list/listing.ts';
import * as reports from '../../../src/store/reading/reports.ts';
import * as transactions from '../../../src/store/reading/transactions.ts';
import { root } from './blocks.ts';

const listings: readonly Listing[] = [
  ...[transactions, balances, series, worth, explained, reports, findings]
    .flatMap((file) => Object.values(file))
    .filter(isListing),
  ...[vaults, whitelist].flatMap(({ now, at, revisions }) => [now, at, revisions]),
];

function isListing(value: unknown): value is Listing {
  return typeof value === 'object' && value !== null && 'columns' in value;
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
export function writeColumnTexts(): { readonly common: string; readonly own: string } {
  const [known, byName] = [comments(), textsByName()];
  const common = new Map<string, string>();
  const own = new Map<string, string>();
  for (const { columns, describedBy } of listings)
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
