// The tables of history, stated apart from the program, and the numbers that their rows share.
import type { TestDatabase } from './database.ts';

export const historyTables = [
  'transaction_status_history',
  'transaction_revisions',
  'document_revisions',
  'balance_snapshots',
] as const;

/** The number of every row of history, in order. */
export async function historyNumbers({ query }: Pick<TestDatabase, 'query'>): Promise<number[]> {
  const each = historyTables.map((table) => `select change_id as id from custody.${table}`);
  const rows = await query<{ id: string }>(`${each.join(' union all ')} order by id`);
  return rows.map(({ id }) => Number(id));
}
