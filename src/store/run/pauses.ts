// When an account is not mirrored on purpose: paused for a time, or retired, which is a pause without end.
import { sql } from 'drizzle-orm';
import { MirrorError } from '../../domain/errors.ts';
import { type Database, readOne } from '../postgres/database.ts';
import { pauseInWords, type Wishes } from './wishes.ts';

/** @returns who paused or retired the account and until when, in words; null if it is to be mirrored */
export async function readPause(database: Database, account: string): Promise<string | null> {
  const { rows } = await readOne(database, 'pauses.read', (db) =>
    db.execute<Pick<Wishes, 'pause'> & Record<string, unknown>>(pauseInWords(account)),
  );
  return rows[0]?.pause ?? null;
}

/** @throws MirrorError `ACCOUNT-PAUSED` */
export async function refusePaused(database: Database, account: string): Promise<void> {
  const pause = await readPause(database, account);
  if (pause !== null)
    throw new MirrorError(
      'ACCOUNT-PAUSED',
      `account ${account} ${pause}: custody-mirror ${pause.startsWith('is retired') ? `account retire ${account} --undo` : 'resume'} ends that`,
    );
}

/**
 * Pauses the account, replacing a current pause; retires it if `minutes` is null.
 *
 * @param where the command's `host (user)`
 * @throws MirrorError `CONFIGURATION` when a retired account is to be paused
 */
export async function pauseAccount(
  database: Database,
  account: string,
  where: string,
  minutes: number | null,
): Promise<void> {
  const isRetired = (await readPause(database, account))?.startsWith('is retired') === true;
  if (isRetired && minutes !== null)
    throw new MirrorError('CONFIGURATION', `account "${account}" is retired: there is nothing to pause`);
  if (isRetired) return;
  await database.transact('pauses.add', async (tx) => {
    tx.send('pauses.end', () => ending(account, where, false));
    tx.send(
      'pauses.add',
      () => sql`insert into sync.pauses (account_id, paused_at, paused_until, paused_by)
        values (${account}, clock_timestamp(), coalesce(clock_timestamp() + ${minutes}::int * interval '1 minute', 'infinity'),
          session_user || '@' || ${where}::text)`,
    );
  });
}

/**
 * Ends a pause or, if asked to, the retirement of the account.
 *
 * @returns whether there was one
 */
export async function resumeAccount(
  database: Database,
  account: string,
  where: string,
  isRetired: boolean,
): Promise<boolean> {
  const ended = await database.transact('pauses.end', (tx) =>
    tx.ask('pauses.end', sql`${ending(account, where, isRetired)} returning 1`),
  );
  return ended.length > 0;
}

/** @returns whether a run of the account is still in progress */
export async function isRunning(database: Database, account: string): Promise<boolean> {
  const { rows } = await readOne(database, 'pauses.running', (db) =>
    db.execute(sql`select from sync.runs r join sync.leases l using (account_id)
      where r.account_id = ${account} and r.status = 'running' and l.expires_at > clock_timestamp() limit 1`),
  );
  return rows.length > 0;
}

function ending(account: string, where: string, isRetired: boolean) {
  return sql`update sync.pauses set ended_at = clock_timestamp(), ended_by = session_user || '@' || ${where}::text
    where account_id = ${account} and ended_at is null and paused_until > clock_timestamp()
      and (paused_until = 'infinity') = ${isRetired}`;
}
