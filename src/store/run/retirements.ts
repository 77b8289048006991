// Accounts that are not mirrored any more, on purpose: health says so instead of calling them stale.
import { type SQL, sql } from 'drizzle-orm';
import { MirrorError } from '../../domain/errors.ts';
import { type Database, readOne } from '../postgres/database.ts';
import { withFence } from './fence.ts';
import type { Lease } from './leases.ts';

/** A select: that the account is retired and by whom, in words; no row if it is not. */
export function retiredInWords(account: string | SQL) {
  return sql`
    select 'is retired by ' || retired_by as retired from sync.retirements
    where account_id = ${account} and ended_at is null limit 1`;
}

/** @param found as `retiredInWords` says it */
export function retired(account: string, found: string): MirrorError {
  return new MirrorError(
    'ACCOUNT-RETIRED',
    `account ${account} ${found}: stop this process; custody-mirror account retire ${account} --undo lets it be mirrored again`,
  );
}

/** @throws MirrorError `ACCOUNT-RETIRED` */
export async function refuseRetired(database: Database, account: string): Promise<void> {
  const { rows } = await readOne(database, 'retirements.read', (db) =>
    db.execute<{ retired: string }>(retiredInWords(account)),
  );
  if (rows[0] !== undefined) throw retired(account, rows[0].retired);
}

/**
 * Retires the account of the lease, so that nobody writes for it meanwhile.
 *
 * @param where the command's `host (user)`
 */
export async function retireAccount(database: Database, lease: Lease, where: string): Promise<void> {
  await withFence(database, lease, 'retire', ({ ask, lease: { account } }) =>
    ask(
      'retirements.add',
      sql`insert into sync.retirements (account_id, retired_at, retired_by)
        select ${account}, clock_timestamp(), session_user || '@' || ${where}::text
        where not exists (${retiredInWords(account)})`,
    ),
  );
}

/** @returns whether the account was retired */
export async function unretireAccount(database: Database, account: string, where: string): Promise<boolean> {
  const ended = await database.transact('retirements.end', (tx) =>
    tx.ask(
      'retirements.end',
      sql`update sync.retirements set ended_at = clock_timestamp(), ended_by = session_user || '@' || ${where}::text
        where account_id = ${account} and ended_at is null returning 1`,
    ),
  );
  return ended.length > 0;
}
