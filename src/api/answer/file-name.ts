// What a file is called that a person keeps.

/**
 * Without its ending. Of the account and the moment only what is safe in a header and on every file system
 * remains.
 *
 * @param account null for what is of no account
 * @param moment RFC 3339, or a day
 */
export function fileNameOf(account: string | null, what: string, moment: string): string {
  const parts = ['custody-mirror', account, what, moment.replace(/\.\d+/, '').replaceAll(':', '')];
  return parts.flatMap((part) => part?.slice(0, 80).replaceAll(/[^\w.-]/g, '_') ?? []).join('-');
}
