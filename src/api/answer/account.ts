// Which account a request is about. A reader learns nothing of accounts that it may not see: for these it
// gets the same answer as for accounts that do not exist.
import { accountWithoutName, mayRead, type Reader } from '../../http/request/environment.ts';
import { text } from '../../store/read-api/list/parameter-kinds.ts';
import type { Params } from './parameters.ts';
import { badParameter, Problem } from './problem.ts';

export const accountParameter = text(
  'The account. Default: the only one that the reader can see; with several, that of the process.',
  'default',
);

/** @param own the account of the process */
export function accountFor({ account }: Params, reader: Reader, own: string): string {
  if (account !== undefined) {
    if (!mayRead(reader, account)) throw unknownAccount();
    return account;
  }
  const chosen = accountWithoutName(reader, own);
  if (mayRead(reader, chosen)) return chosen;
  throw badParameter(
    'account',
    `is required: the reader can see several accounts (${reader.accounts?.join(', ')}), but not that of this process`,
  );
}

export function unknownAccount(): Problem {
  return new Problem(
    'account-not-found',
    'no account of this name is mirrored here, or this reader has no access to it',
  );
}
