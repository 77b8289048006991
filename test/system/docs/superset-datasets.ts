// The columns of the datasets in deploy/superset, with what docs/data-dictionary.md says of them; what stands
// above them in each file stays. An amount is there as exact text alone: Superset counts in floats, and offers
// to add up every number, also amounts of different assets. The metrics of the datasets add them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './blocks.ts';
import { columnsOf, type DocumentedColumn, plain } from './dbt-sources.ts';

/** Numbers in no asset and no currency. */
const unitless = /_(hours|seconds|share)$/;
/** Superset shows neither well. */
const leftOut = /^(interval|jsonb)$/;

export const datasets = 'deploy/superset/datasets/custody_mirror';

/** @param name of the file, without its ending */
export function writeSupersetDataset(name: string): string {
  const [own = ''] = readFileSync(join(root, datasets, `${name}.yaml`), 'utf8').split(/^columns:/m);
  const schema = /^schema: (\w+)$/m.exec(own)?.[1];
  const dictionary = readFileSync(join(root, 'docs/data-dictionary.md'), 'utf8');
  const sections = dictionary.split(/^### /m);
  const section = sections.find((text) => text.startsWith(`${schema}.${name}\n`));
  if (section === undefined) throw new Error(`docs/data-dictionary.md has no ${schema}.${name}`);
  const columns = columnsOf(section).filter(({ type }) => !leftOut.test(type));
  return `${own}columns:\n${columns.map(write).join('')}`;
}

function write({ column, type, meaning }: DocumentedColumn): string {
  const isAmount = type === 'numeric' && !unitless.test(column);
  return `- column_name: ${isAmount ? `${column}_text` : column}
  type: ${isAmount ? 'TEXT' : type.toUpperCase()}
${isAmount ? `  expression: ${column}::text\n` : ''}  is_dttm: ${/^(date|timestamp)/.test(type)}
  is_active: true
  groupby: true
  filterable: true
  description: ${JSON.stringify(plain(meaning))}
`;
}
