// Keeps internal.destination_totals: what each destination was paid, so that reporting.destinations need not read every
// withdrawal. The totals hold exactly what the status history holds up to a number, with the content that the revisions up to
// another number tell; both are kept in sync.positions and written with the totals, under the fence. Numbers grow in the
// order of an account's commits, so nothing is missed and nothing is counted twice. The view adds what came later.
import { and, eq, sql } from 'drizzle-orm';
import { destinationTotals } from '../../drizzle/destination-totals.ts';
import { positions } from '../../drizzle/runs.ts';
import { transactionRevisions, transactionStatusHistory } from '../../drizzle/transaction-history.ts';
import { transactions } from '../../drizzle/transactions.ts';
import { textArray } from './binary-array.ts';
import type { Database, Tx } from './database.ts';
import { withFence } from './fence.ts';
import type { Lease } from './leases.ts';
import { writePosition } from './positions.ts';

/** The job of the position. The view names it as well. */
const job = 'destination-totals';

/** Up to which numbers the totals go. */
interface Reached {
  readonly statusChanges: bigint;
  readonly revisions: bigint;
}

/** Changes of status that one transaction takes in, at most: few enough that other writers wait but a moment. */
const changesAtOnce = 10_000;

/** Fields of a transaction on which the totals depend beside its status. The view names them as well. */
const counted = [
  'transaction_type',
  'destination_type',
  'destination_id',
  'destination_address',
  'asset_id',
  'network_id',
  'amount',
];

export interface RollUp {
  /** How many transactions of the database it took. */
  readonly steps: number;
  /** Whether the totals were begun anew. */
  readonly rebuilt: boolean;
}

/**
 * Takes into the totals what was committed since the last time, a part at a time, so that whoever else writes for the account
 * gets in between. Stopped half way, it leaves totals that are exact up to where it came.
 *
 * @throws MirrorError `LEASE-LOST`, `DATABASE-UNREACHABLE`, `DATABASE-REFUSED`; what the steps before wrote stays
 */
export async function rollUpDestinations(
  database: Database,
  lease: Lease,
  { signal, atOnce = changesAtOnce }: { readonly signal: AbortSignal; readonly atOnce?: number },
): Promise<RollUp> {
  const target = await database.transact('destination-target', async (tx) => {
    const known = await readReached(tx, lease.account);
    return {
      statusChanges: await readLastStatusChange(tx, known.statusChanges),
      revisions: await readLastRevision(tx, known.revisions),
    };
  });
  for (let steps = 1, rebuilt = false; ; steps += 1) {
    signal.throwIfAborted();
    const { from, to } = await withFence(database, lease, 'roll-up-destinations', (tx) =>
      step(tx, lease, target, BigInt(atOnce)),
    );
    rebuilt ||= to.statusChanges < from.statusChanges;
    if (to.statusChanges >= target.statusChanges) return { steps, rebuilt };
  }
}

/** One transaction's part. Where it begins is read under the fence, so that two who roll up at once count nothing twice. */
async function step(tx: Tx, lease: Lease, target: Reached, atOnce: bigint) {
  const { account } = lease;
  const from = await readReached(tx, account);
  // While nothing is summed up, no revision can have made a sum wrong.
  const isEmpty = from.statusChanges === 0n;
  const revisions = await readLastRevision(
    tx,
    isEmpty ? greater(from.revisions, target.revisions) : from.revisions,
  );
  let statusChanges = 0n;
  if (!isEmpty && revisions > from.revisions && (await isOutdated(tx, account, from, revisions))) {
    await tx.run('destination-totals.discard', (db) =>
      db.delete(destinationTotals).where(eq(destinationTotals.accountId, account)),
    );
  } else {
    const end = from.statusChanges + atOnce;
    statusChanges = greater(from.statusChanges, end < target.statusChanges ? end : target.statusChanges);
    await addChanges(tx, account, from.statusChanges, statusChanges);
  }
  const position = { status_changes: String(statusChanges), revisions: String(revisions) };
  await writePosition(tx, lease, { job, position });
  return { from, to: { statusChanges, revisions } };
}

function greater(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}

async function readReached(tx: Tx, account: string): Promise<Reached> {
  const found = await tx.run('destination-totals.reached', (db) =>
    db
      .select({
        statusChanges: sql<string>`coalesce(${positions.position} ->> 'status_changes', '0')`,
        revisions: sql<string>`coalesce(${positions.position} ->> 'revisions', '0')`,
      })
      .from(positions)
      .where(and(eq(positions.accountId, account), eq(positions.job, job))),
  );
  const { statusChanges = '0', revisions = '0' } = found[0] ?? {};
  return { statusChanges: BigInt(statusChanges), revisions: BigInt(revisions) };
}

