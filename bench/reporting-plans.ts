// Whether the plan of a query reads a whole fact table: by a sequential scan, or by a scan of an index from end to end.
import type pg from 'pg';
import { z } from 'zod';
import { factTables } from './reporting-queries.ts';

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string | undefined;
  readonly 'Index Name'?: string | undefined;
  readonly 'Index Cond'?: string | undefined;
  readonly Plans?: readonly PlanNode[] | undefined;
}

const planNode: z.ZodType<PlanNode> = z.lazy(() =>
  z.object({
    'Node Type': z.string(),
    'Relation Name': z.string().optional(),
    'Index Name': z.string().optional(),
    'Index Cond': z.string().optional(),
    Plans: z.array(planNode).optional(),
  }),
);
const explained = z.array(z.object({ 'QUERY PLAN': z.array(z.object({ Plan: planNode })) }));

export interface QueryPlan {
  /** The plan as people read it. */
  readonly text: string;
  /** What it reads whole, in words; empty where it reads nothing whole. */
  readonly wholeReads: readonly string[];
}

/** Plans the query; runs nothing. */
export async function planQuery(client: pg.Client, sql: string): Promise<QueryPlan> {
  const { rows } = await client.query(`explain (format json) ${sql}`);
  const [first] = explained.parse(rows);
  const partial = await client.query<{ name: string }>(
    'select indexrelid::regclass::text as name from pg_index where indpred is not null',
  );
  const partialIndexes = new Set(partial.rows.map(({ name }) => name.slice(name.indexOf('.') + 1)));
  const plain = await client.query<{ 'QUERY PLAN': string }>(`explain ${sql}`);
  return {
    text: plain.rows.map((row) => row['QUERY PLAN']).join('\n'),
    wholeReads: (first?.['QUERY PLAN'] ?? []).flatMap(({ Plan }) => wholeReads(Plan, partialIndexes, false)),
  };
}

/**
 * A limit above makes a scan without a condition a step or two; an index of few rows, such as that of the open transactions, may
 * be read from end to end.
 */
function wholeReads(node: PlanNode, partial: ReadonlySet<string>, limited: boolean): string[] {
  const table = factTables.find((name) => name === node['Relation Name']);
  const type = node['Node Type'];
  const isWholeIndex =
    type.startsWith('Index') &&
    node['Index Cond'] === undefined &&
    !limited &&
    !partial.has(node['Index Name'] ?? '');
  const own = table !== undefined && (type === 'Seq Scan' || isWholeIndex) ? [`${type} on ${table}`] : [];
  const below = (node.Plans ?? []).flatMap((plan) => wholeReads(plan, partial, type === 'Limit'));
  return [...own, ...below];
}
