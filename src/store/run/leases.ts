// One writer per account: a lease on the database's clock. Its token grows with every acquisition and is
// never reused, so that the fence recognises the holder of an older one. A released lease keeps its row and
// token; one that is erased with its account leaves the token in internal.erasures. The row also keeps the
// account's time: no row of the account is dated later, and the next holder continues from there.
import { EventEmitter } from 'node:events';
import { and, eq, sql } from 'drizzle-orm';
import { leases } from '../../../drizzle/runs.ts';
import type { Clock } from '../../base/clock.ts';
import { type Instant, instantToIso } from '../../domain/instant.ts';
import { type Database, readOne } from '../postgres/database.ts';
import { sqlState } from '../postgres/database-errors.ts';
import type { Tx } from '../postgres/transaction.ts';
import { transactNamingHolders } from '../schema/lock-holders.ts';
import { refuseOtherSchema, youngestMigration } from '../schema/migrations.ts';
import { type Micros, microsToInstant, selectMicros } from '../values/micros.ts';
import type { Renewals } from './wishes.ts';

export interface Lease {
  readonly account: string;
  /** Names the process to people; no other process has the same. */
  readonly holder: string;
  /** Number of the acquisition, as decimal text. */
  readonly token: string;
  /** How long it lives without being renewed. */
  readonly ttlMs: number;
  /** The clock of the account: it dates whatever the holder reads and writes. */
  readonly clock: Clock;
  readonly renewals: Renewals;
}

export type LeaseAttempt =
  | { readonly lease: Lease }
  /** `lockedBy`: the transactions that locked it, where it could not be asked for because of them. */
  | { readonly heldBy: string; readonly expiresInMs: number; readonly lockedBy: readonly string[] };

export type LeaseRequest = Omit<Lease, 'token' | 'renewals'>;

/** What each statement that takes, renews or locks the lease gives back, for the clock to follow. */
export const accountTimes = {
  accountTime: selectMicros(leases.accountTime),
  databaseTime: selectMicros(leases.databaseTime),
};

export function followTimes(
  { clock }: Pick<Lease, 'clock'>,
  { accountTime, databaseTime }: Readonly<Record<keyof typeof accountTimes, Micros>>,
): void {
  clock.follow(microsToInstant(accountTime), microsToInstant(databaseTime));
}

/** What each such statement sets. `at`: the holder's time; nothing that it writes now is later. */
export function passTime(at: Instant) {
  const latest = Number.isFinite(at) ? instantToIso(at) : '-infinity';
  const accountTime = sql`greatest(${leases.accountTime}, clock_timestamp(), ${latest}::timestamptz)`;
  return {
    accountTime,
    databaseTime: sql`clock_timestamp()`,
    aheadSince: sql`case when ${accountTime} > clock_timestamp() + interval '5 seconds'
      then coalesce(${leases.aheadSince}, clock_timestamp()) end`,
  };
}

/** How long to wait for the row of the lease, which a commit in progress locks. */
const lockTimeoutMs = 5_000;

/**
 * How long a transaction under the lease may take. A renewal waits for the transaction in progress, and runs
 * before those that wait, so that one over a dead connection must be given up early enough for a renewal over
 * another one: it may begin a third of that time after the last.
 */
export function underLease({ account, ttlMs }: Pick<Lease, 'account' | 'ttlMs'>) {
  const half = Math.max(5_000, ttlMs / 2);
  const wayMs = Math.min(5_000, Math.max(1_000, ttlMs / 12));
  return {
    turn: account,
    statementTimeoutMs: Math.min(60_000, half),
    wayMs,
    transactionTimeoutMs: half + wayMs,
  };
}

/**
 * Takes the lease if it is free or expired, or if this holder took it unknowingly; otherwise returns who
 * holds it.
 *
 * @throws MirrorError `SCHEMA-NEWER`, `SCHEMA-MISSING` when the tables are of another version
 */
export async function acquireLease(database: Database, request: LeaseRequest): Promise<LeaseAttempt> {
  // Tries again when the lease was released between the two statements.
  for (;;) {
    let lockedBy: readonly string[] = [];
    const token = await tryAcquire(database, request, (found) => {
      lockedBy = found;
    });
    if (token !== null) return { lease: { ...request, token, renewals: new EventEmitter() } };
    const holder = await readHolder(database, request.account);
    if (holder !== null) return { ...holder, lockedBy };
  }
}

