// What `sync` asks of the process that holds the lease: a row that the command writes and watches; the holder
// takes it, notes its runs there and finishes it under its fence. The command keeps its request alive; a
// request that nobody waits for lapses, so that no process does tomorrow what was wanted today.
import { and, asc, eq, getTableColumns, inArray, isNotNull, not, type SQL, sql } from 'drizzle-orm';
import { leases, runs, syncRequests } from '../../../drizzle/runs.ts';
import type { Resource } from '../../domain/jobs.ts';
import type { Database } from '../postgres/database.ts';
import type { Tx } from '../postgres/transaction.ts';
import { textArray } from '../values/bulk-rows.ts';
import { keepRequests } from './histories.ts';
import { type FencedTx, type Lease, withFence, writeFenced } from './leases.ts';

export interface SyncWish {
  /** Null for all that the holder mirrors. */
  readonly resources: readonly Resource[] | null;
  readonly isFull: boolean;
  readonly trustEmpty: boolean;
}

export interface TakenRequest extends SyncWish {
  readonly requestId: bigint;
  /** As `role@host (user)`. */
  readonly requestedBy: string;
}

/** A run that a request led to, as its commits count it. */
export type RequestedRun = Awaited<ReturnType<typeof readRuns>>[number];

export interface RequestState {
  readonly takenBy: string | null;
  /** What the holder has mirrored; null until it has finished. */
  readonly finished: readonly Resource[] | null;
  /** Why it did nothing. */
  readonly refusal: string | null;
  /** In the order in which they began. */
  readonly runs: readonly RequestedRun[];
}

const now = sql`clock_timestamp()`;
const soon = sql`${now} + interval '1 minute'`;

/** Asks. Rows of past requests go after a day. @param where the command's `host (user)` */
export async function requestSync(
  database: Database,
  account: string,
  where: string,
  { resources, ...wish }: SyncWish,
): Promise<bigint> {
  return await database.transact('sync-requests.add', async (tx) => {
    // First, because its lock is the stronger one.
    await keepRequests(tx, account);
    tx.send('sync-requests.prune', (db) =>
      db
        .delete(syncRequests)
        .where(
          and(
            eq(syncRequests.accountId, account),
            sql`${syncRequests.wantedUntil} < ${now} - interval '1 day'`,
          ),
        ),
    );
    const [added] = await tx.run('sync-requests.add', (db) =>
      db
        .insert(syncRequests)
        .values({
          accountId: account,
          resources: resources === null ? null : [...resources],
          ...wish,
          requestedBy: sql`session_user || '@' || ${where}::text`,
          requestedAt: now,
          wantedUntil: soon,
        })
        .returning({ requestId: syncRequests.requestId }),
    );
    if (added === undefined) throw new Error('the request was not recorded');
    return added.requestId;
  });
}

/** Keeps the request alive, and returns what became of it; null if the row is gone. */
export async function followRequest(
  database: Database,
  account: string,
  requestId: bigint,
): Promise<RequestState | null> {
  const { takenBy, resources, refusal, runIds } = syncRequests;
  const isFinished = isNotNull(syncRequests.finishedAt);
  return await database.transact('sync-requests.follow', async (tx) => {
    const [row] = await tx.run('sync-requests.follow', (db) =>
      db
        .update(syncRequests)
        .set({ wantedUntil: soon })
        .where(ofRequest(account, requestId))
        .returning({
          ...{ takenBy, refusal, runIds },
          finished: sql<readonly Resource[] | null>`case when ${isFinished} then ${resources} end`,
        }),
    );
    return row === undefined ? null : { ...row, runs: await readRuns(tx, account, row.runIds) };
  });
}

async function readRuns(tx: Tx, account: string, runIds: readonly string[]) {
  return await tx.run('sync-requests.runs', (db) =>
    db
      .select({
        ...getTableColumns(runs),
        seconds: sql`coalesce(extract(epoch from ${runs.finishedAt} - ${runs.startedAt}), 0)`.mapWith(Number),
      })
      .from(runs)
      .where(and(eq(runs.accountId, account), inArray(runs.runId, runIds.map(BigInt))))
      .orderBy(asc(runs.runId)),
  );
}

/** Takes the request back, unless the holder of the lease works on it. */
export async function withdrawRequest(database: Database, account: string, requestId: bigint): Promise<void> {
  const isWorkedOn = sql`exists (select from ${leases} l where l.account_id = ${account}
    and l.holder = ${syncRequests.takenBy} and l.expires_at > ${now})`;
  await database.transact('sync-requests.withdraw', async (tx) =>
    tx.send('sync-requests.withdraw', (db) =>
      db.delete(syncRequests).where(and(ofRequest(account, requestId), not(isWorkedOn))),
    ),
  );
}

/**
 * Takes the oldest request that somebody waits for; null if there is none. A request that was taken and is
 * not worked on was left by an earlier holder, or the answer to its taking was lost.
 *
 * @param working requests that this holder has taken and works on
 * @param signal ends the look
 */
export async function takeRequest(
  database: Database,
  lease: Lease,
  working: readonly bigint[],
  signal: AbortSignal,
): Promise<TakenRequest | null> {
  const { requestId, resources, isFull, trustEmpty, requestedBy } = syncRequests;
  const waiting = sql`select min(w.request_id) as id from ${syncRequests} w
    where w.account_id = ${lease.account} and w.finished_at is null and w.wanted_until > clock_timestamp()
      and w.request_id <> all(${textArray(working.map(String))}::bigint[])`;
  const look = (tx: Tx) => tx.ask<{ id: string | null }>('sync-requests.look', waiting);
  const [found] = await database.transact('sync-requests.look', look, { readOnly: true, signal });
  if (found?.id == null) return null;
  return await withFence(database, lease, 'sync-requests.take', async (tx) => {
    const taken = await tx.run('sync-requests.take', (db) =>
      db
        .update(syncRequests)
        .set({ takenBy: lease.holder, runIds: [] })
        .where(and(eq(syncRequests.accountId, lease.account), sql`${requestId} = (${waiting})`))
        .returning({
          requestId,
          resources: sql<readonly Resource[] | null>`${resources}`,
          isFull,
          trustEmpty,
          requestedBy,
        }),
    );
    return taken[0] ?? null;
  });
}

/** Notes a run of the request, in the transaction that starts it. */
export function addRun({ lease, send }: FencedTx, { requestId }: TakenRequest, runId: bigint): void {
  send('sync-requests.add-run', (db) =>
    db
      .update(syncRequests)
      .set({ runIds: sql`${syncRequests.runIds} || ${String(runId)}::text` })
      .where(ofRequest(lease.account, requestId)),
  );
}

/** Finishes a request that this holder took: its runs have ended, or it refuses to begin any. */
export function finishRequest(
  database: Database,
  lease: Lease,
  { requestId }: TakenRequest,
  end: { readonly resources: readonly Resource[]; readonly refusal?: string },
): Promise<void> {
  return writeFenced(database, lease, 'sync-requests.finish', (db) =>
    db
      .update(syncRequests)
      .set({ finishedAt: now, ...end, resources: [...end.resources] })
      .where(and(ofRequest(lease.account, requestId), eq(syncRequests.takenBy, lease.holder))),
  );
}

function ofRequest(account: string, requestId: bigint): SQL | undefined {
  return and(eq(syncRequests.accountId, account), eq(syncRequests.requestId, requestId));
}
