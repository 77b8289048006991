// Who asks: what the routes may know of a request's key.

export interface Reader {
  /** Prefix of the key, `token` for HTTP_TOKEN, `open` where reading is open. Safe to log. */
  readonly name: string;
  /** Which accounts it may read; null for all. */
  readonly accounts: readonly string[] | null;
}

/** What a middleware sets on each request: `Hono<{ Variables: ReaderVariables }>`. */
export interface ReaderVariables {
  readonly reader: Reader;
}

export function mayRead(reader: Reader, account: string): boolean {
  return reader.accounts === null || reader.accounts.includes(account);
}