async function tryAcquire(
  database: Database,
  { account, holder, ttlMs, clock }: LeaseRequest,
  onLocked: (holders: readonly string[]) => void,
): Promise<string | null> {
  try {
    return await transactNamingHolders(
      database,
      'acquire-lease',
      async (tx) => {
        const taken = await tx.run('leases.acquire', (db) =>
          db
            .insert(leases)
            .values({
              accountId: account,
              holder,
              token: sql`1 + coalesce((select max(e.last_token) from internal.erasures e where e.account_id = ${account}), 0)`,
              acquiredAt: sql`clock_timestamp()`,
              expiresAt: after(ttlMs),
            })
            .onConflictDoUpdate({
              target: leases.accountId,
              set: {
                holder,
                token: sql`${leases.token} + 1`,
                acquiredAt: sql`clock_timestamp()`,
                expiresAt: after(ttlMs),
                ...passTime(Number.NEGATIVE_INFINITY),
              },
              // Where the database's clock was set back since, it says nothing about when the lease ends.
              setWhere: sql`${leases.expiresAt} <= clock_timestamp() or ${leases.holder} = ${holder}
                or ${leases.databaseTime} > clock_timestamp() + interval '1 minute'`,
            })
            .returning({ token: leases.token, youngestMigration, ...accountTimes }),
        );
        const [row] = taken;
        if (row === undefined) return null;
        refuseOtherSchema(row.youngestMigration, database.target);
        followTimes({ clock }, row);
        return row.token.toString();
      },
      { lockTimeoutMs },
      onLocked,
    );
  } catch (error) {
    if (sqlState(error) === '55P03') return null;
    throw error;
  }
}

async function readHolder(database: Database, account: string) {
  const rows = await readOne(database, 'leases.read', (db) =>
    db
      .select({
        heldBy: leases.holder,
        expiresInMs:
          sql`greatest(0, ceil(extract(epoch from ${leases.expiresAt} - clock_timestamp()) * 1000))`.mapWith(
            Number,
          ),
        released: sql<boolean>`${leases.expiresAt} = '-infinity'`,
        youngestMigration,
      })
      .from(leases)
      .where(eq(leases.accountId, account)),
  );
  const [row] = rows;
  if (row !== undefined) refuseOtherSchema(row.youngestMigration, database.target);
  return row === undefined || row.released ? null : { heldBy: row.heldBy, expiresInMs: row.expiresInMs };
}

/**
 * @param signal when it is aborted, the lease is given up: a renewal that still waits for its turn is not
 * begun
 * @returns false when the lease has expired, or another process has taken it
 * @throws MirrorError `SCHEMA-NEWER`, `SCHEMA-MISSING` as `acquireLease`; the lease is not renewed then
 */
export async function renewLease(database: Database, lease: Lease, signal?: AbortSignal): Promise<boolean> {
  const renew = async (tx: Tx) => {
    const renewed = await tx.run('leases.renew', (db) =>
      db
        .update(leases)
        .set({ expiresAt: after(lease.ttlMs), ...passTime(lease.clock.now()) })
        .where(and(held(lease), sql`${leases.expiresAt} > clock_timestamp()`))
        .returning({ youngestMigration, ...accountTimes }),
    );
    const [row] = renewed;
    if (row === undefined) return false;
    refuseOtherSchema(row.youngestMigration, database.target);
    followTimes(lease, row);
    return true;
  };
  return await database.transact('renew-lease', renew, {
    ...underLease(lease),
    takesNextTurn: true,
    ...(signal === undefined ? {} : { signal }),
  });
}

/** Gives the lease up, so that others need not wait for it to expire. Does nothing when it is lost. */
export async function releaseLease(database: Database, lease: Lease): Promise<void> {
  await database.transact(
    'release-lease',
    (tx) =>
      tx.run('leases.release', (db) =>
        db.update(leases).set({ expiresAt: sql`'-infinity'` }).where(held(lease)),
      ),
    underLease(lease),
  );
}

/** A condition: the row of the lease, while it is still this acquisition. */
export function held(lease: Lease) {
  return and(
    eq(leases.accountId, lease.account),
    eq(leases.holder, lease.holder),
    eq(leases.token, BigInt(lease.token)),
  );
}

function after(ms: number) {
  return sql`clock_timestamp() + ${ms} * interval '1 millisecond'`;
}
