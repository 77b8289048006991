// One writer per account: a lease on the database's clock. Its token grows with every acquisition and is
// never reused, so that the fence recognises the holder of an older one. A released lease keeps its row and
// token; one that is erased with its account leaves the token in internal.erasures. The row also keeps the
// account's time: no row of the account is dated later, and the next holder continues from there.
import { and, eq, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { leases } from '../../../drizzle/runs.ts';
import type { Clock } from '../../base/clock.ts';
import { MirrorError } from '../../domain/errors.ts';
import { type Instant, instantToIso } from '../../domain/instant.ts';
import { type Database, readOne } from '../postgres/database.ts';
import { isKeyTaken, sqlState } from '../postgres/database-errors.ts';
import type { Tx } from '../postgres/transaction.ts';
import { transactNamingHolders } from '../schema/migrate.ts';
import { refuseOtherSchema, youngestMigration } from '../schema/migrations.ts';
import { type Micros, microsToInstant, selectMicros } from '../values/micros.ts';
import { currentOrigin, keepHistory } from './histories.ts';

// The fence: every write for an account happens in a transaction that locked the account's lease and found it
// its own and unexpired. While it holds that lock nobody can take the lease over, so that no commit follows a
// takeover; nor can anybody migrate the database. The same statement checks the version of the tables, and
// keeps the account's time, so that the next holder's times are later than all that is written here.

/** An open transaction that holds the lock on the account's lease. No other writes for the account. */
export interface FencedTx extends Tx {
  readonly lease: Lease;
  /** The account's time when it began, ISO 8601: the time of what is written. */
  readonly at: string;
}

export type FenceRow = {
  readonly youngest_migration: string | null;
  readonly account_time: string;
  readonly database_time: string;
  readonly origin: string;
};

/** The first statement of a fenced transaction. */
export interface FencedStatement {
  readonly label: string;
  /** @param fence `fence as (…)` of its `with`: the row to give back if the lease is held, else none */
  readonly statement: (fence: SQL, db: NodePgDatabase) => SQL;
}

const fenceOf = (lease: Lease, at: Instant, db: NodePgDatabase): SQL =>
  sql`fence as ${db
    .update(leases)
    .set(passTime(at))
    .where(and(held(lease), sql`${leases.expiresAt} > clock_timestamp()`))
    .returning({
      youngestMigration: sql`${youngestMigration}`.as('youngest_migration'),
      accountTime: accountTimes.accountTime.as('account_time'),
      databaseTime: accountTimes.databaseTime.as('database_time'),
      origin: sql`${currentOrigin}`.as('origin'),
    })}`;

const fenceAlone: FencedStatement = {
  label: 'fence',
  statement: (fence) => sql`with ${fence} select * from fence`,
};

/**
 * Runs the work in one transaction that only the holder of the lease can commit. After a serialization
 * failure or a deadlock the whole work runs again, so that it must have no effect besides its statements.
 *
 * @throws MirrorError `LEASE-LOST` when the lease expired or another process took it; `SCHEMA-NEWER`,
 * `SCHEMA-MISSING` when the tables are of another version
 */
export function withFence<T>(
  database: Database,
  lease: Lease,
  label: string,
  work: (tx: FencedTx) => Promise<T>,
): Promise<T> {
  return withFencedStatement(database, lease, label, fenceAlone, work);
}

/**
 * Leases under which a transaction began that was not seen to commit. The answer may be lost: then the
 * transaction may still run at the server, and hold the lock.
 */
const unsettled = new WeakSet<Lease>();

/**
 * The origin (histories.ts) of the last commit under each lease: its history has a name there. Empty after a
 * key was taken: a load may have brought rows whose numbers the database gives out again.
 */
const origins = new WeakMap<Lease, string>();

/** The tables are not those of the last commit: nothing was written, and the history needs a name first. */
class OtherOrigin extends Error {
  override readonly name = 'OtherOrigin';
}

function leaseLost({ holder, account }: Lease): MirrorError {
  return new MirrorError(
    'LEASE-LOST',
    `${holder} no longer holds the lease of account "${account}": it expired or another process took it, and what was to be written was not`,
  );
}

/** Like `withFence`, but the fence is part of the first statement, whose row the work gets. */
export async function withFencedStatement<Row extends FenceRow, T>(
  database: Database,
  lease: Lease,
  label: string,
  first: FencedStatement,
  work: (tx: FencedTx, row: Row) => Promise<T>,
): Promise<T> {
  let origin = '';
  const fenced = async (tx: Tx) => {
    const at = lease.clock.now();
    const pass = async ({ label, statement }: FencedStatement) => {
      const [row] = await tx.ask<Row>(label, (db) => statement(fenceOf(lease, at, db), db));
      if (row === undefined) throw leaseLost(lease);
      refuseOtherSchema(row.youngest_migration, database.target);
      return row;
    };
    // The snapshot of a statement is older than the lock that it waits for. So where somebody may hold the
    // lock, a statement that does nothing else waits for it. Where the history may need a name, it gets one
    // before anything is written.
    const known = origins.get(lease);
    if (!known || unsettled.has(lease)) {
      ({ origin } = await pass(fenceAlone));
      if (origin !== known) await keepHistory(tx, lease.account, origin, at, known === '');
    } else origin = known;
    unsettled.add(lease);
    const row = await pass(first);
    if (row.origin !== origin) throw new OtherOrigin();
    followTimes(lease, { accountTime: Number(row.account_time), databaseTime: Number(row.database_time) });
    return await work({ ...tx, lease, at: instantToIso(at) }, row);
  };
  try {
    const result = await database.transact(label, fenced, underLease(lease));
    unsettled.delete(lease);
    origins.set(lease, origin);
    return result;
  } catch (error) {
    const isTaken = isKeyTaken(error) && origins.get(lease) !== '';
    if (error instanceof OtherOrigin || isTaken) {
      if (isTaken) origins.set(lease, '');
      else origins.delete(lease);
      return await withFencedStatement(database, lease, label, first, work);
    }
    // A statement may fail on the tables of another version. Report the version then.
    if (first !== fenceAlone && sqlState(error)?.startsWith('42') === true)
      await withFence(database, lease, label, async () => undefined);
    throw error;
  }
}

/** Writes by one statement under the fence. Errors as `withFence`. */
export function writeFenced(
  database: Database,
  lease: Lease,
  label: string,
  statement: (db: NodePgDatabase) => SQLWrapper,
): Promise<void> {
  return withFence(database, lease, label, async (tx) => tx.send(label, statement));
}

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
}

