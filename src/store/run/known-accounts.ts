// Checks that the accounts which a command names are mirrored: a mistyped name would match nothing.
import { accounts as mirroredAccounts } from '../../../drizzle/accounts.ts';
import { MirrorError } from '../../domain/errors.ts';
import type { Tx } from '../postgres/transaction.ts';

/** @throws MirrorError of the code, naming the accounts that are mirrored */
export async function refuseUnknownAccounts(
  tx: Tx,
  accounts: readonly string[],
  code: 'KEY-UNUSABLE' | 'CONFIGURATION',
): Promise<void> {
  const mirrored = await tx.run('keys.accounts', (db) =>
    db
      .select({ account: mirroredAccounts.accountId })
      .from(mirroredAccounts)
      .orderBy(mirroredAccounts.accountId),
  );
  const known = mirrored.map(({ account }) => account);
  const unknown = accounts.filter((account) => !known.includes(account));
  if (unknown.length === 0) return;
  const there = known.length === 0 ? 'none is mirrored yet' : `there is ${known.slice(0, 20).join(', ')}`;
  throw new MirrorError(code, `no account is named ${unknown.join(', ')}: ${there}`);
}
