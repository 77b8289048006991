// Finds out whether the plan of a query reads a whole fact table, by a sequential scan or by a scan of a
// whole index.
import type pg from 'pg';
import { z } from 'zod';
import { factTables } from './report-query.ts';

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
  /** The plan as text. */
  readonly text: string;
  /** The tables that it reads whole, in words. */
  readonly wholeReads: readonly string[];
}

/** Plans the query without running it. */
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
 * Two kinds of scans are allowed: a scan below a limit, which ends early, and a scan of a partial index,
 * which has few rows, such as the index of open transactions.
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
