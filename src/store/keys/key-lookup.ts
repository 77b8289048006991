// Key lookups of the HTTP server: the keys known by their digests, and when they were last used.
import { and, isNull, or, sql } from 'drizzle-orm';
import { apiKeys } from '../../../drizzle/api-keys.ts';
import type { Database } from '../postgres/database.ts';
import type { Tx } from '../postgres/transaction.ts';
import { textArray } from '../values/binary-array.ts';
import { type KeyListing, type KeyScope, keyState } from './api-keys.ts';

export interface KeysFound {
  /** Whether any key was ever created, including revoked ones. */
  readonly anyKeys: boolean;
  /** By digest, in hexadecimal. */
  readonly keys: ReadonlyMap<
    string,
    Pick<KeyListing, 'prefix' | 'name' | 'accounts' | 'scope' | 'networks' | 'state'>
  >;
}

/** What the HTTP server needs from the database to identify its clients. */
export interface KeyStore {
  /** @param digests in hexadecimal */
  find(digests: readonly string[]): Promise<KeysFound>;
  /** Records that the keys were used now. */
  noteUse(prefixes: readonly string[]): Promise<void>;
}

/** A lookup reads one row by index: if it takes longer, the database is in trouble and the request fails. */
const lookupTimeoutMs = 2_000;
const useTimeouts = { statementTimeoutMs: 5_000, lockTimeoutMs: 1_000 };

export function createKeyStore(database: Database): KeyStore {
  return {
    find: (digests) =>
      database
        .transact('find-keys', (tx) => find(tx, digests), { statementTimeoutMs: lookupTimeoutMs })
        .then(found),
    noteUse: (prefixes) => database.transact('note-key-use', (tx) => noteUse(tx, prefixes), useTimeouts),
  };
}

type FoundRow = Awaited<ReturnType<typeof find>>[number];

/** At least one row, so that one statement answers both questions. */
function find(tx: Tx, digests: readonly string[]) {
  return tx.run('keys.find', (db) =>
    db
      .select({
        anyKeys: sql<boolean>`exists (select from sync.api_keys)`,
        digest: sql<string | null>`${apiKeys.digest}`,
        prefix: apiKeys.keyPrefix,
        name: apiKeys.name,
        accounts: apiKeys.accounts,
        scope: sql<KeyScope | null>`${apiKeys.scope}`,
        networks: apiKeys.networks,
        state: keyState,
      })
      .from(sql`(select) as always`)
      .leftJoin(apiKeys, sql`${apiKeys.digest} = any(${textArray(digests)})`),
  );
}

function found(rows: readonly FoundRow[]): KeysFound {
  return {
    anyKeys: rows[0]?.anyKeys === true,
    keys: new Map(
      rows.flatMap(({ digest, prefix, name, scope, accounts, networks, state }) =>
        digest === null || prefix === null || name === null || scope === null
          ? []
          : [[digest, { prefix, name, accounts, scope, networks, state }]],
      ),
    ),
  };
}

/** Several processes may record the same use: the row is written once a minute. */
async function noteUse(tx: Tx, prefixes: readonly string[]): Promise<void> {
  const isOld = sql`${apiKeys.lastUsedAt} < clock_timestamp() - interval '50 seconds'`;
  await tx.run('keys.note-use', (db) =>
    db
      .update(apiKeys)
      .set({ lastUsedAt: sql`clock_timestamp()` })
      .where(
        and(sql`${apiKeys.keyPrefix} = any(${textArray(prefixes)})`, or(isNull(apiKeys.lastUsedAt), isOld)),
      ),
  );
}
