// The columns of the datasets in deploy/superset, with their comments in the database; what stands above them
// in each file stays. An amount is there as exact text alone: Superset counts in floats, and offers to add up
// every number, also amounts of different assets. The metrics of the datasets add them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRelations } from '../../sql/data-dictionary.ts';
import type { TestDatabase } from '../../support/database.ts';
import { root } from './blocks.ts';

/** Numbers in no asset and no currency. */
const unitless = /_(hours|seconds|share)$/;
/** Superset shows neither well. */
const leftOut = /^(interval|jsonb)$/;

export const datasets = 'deploy/superset/datasets/custody_mirror';

type Relation = Awaited<ReturnType<typeof readRelations>>[number];

/** @param name of the file, without its ending */
export async function writeSupersetDataset(database: TestDatabase, name: string): Promise<string> {
  const [own = ''] = readFileSync(join(root, datasets, `${name}.yaml`), 'utf8').split(/^columns:/m);
  const schema = /^schema: (\w+)$/m.exec(own)?.[1] ?? '';
  const relation = (await readRelations(database, [schema])).find((known) => known.relation === name);
  if (relation === undefined) throw new Error(`the database has no ${schema}.${name}`);
  return `${own}columns:\n${relation.columns
    .filter(({ type }) => !leftOut.test(type))
    .map(write)
    .join('')}`;
}

function write({ column, type, comment }: Relation['columns'][number]): string {
  const isAmount = type === 'numeric' && !unitless.test(column);
  return `- column_name: ${isAmount ? `${column}_text` : column}
  type: ${isAmount ? 'TEXT' : type.toUpperCase()}
${isAmount ? `  expression: ${column}::text\n` : ''}  is_dttm: ${/^(date|timestamp)/.test(type)}
  is_active: true
  groupby: true
  filterable: true
  description: ${JSON.stringify((comment ?? '').replaceAll(/\s+/g, ' ').trim())}
`;
}
