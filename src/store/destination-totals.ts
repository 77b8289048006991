// Keeps custody.destination_totals: what each destination was paid, so that reporting.destinations need not read every
// withdrawal. The totals hold exactly what the status history holds up to a number, with the content that the revisions up to
// another number tell; both are kept in sync.positions and written with the totals, under the fence. Numbers grow in the
// order of an account's commits, so nothing is missed and nothing is counted twice. The view adds what came later. Where a
// revision made totals wrong, those of the destinations it concerns are made anew, and all of them only if that is too much.
import { and, eq, type SQL, sql } from 'drizzle-orm';
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
      statusChanges: await readLast(tx, lease.account, transactionStatusHistory, known.statusChanges),
      revisions: await readLast(tx, lease.account, transactionRevisions, known.revisions),
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
  const known = isEmpty ? greater(from.revisions, target.revisions) : from.revisions;
  const revisions = await readLast(tx, account, transactionRevisions, known);
  const outdated =
    isEmpty || revisions === from.revisions ? [] : await readOutdated(tx, account, from, revisions);
  let statusChanges = 0n;
  if (outdated.length > 0 && (await countUses(tx, account, outdated)) > atOnce) {
    await discard(tx, account);
  } else {
    if (outdated.length > 0) {
      await discard(tx, account, outdated);
      await addSums(tx, account, ofDestinations(account, outdated, from.statusChanges));
    }
    const end = from.statusChanges + atOnce;
    statusChanges = greater(from.statusChanges, end < target.statusChanges ? end : target.statusChanges);
    await addSums(tx, account, ofChanges(account, from.statusChanges, statusChanges));
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

/** The greatest number of the account in the table; `since` where there is none beyond. */
async function readLast(tx: Tx, account: string, table: HistoryTable, since: bigint): Promise<bigint> {
  const found = await tx.run('destination-totals.last-change', (db) =>
    db.execute<{ last: string | null }>(
      sql`select max(change_id)::text as last from ${table} where account_id = ${account} and change_id > ${since}`,
    ),
  );
  return BigInt(found.rows[0]?.last ?? since);
}
type HistoryTable = typeof transactionStatusHistory | typeof transactionRevisions;

/**
 * The destinations whose totals the revisions made wrong: those that a withdrawal was counted for, and those that it belongs
 * to now. The view finds them in the same way.
 */
async function readOutdated(
  tx: Tx,
  account: string,
  from: Reached,
  revisions: bigint,
): Promise<readonly string[]> {
  const then = (field: string) =>
    sql.raw(`case when p.before ? '${field}' then p.before ->> '${field}' else t.${field} end`);
  const found = await tx.run('destination-totals.outdated', (db) =>
    db.execute<{ key: string }>(sql`
      select distinct encode(k.destination_key, 'hex') as key
      from (
        select e.transaction_id, jsonb_object_agg(e.field, e.value) as before from (
          select distinct on (r.transaction_id, f.field) r.transaction_id, f.field, r.before -> f.field as value
          from ${transactionRevisions} r cross join lateral unnest(r.changed_fields) as f (field)
          where r.account_id = ${account} and r.change_id > ${from.revisions} and r.change_id <= ${revisions}
            and r.changed_fields && ${textArray(counted)}
            and (select h.change_id from ${transactionStatusHistory} h
                 where h.account_id = r.account_id and h.transaction_id = r.transaction_id and h.sequence = 1) <= ${from.statusChanges}
          order by r.transaction_id, f.field, r.revision
        ) as e group by e.transaction_id
      ) as p
      cross join lateral (
        select t.* from ${transactions} t where t.account_id = ${account} and t.transaction_id = p.transaction_id offset 0
      ) as t
      cross join lateral (
        select t.transaction_type, ${keyOf} as destination_key
        union all
        select ${then('transaction_type')}, custody.destination_key(${then('destination_type')}, ${then('destination_id')},
          ${then('destination_address')}, ${then('asset_id')}, ${then('network_id')})
      ) as k
      where k.transaction_type = 'withdraw'`),
  );
  return found.rows.map((row) => row.key);
}

const keyOf = sql`custody.destination_key(t.destination_type, t.destination_id, t.destination_address, t.asset_id, t.network_id)`;

function among(keys: readonly string[]): SQL {
  return sql`any(array(select decode(key, 'hex') from unnest(${textArray(keys)}) as given (key)))`;
}

/** How many withdrawals stand in the totals of the destinations. */
async function countUses(tx: Tx, account: string, keys: readonly string[]): Promise<bigint> {
  const found = await tx.run('destination-totals.uses', (db) =>
    db.execute<{ uses: string }>(sql`
      select coalesce(sum(uses), 0)::text as uses from ${destinationTotals}
      where account_id = ${account} and destination_key = ${among(keys)}`),
  );
  return BigInt(found.rows[0]?.uses ?? 0);
}

/** @param keys the destinations; left out for all of them */
async function discard(tx: Tx, account: string, keys?: readonly string[]): Promise<void> {
  const which = keys === undefined ? sql`` : sql`and destination_key = ${among(keys)}`;
  await tx.run('destination-totals.discard', (db) =>
    db.execute(sql`delete from ${destinationTotals} where account_id = ${account} ${which}`),
  );
}

/** Changes of status h with their transactions t, by their numbers. */
function ofChanges(account: string, after: bigint, upTo: bigint): SQL {
  // The type is asked for outside of the lookup, where it would make an index of withdrawals alone look as good as the key.
  return sql`${transactionStatusHistory} h
    cross join lateral (
      select t.* from ${transactions} t where t.account_id = h.account_id and t.transaction_id = h.transaction_id offset 0
    ) as t
    where h.account_id = ${account} and h.change_id > ${after} and h.change_id <= ${upTo} and t.transaction_type = 'withdraw'`;
}

/** The same of some destinations, up to a number. */
function ofDestinations(account: string, keys: readonly string[], upTo: bigint): SQL {
  return sql`(
      select t.* from ${transactions} t
      where t.account_id = ${account} and t.transaction_type = 'withdraw' and ${keyOf} = ${among(keys)} offset 0
    ) as t
    join ${transactionStatusHistory} h on h.account_id = t.account_id and h.transaction_id = t.transaction_id
    where h.change_id <= ${upTo}`;
}

/** Adds what changes of status come to; the view does the same beyond the position. */
async function addSums(tx: Tx, account: string, changes: SQL): Promise<void> {
  await tx.run('destination-totals.add', (db) =>
    db.execute(sql`
      insert into ${destinationTotals} as d (account_id, destination_key, uses, completed_uses, completed_amount, unknown_amounts,
        first_used_at, first_transaction_id, last_used_at, last_transaction_id)
      select ${account}, s.destination_key, count(*) filter (where s.sequence = 1), sum(s.completed),
        coalesce(sum(s.completed * s.amount), 0), coalesce(sum(s.completed) filter (where s.amount is null), 0),
        min(s.first_seen_at), (array_agg(s.transaction_id order by s.first_seen_at, s.transaction_id collate "C"))[1],
        max(s.first_seen_at), (array_agg(s.transaction_id order by s.first_seen_at desc, s.transaction_id collate "C" desc))[1]
      from (
        select h.sequence, t.transaction_id, t.amount, t.first_seen_at, ${keyOf} as destination_key,
          (h.to_status = 'completed')::int - coalesce(h.from_status = 'completed', false)::int as completed
        from ${changes}
      ) as s
      group by s.destination_key
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