export type LeaseAttempt =
  | { readonly lease: Lease }
  /** `lockedBy`: the transactions that locked it, where it could not be asked for because of them. */
  | { readonly heldBy: string; readonly expiresInMs: number; readonly lockedBy: readonly string[] };

export type LeaseRequest = Omit<Lease, 'token'>;

/** What each statement that takes, renews or locks the lease gives back, for the clock to follow. */
const accountTimes = {
  accountTime: selectMicros(leases.accountTime),
  databaseTime: selectMicros(leases.databaseTime),
};

function followTimes(
  { clock }: Pick<Lease, 'clock'>,
  { accountTime, databaseTime }: Readonly<Record<keyof typeof accountTimes, Micros>>,
): void {
  clock.follow(microsToInstant(accountTime), microsToInstant(databaseTime));
}

/** What each such statement sets. `at`: the holder's time; nothing that it writes now is later. */
function passTime(at: Instant) {
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
    if (token !== null) return { lease: { ...request, token } };
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
function held(lease: Lease) {
  return and(
    eq(leases.accountId, lease.account),
    eq(leases.holder, lease.holder),
    eq(leases.token, BigInt(lease.token)),
  );
}

function after(ms: number) {
  return sql`clock_timestamp() + ${ms} * interval '1 millisecond'`;
}
