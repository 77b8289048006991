// The binding of an account's name to one base address, for good: two services are never mixed into one mirror.
import { eq, sql } from 'drizzle-orm';
import { accounts } from '../../drizzle/accounts.ts';
import { MirrorError } from '../domain/errors.ts';
import type { Database } from './database.ts';

/**
 * Binds the account to the base address at the first call and checks it ever after. Addresses are compared without their
 * trailing slashes, with scheme and host in lower case and without a default port.
 *
 * @throws MirrorError `ACCOUNT-BOUND-ELSEWHERE` when the account was mirrored from another address
 */
export async function bindAccount(database: Database, account: string, baseUrl: string): Promise<void> {
  const address = normaliseAddress(baseUrl);
  const bound = await database.transact('bind-account', async (tx) => {
    await tx.run('accounts.bind', (db) =>
      db
        .insert(accounts)
        .values({ accountId: account, baseUrl: address, firstSeenAt: sql`clock_timestamp()` })
        .onConflictDoNothing(),
    );
    const rows = await tx.run('accounts.read', (db) =>
      db.select({ baseUrl: accounts.baseUrl }).from(accounts).where(eq(accounts.accountId, account)),
    );
    return rows[0]?.baseUrl;
  });
  if (bound === address) return;
  throw new MirrorError(
    'ACCOUNT-BOUND-ELSEWHERE',
    `account "${account}" was mirrored from ${bound} and cannot be mirrored from ${address}: set CUSTODY_BASE_URL to the first, or choose another CUSTODY_ACCOUNT for the second`,
  );
}

/** Without user, password, query and fragment, which do not tell one service from another. */
function normaliseAddress(baseUrl: string): string {
  const { protocol, host, pathname } = new URL(baseUrl);
  return `${protocol}//${host}${pathname.replace(/\/+$/, '')}`;
}
