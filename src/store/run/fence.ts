// The fence: every write for an account happens in a transaction that locked the account's lease and found it
// its own and unexpired. While it holds that lock nobody can take the lease over, so that no commit follows a
// takeover; nor can anybody migrate the database. The same statement checks the version of the tables, and
// keeps the account's time, so that the next holder's times are later than all that is written here.
import { and, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { leases } from '../../../drizzle/runs.ts';
import { MirrorError } from '../../domain/errors.ts';
import { type Instant, instantToIso } from '../../domain/instant.ts';
import type { Database } from '../postgres/database.ts';
import { sqlState } from '../postgres/database-errors.ts';
import type { Tx } from '../postgres/transaction.ts';
import { refuseOtherSchema, youngestMigration } from '../schema/migrations.ts';
import { currentOrigin, keepHistory } from './histories.ts';
import { accountTimes, followTimes, held, type Lease, passTime, underLease } from './leases.ts';

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

/** The origin (histories.ts) of the last commit under each lease: its history has a name there. */
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
    if (known === undefined || unsettled.has(lease)) {
      ({ origin } = await pass(fenceAlone));
      if (origin !== known) await keepHistory(tx, lease.account, origin, at);
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
    if (error instanceof OtherOrigin) {
      origins.delete(lease);
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
