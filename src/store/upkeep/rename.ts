// Gives an account another name, in every table that names it, by one statement: foreign keys are checked at
// its end, so either everything has the new name or nothing. A rename that was interrupted left nothing, and
// is run again. The lock on the lease keeps every other writer of the account away meanwhile.
import { sql } from 'drizzle-orm';
import { MirrorError } from '../../domain/errors.ts';
import type { Database } from '../postgres/database.ts';
import { type FencedTx, withFence } from '../run/fence.ts';
import { type Lease, releaseLease } from '../run/leases.ts';
import { tablesOfAccounts } from './erase.ts';

/** Every row of the account is written again, with its entries in the indexes. */
const longestMs = 6 * 3_600_000;

/**
 * Renames the account of the lease, which ends.
 *
 * @throws MirrorError `CONFIGURATION` if the name is taken or keys name it, or the account is sealed or
 * half erased; `LEASE-LOST`
 */
export async function renameAccount(
  database: Database,
  lease: Lease,
  to: string,
  signal: AbortSignal,
): Promise<void> {
  const patient: Database = {
    ...database,
    transact: (label, work, options) =>
      database.transact(label, work, {
        ...options,
        signal,
        statementTimeoutMs: longestMs,
        transactionTimeoutMs: longestMs + 60_000,
      }),
  };
  try {
    // Draws a name of the history if one is due: its lock must not be held for as long as a rename takes.
    await withFence(database, lease, 'rename.begin', (tx) => refuse(tx, to));
    await withFence(patient, lease, 'rename', async (tx) => {
      await refuse(tx, to);
      await rename(tx, to);
    });
  } catch (error) {
    await releaseLease(database, lease).catch(() => undefined);
    throw error;
  }
}

async function refuse({ ask, lease: { account } }: FencedTx, to: string): Promise<void> {
  const [found] = await ask<Record<'taken' | 'keyed' | 'sealed' | 'erased', boolean>>(
    'rename.check',
    sql`select exists (select from custody.accounts where account_id = ${to}) as taken,
      exists (select from sync.api_keys where revoked_at is null and ${to} = any(accounts)) as keyed,
      exists (select from sync.seal_checkpoints where account_id = ${account})
        or exists (select from internal.seal_tiles where account_id = ${account}) as sealed,
      exists (select from internal.erasures where account_id = ${account} and finished_at is null) as erased`,
  );
  const why =
    (found?.taken && `account "${to}" is in the database already: choose another name`) ||
    (found?.keyed &&
      `keys of the read API name account "${to}" and would read this one: revoke them first`) ||
    (found?.erased && `account "${account}" is half erased: run account erase again`) ||
    (found?.sealed &&
      `the sealed log of account "${account}" has the name in every entry: end it with custody-mirror seal restart --end <directory>, and rename then`);
  if (why) throw new MirrorError('CONFIGURATION', why);
}

async function rename({ ask, lease: { account } }: FencedTx, to: string): Promise<void> {
  // Waits for those who are adding rows, such as prices: the next statement sees them.
  await ask('rename.lock', sql`select from custody.accounts where account_id = ${account} for update`);
  const tables = await ask<{ name: string }>('rename.tables', tablesOfAccounts);
  // The triggers that protect histories, keep former rules and sum up destinations let the name pass.
  await ask(
    'rename.allow',
    sql`select set_config('custody_mirror.renaming', 'on', true),
      set_config('client_connection_check_interval', '5s', true)`,
  );
  const parts = ['custody.accounts', ...tables.map(({ name }) => name)].map(
    (table, at) =>
      sql`${sql.raw(`t${at} as (update ${table}`)} set account_id = ${to} where account_id = ${account})`,
  );
  // Left by a process that stood by under that name while the account was renamed or erased.
  await ask(
    'rename.leftover',
    sql`with l as (delete from sync.leases where account_id = ${to})
      delete from custody.histories where account_id = ${to}`,
  );
  await ask(
    'rename.rows',
    sql`
      with ${sql.join(parts, sql`, `)}, keys as (
        update sync.api_keys set accounts = array_replace(accounts, ${account}::text, ${to}::text)
        where ${account} = any(accounts)
      )
      update sync.leases l set account_id = ${to}, expires_at = '-infinity', token = greatest(l.token,
        (select max(e.last_token) from internal.erasures e where e.account_id = ${to}))
      where l.account_id = ${account}`,
  );
}
