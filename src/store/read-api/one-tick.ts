// The observations of one tick, those of all, warm and cold vaults, and the checkpoint that seals them.
import { sql } from 'drizzle-orm';
import type { Tx } from '../postgres/transaction.ts';
import { snapshots } from './balances/balances.ts';
import type { Listing } from './list/listing.ts';
import { readPage } from './list/read-page.ts';
import { readSealed } from './sealed.ts';

const ofTick: Listing = {
  ...snapshots,
  filters: { snapshot_at: { column: 'snapshot_at', is: '=' } },
};

/** @returns a JSON object; null when nothing was observed then */
export async function readObservation(tx: Tx, account: string, at: string): Promise<string | null> {
  const asked = { account, at: null, filters: { snapshot_at: at }, order: snapshots.defaultOrder };
  const { rows } = await readPage(tx, ofTick, asked, { limit: 3, from: null });
  if (rows.length === 0) return null;
  const sealed = await readSealed(
    tx,
    account,
    sql`(select max(s.change_id) from custody.balance_snapshots s where s.account_id = ${account} and s.snapshot_at = ${at}::timestamptz)`,
  );
  return `{"snapshots":[${rows.join()}],"sealed":${sealed}}`;
}
