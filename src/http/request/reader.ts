// Who asks, and which accounts it may read.

export interface Reader {
  /** Prefix of the key, `token` for HTTP_TOKEN, `open` where reading is open. Safe to log. */
  readonly name: string;
  /** Which accounts it may read; null for all. */
  readonly accounts: readonly string[] | null;
}

/** For `Hono<{ Variables: ReaderVariables }>`: set on every route but the probes. */
export interface ReaderVariables {
  readonly reader: Reader;
  /** Asks again whether the key still holds. @throws Refused when it does not */
  readonly confirm?: () => Promise<unknown>;
}

export function mayRead(reader: Reader, account: string): boolean {
  return reader.accounts === null || reader.accounts.includes(account);
}
