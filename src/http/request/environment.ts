// What the server knows of a request besides the request: the connection, who asks and which accounts it may
// read, and what to call when an answer was cut.
import type { HttpBindings } from '@hono/node-server';

export interface Reader {
  /** Prefix of the key, `token` for HTTP_TOKEN, `open` where reading is open. Safe to log. */
  readonly name: string;
  /** What a person called the key. */
  readonly keyName?: string;
  /** Which accounts it may read; null for all. */
  readonly accounts: readonly string[] | null;
}

/** For `Hono<{ Variables: ReaderVariables }>`: set on every route but the probes. */
export interface ReaderVariables {
  readonly reader: Reader;
  /** Checks again whether the key is still valid. @throws Refused when it is not */
  readonly confirm?: () => Promise<unknown>;
}

/**
 * The account that a request is about where it names none: the only one of the reader, else that of the
 * process.
 */
export function accountWithoutName(reader: Reader, ofProcess: string): string {
  const [only, ...others] = reader.accounts ?? [];
  return only !== undefined && others.length === 0 ? only : ofProcess;
}

export function mayRead(reader: Reader, account: string): boolean {
  return reader.accounts === null || reader.accounts.includes(account);
}

/** Why an answer was cut. */
export type CutReason = 'slow' | 'deadline' | 'failed';

export interface AccessEnv {
  readonly Bindings: HttpBindings;
  readonly Variables: ReaderVariables & {
    /** Of the client. */
    readonly address: string;
    /** Counts and logs it; `cause` of a failure. */
    readonly onCut: (reason: CutReason, cause?: unknown) => void;
  };
}
