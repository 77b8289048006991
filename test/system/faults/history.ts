// What the mirror may say of the past: only what the service held at some time. The chronicle notes the world
// whenever a test changes it, and the check holds every history of an account against it.
import { expect } from 'vitest';
import type { Sandbox } from '../../../packages/sandbox/src/sandbox.ts';
import type { Cell } from './rig.ts';

export interface Chronicle {
  /** Notes how the world is now; called after each change. */
  note(): void;
  /** The statuses a transaction ever had. */
  statusesOf(id: string): ReadonlySet<string>;
  /** The totals a balance ever had, by vault type, asset and network. */
  totalsOf(key: string): ReadonlySet<string>;
  /** How often a vault or whitelist entry changed. */
  changesOf(id: string): number;
}

export function chronicleOf({ world }: Sandbox): Chronicle {
  const statuses = new Map<string, Set<string>>();
  const totals = new Map<string, Set<string>>();
  const documents = new Map<string, { text: string; changes: number }>();
  const add = (map: Map<string, Set<string>>, key: string, value: string) => {
    const values = map.get(key) ?? new Set();
    map.set(key, values.add(value));
  };
  const noteDocument = (id: string, text: string) => {
    const known = documents.get(id) ?? { text, changes: 0 };
    documents.set(id, { text, changes: known.changes + (known.text === text ? 0 : 1) });
  };
  const note = () => {
    for (const { transactionId, status } of world.transactions()) add(statuses, transactionId, status);
    for (const vaultType of ['all', 'warm', 'cold'] as const)
      for (const { assetId, networkId, total } of world.balances(vaultType))
        add(totals, `${vaultType} ${assetId} ${networkId}`, total);
    for (const vault of world.vaults()) noteDocument(vault.vaultId, JSON.stringify(vault));
    for (const entry of world.whitelist()) noteDocument(entry.whitelistId, JSON.stringify(entry));
  };
  note();
  return {
    note,
    statusesOf: (id) => statuses.get(id) ?? new Set(),
    totalsOf: (key) => totals.get(key) ?? new Set(),
    changesOf: (id) => documents.get(id)?.changes ?? 0,
  };
}

/** The database, asked with the account as the only parameter. */
type Asked = Pick<Cell, 'query'>;

/**
 * Nothing lost its place, nothing ended, nothing was in a state it never had, and every history is one chain.
 */
export async function expectHonestHistory(cell: Asked, chronicle: Chronicle): Promise<void> {
  await expectHonestTransactions(cell, chronicle);
  await expectHonestBalances(cell, chronicle);
  await expectHonestDocuments(cell, chronicle);
}

async function expectHonestTransactions({ query }: Asked, chronicle: Chronicle): Promise<void> {
  const history = await query<{ id: string; sequence: number; from: string | null; to: string }>(
    `select transaction_id as id, sequence, from_status as from, to_status as to
     from custody.transaction_status_history where account_id = $1 order by transaction_id, sequence`,
  );
  let last: { id: string; sequence: number; to: string } | undefined;
  for (const row of history) {
    const before = last?.id === row.id ? last : undefined;
    expect({ id: row.id, sequence: row.sequence, from: row.from }).toEqual({
      id: row.id,
      sequence: (before?.sequence ?? 0) + 1,
      from: before?.to ?? null,
    });
    expect(row.to, `a change of ${row.id}`).not.toBe(row.from);
    expect([...chronicle.statusesOf(row.id)], `statuses of ${row.id}`).toContain(row.to);
    last = row;
  }
  const wrong = await query(
    `select transaction_id, 'marked as missing' as what from custody.transactions
       where account_id = $1 and missing_since is not null
     union all select transaction_id, 'once marked as missing' from custody.transaction_revisions
       where account_id = $1 and changed_fields @> '{missing_since}'
     union all select t.transaction_id, 'without its last status' from custody.transactions t
       where account_id = $1 and status is distinct from (
         select to_status from custody.transaction_status_history h
         where h.account_id = $1 and h.transaction_id = t.transaction_id order by sequence desc limit 1)`,
  );
  expect(wrong).toEqual([]);
}

async function expectHonestBalances({ query }: Asked, chronicle: Chronicle): Promise<void> {
  const intervals = await query<{ key: string; from: string; to: string | null; total: string }>(
    `select vault_type || ' ' || asset_id || ' ' || network_id as key, valid_from::text as from, valid_to::text as to,
       total_balance::text as total
     from custody.balances where account_id = $1 order by 1, valid_from`,
  );
  for (const [index, row] of intervals.entries()) {
    const next = intervals[index + 1];
    const follows = next?.key === row.key ? next.from : null;
    expect(row.to, `the end of an interval of ${row.key}`).toBe(follows);
    expect([...chronicle.totalsOf(row.key)], `totals of ${row.key}`).toContain(row.total);
  }
}

async function expectHonestDocuments({ query }: Asked, chronicle: Chronicle): Promise<void> {
  const revisions = await query<{ id: string; change: string; revisions: number }>(
    `select document_id as id, change, count(*)::int as revisions
     from custody.document_revisions where account_id = $1 group by 1, 2`,
  );
  for (const { id, change, revisions: count } of revisions) {
    expect(['added', 'changed'], `a revision of ${id}`).toContain(change);
    expect(count, `${change} revisions of ${id}`).toBeLessThanOrEqual(
      change === 'added' ? 1 : chronicle.changesOf(id),
    );
  }
}
