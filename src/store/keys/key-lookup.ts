// What the HTTP server asks about keys: which are known by their digests, and when they were last used.
import { sql } from 'drizzle-orm';
import type { Database } from '../postgres/database.ts';
import { textArray } from '../values/binary-array.ts';
import { type KeyState, keyState } from './api-keys.ts';

export interface KnownKey {
  readonly prefix: string;
  /** Null for all. */
  readonly accounts: readonly string[] | null;
  readonly state: KeyState;
}

export interface KeysFound {
  /** Whether any key was ever made, those that are revoked included. */
  readonly anyKeys: boolean;
  /** By digest, in hexadecimal. */
  readonly keys: ReadonlyMap<string, KnownKey>;
}

/** What the HTTP server needs of the database to know who asks. */
export interface KeyStore {
  /** @param digests in hexadecimal */
  find(digests: readonly string[]): Promise<KeysFound>;
  /** Notes that the keys were used now. */
  noteUse(prefixes: readonly string[]): Promise<void>;
}

/** A lookup is one row by index. Where it takes longer, the database is in trouble, and a client is told so. */
const lookupTimeoutMs = 2_000;
const useTimeouts = { statementTimeoutMs: 5_000, lockTimeoutMs: 1_000 };

export function createKeyStore(database: Database): KeyStore {
  return {
    find: (digests) =>
      database
        .transact('find-keys', (tx) => tx.run('keys.find', (db) => db.execute<FoundRow>(find(digests))), {
          statementTimeoutMs: lookupTimeoutMs,
        })
        .then(({ rows }) => found(rows)),
    noteUse: async (prefixes) => {
      await database.transact(
        'note-key-use',
        (tx) => tx.run('keys.note-use', (db) => db.execute(noteUse(prefixes))),
        useTimeouts,
      );
    },
  };
}

interface FoundRow extends Record<string, unknown> {
  readonly any_keys: boolean;
  readonly digest: string | null;
  readonly prefix: string;
  readonly accounts: readonly string[] | null;
  readonly state: KeyState;
}

/** One row at least, so that one statement answers both questions. */
const find = (digests: readonly string[]) => sql`
  select exists (select from sync.api_keys) as any_keys, k.digest,
    k.key_prefix as prefix, k.accounts, ${keyState} as state
  from (select) as always
  left join sync.api_keys k on k.digest = any(${textArray(digests)})`;

function found(rows: readonly FoundRow[]): KeysFound {
  return {
    anyKeys: rows[0]?.any_keys === true,
    keys: new Map(
      rows.flatMap(({ digest, prefix, accounts, state }) =>
        digest === null ? [] : [[digest, { prefix, accounts, state }]],
      ),
    ),
  };
}

/** Several processes may note the same use: the row is written once a minute. */
const noteUse = (prefixes: readonly string[]) => sql`
  update sync.api_keys set last_used_at = clock_timestamp()
  where key_prefix = any(${textArray(prefixes)})
    and (last_used_at is null or last_used_at < clock_timestamp() - interval '50 seconds')`;