/**
 * The greatest number in the database, of whichever account, so that the position of an account in which nothing happens moves
 * on as well. Whatever of this account has a smaller number was committed before the fence was passed, or never will be.
 */
async function readLastStatusChange(tx: Tx, since: bigint): Promise<bigint> {
  const found = await tx.run('transaction-status-history.last', (db) =>
    db.execute<{ last: string | null }>(
      sql`select max(change_id)::text as last from ${transactionStatusHistory} where change_id > ${since}`,
    ),
  );
  return BigInt(found.rows[0]?.last ?? since);
}

async function readLastRevision(tx: Tx, since: bigint): Promise<bigint> {
  const found = await tx.run('transaction-revisions.last', (db) =>
    db.execute<{ last: string | null }>(
      sql`select max(change_id)::text as last from ${transactionRevisions} where change_id > ${since}`,
    ),
  );
  return BigInt(found.rows[0]?.last ?? since);
}

/** Whether a revision changed what a withdrawal was, or came to be, counted by. */
async function isOutdated(tx: Tx, account: string, from: Reached, revisions: bigint): Promise<boolean> {
  const found = await tx.run('destination-totals.outdated', (db) =>
    db.execute(sql`
      select from ${transactionRevisions} r
      where r.account_id = ${account} and r.change_id > ${from.revisions} and r.change_id <= ${revisions}
        and r.changed_fields && ${textArray(counted)}
        and (select h.change_id from ${transactionStatusHistory} h
             where h.account_id = r.account_id and h.transaction_id = r.transaction_id and h.sequence = 1) <= ${from.statusChanges}
        and ('transaction_type' = any(r.changed_fields)
             or (select t.transaction_type from ${transactions} t
                 where t.account_id = r.account_id and t.transaction_id = r.transaction_id) = 'withdraw')
      limit 1`),
  );
  return found.rows.length > 0;
}

/**
 * Adds what the changes of status above one number and up to another come to; the view does the same beyond the position. The
 * type is asked for outside of the lookup, where it would make an index of withdrawals alone look as good as the key.
 */
async function addChanges(tx: Tx, account: string, after: bigint, upTo: bigint): Promise<void> {
  await tx.run('destination-totals.add', (db) =>
    db.execute(sql`
      insert into ${destinationTotals} as d (account_id, destination_key, uses, completed_uses, completed_amount, unknown_amounts,
        first_used_at, first_transaction_id, last_used_at, last_transaction_id)
      select ${account}, k.destination_key, count(*) filter (where h.sequence = 1), sum(c.completed),
        coalesce(sum(c.completed * t.amount), 0), coalesce(sum(c.completed) filter (where t.amount is null), 0),
        min(t.first_seen_at), (array_agg(t.transaction_id order by t.first_seen_at, t.transaction_id collate "C"))[1],
        max(t.first_seen_at), (array_agg(t.transaction_id order by t.first_seen_at desc, t.transaction_id collate "C" desc))[1]
      from ${transactionStatusHistory} h
      cross join lateral (
        select t.* from ${transactions} t where t.account_id = h.account_id and t.transaction_id = h.transaction_id offset 0
      ) as t
      cross join lateral (
        select custody.destination_key(t.destination_type, t.destination_id, t.destination_address, t.asset_id, t.network_id)
          as destination_key
      ) as k
      cross join lateral (
        select (h.to_status = 'completed')::int - coalesce(h.from_status = 'completed', false)::int as completed
      ) as c
      where h.account_id = ${account} and h.change_id > ${after} and h.change_id <= ${upTo} and t.transaction_type = 'withdraw'
      group by k.destination_key
      on conflict (account_id, destination_key) do update set
        uses = d.uses + excluded.uses,
        completed_uses = d.completed_uses + excluded.completed_uses,
        completed_amount = d.completed_amount + excluded.completed_amount,
        unknown_amounts = d.unknown_amounts + excluded.unknown_amounts,
        (first_used_at, first_transaction_id) = (
          select u.at, u.id from (values (d.first_used_at, d.first_transaction_id),
            (excluded.first_used_at, excluded.first_transaction_id)) as u (at, id) order by u.at, u.id collate "C" limit 1),
        (last_used_at, last_transaction_id) = (
          select u.at, u.id from (values (d.last_used_at, d.last_transaction_id),
            (excluded.last_used_at, excluded.last_transaction_id)) as u (at, id) order by u.at desc, u.id collate "C" desc limit 1)`),
  );
}
