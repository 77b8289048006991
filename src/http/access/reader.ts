// Who asks: the reader of a request, and which accounts it may read.

export interface Reader {
  /** Prefix of the key, 'token' for HTTP_TOKEN, 'open' where reading is open. Safe to log. */
  readonly name: string;
  /** Which accounts it may read; null for all. */
  readonly accounts: readonly string[] | null;
}

export interface ReaderVariables {
  readonly reader: Reader;
}

export function mayRead({ accounts }: Reader, account: string): boolean {
  return accounts === null || accounts.includes(account);
}
