// The fence: every write for an account happens in a transaction that locked the account's lease and found it its own and
// unexpired. While it holds that lock nobody can take the lease over, so that no commit follows a takeover; nor can anybody
// migrate the database. The same statement checks that the tables are of this version.
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { leases } from '../../../drizzle/runs.ts';
import { MirrorError } from '../../domain/errors.ts';
import type { Database } from '../postgres/database.ts';
import type { Tx } from '../postgres/transaction.ts';
import { refuseOtherSchema, youngestMigration } from '../schema/migrations.ts';
import { held, type Lease, underLease } from './leases.ts';
import { type Attempt, nameAttempt, setMark } from './marks.ts';

/** An open transaction that holds the lock on the account's lease: only such a transaction writes for the account. */
export interface FencedTx extends Tx {
  readonly lease: Lease;
  /** Names it in its marks. */
  readonly attempt: Attempt;
}

type FenceRow = { readonly youngest_migration: string | null };

/** Locks the lease if it is held and has not expired, and sets the mark then, after the lock; no row otherwise. */
const fenceOf = (lease: Lease, attempt: Attempt): SQL => sql`
  with fence as materialized (
    select ${youngestMigration} as youngest_migration
      from ${leases} where ${held(lease)} and ${leases.expiresAt} > clock_timestamp() for update
  )
  select youngest_migration, ${setMark('fenced', attempt, sql`'held'`)} as fenced from fence`;

/**
 * Runs the work in one transaction that only the holder of the lease can commit. After a serialization failure or a deadlock
 * the whole work runs again, so that it must have no effect besides its statements.
 *
 * @throws MirrorError `LEASE-LOST` when the lease expired or another process took it; `SCHEMA-NEWER`, `SCHEMA-MISSING` when the
 * tables are of another version
 */
export function withFence<T>(
  database: Database,
  lease: Lease,
  label: string,
  work: (tx: FencedTx) => Promise<T>,
): Promise<T> {
  return withFenceAnd(database, lease, label, async () => undefined, work);
}

/**
 * As `withFence`; a question is sent along with the fence, and the work gets its answer. The question only reads; a write that it sends
 * goes through `Tx.sendAhead`.
 */
export function withFenceAnd<Answer, T>(
  database: Database,
  lease: Lease,
  label: string,
  question: (tx: FencedTx) => Promise<Answer>,
  work: (tx: FencedTx, answer: Answer) => Promise<T>,
): Promise<T> {
  const fenced = async (tx: Tx) => {
    const own = { ...tx, lease, attempt: nameAttempt() };
    const [fence, answer] = await Promise.allSettled([
      tx.ask<FenceRow>('fence', fenceOf(lease, own.attempt)),
      question(own),
    ]);
    // If the beginning failed, the fence ran alone and its lock is gone.
    await tx.begun();
    if (fence.status === 'rejected') throw fence.reason;
    const [row] = fence.value;
    if (row === undefined) {
      throw new MirrorError(
        'LEASE-LOST',
        `${lease.holder} no longer holds the lease of account "${lease.account}": it expired or another process took it, and what was to be written was not`,
      );
    }
    refuseOtherSchema(row.youngest_migration, database.target);
    if (answer.status === 'rejected') throw answer.reason;
    return await work(own, answer.value);
  };
  return database.transact(label, fenced, { ...underLease(lease), readsFirst: true });
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
