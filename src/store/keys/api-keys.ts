// Creates, lists and revokes keys of the read API. Times are by the database's clock. Invariant: no two keys
// that are not revoked share a name; a revoked key stays revoked.
import { and, desc, eq, isNull, or, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { apiKeys, keyScopes } from '../../../drizzle/api-keys.ts';
import { MirrorError } from '../../domain/errors.ts';
import { type Database, readOne } from '../postgres/database.ts';
import type { Tx } from '../postgres/transaction.ts';
import { refuseUnknownAccounts } from '../run/accounts.ts';
import { textArray } from '../values/bulk-rows.ts';

// Key lookups of the HTTP server: the keys known by their digests, and when they were last used.

export interface KeysFound {
  /** Whether any key was ever created, including revoked ones. */
  readonly anyKeys: boolean;
  /** By digest, in hexadecimal. */
  readonly keys: ReadonlyMap<
    string,
    Pick<KeyListing, 'prefix' | 'name' | 'accounts' | 'scope' | 'networks' | 'state'>
  >;
}

/** A lookup reads one row by index: if it takes longer, the database is in trouble and the request fails. */
const lookupTimeoutMs = 2_000;
const useTimeouts = { statementTimeoutMs: 5_000, lockTimeoutMs: 1_000 };

export type KeyStore = ReturnType<typeof createKeyStore>;

/** What the HTTP server needs from the database to identify its clients. */
export function createKeyStore(database: Database) {
  return {
    /** @param digests in hexadecimal */
    find: (digests: readonly string[]) =>
      database
        .transact('find-keys', (tx) => find(tx, digests), { statementTimeoutMs: lookupTimeoutMs })
        .then(found),
    /** Records that the key was used now. */
    noteUse: (prefix: string) => database.transact('note-key-use', (tx) => noteUse(tx, prefix), useTimeouts),
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
async function noteUse(tx: Tx, prefix: string): Promise<void> {
  const isOld = sql`${apiKeys.lastUsedAt} < clock_timestamp() - interval '50 seconds'`;
  await tx.run('keys.note-use', (db) =>
    db
      .update(apiKeys)
      .set({ lastUsedAt: sql`clock_timestamp()` })
      .where(and(eq(apiKeys.keyPrefix, prefix), or(isNull(apiKeys.lastUsedAt), isOld))),
  );
}

export { keyScopes };
export type KeyScope = (typeof keyScopes)[number];

type KeyState = 'active' | 'expired' | 'revoked';

export interface KeyListing {
  readonly name: string;
  readonly prefix: string;
  /** Null for all accounts, including future ones. */
  readonly accounts: readonly string[] | null;
  readonly scope: KeyScope;
  /** The networks from which it is accepted; null for everywhere. */
  readonly networks: readonly string[] | null;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly lastUsedAt: string | null;
  readonly revokedAt: string | null;
  readonly state: KeyState;
}

/** When a key expires: at a moment (ISO 8601), or a number of hours after its creation. */
export type Expiry = { readonly at: string } | { readonly afterHours: number };

/** Its scope is `read`, from everywhere, unless it says otherwise. */
export interface NewKey
  extends Pick<KeyListing, 'name' | 'prefix' | 'accounts'>,
    Partial<Pick<KeyListing, 'scope' | 'networks'>> {
  /** SHA-256 of the key, in hexadecimal. */
  readonly digest: string;
  readonly expires: Expiry | null;
}

const keyState = sql<KeyState>`case when ${apiKeys.revokedAt} is not null then 'revoked'
  when ${apiKeys.expiresAt} <= clock_timestamp() then 'expired' else 'active' end`;

const iso = <Text extends string | null = string | null>(column: PgColumn) =>
  sql<Text>`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;

/** A key as listed. */
const listed = {
  name: apiKeys.name,
  prefix: apiKeys.keyPrefix,
  accounts: apiKeys.accounts,
  scope: sql<KeyScope>`${apiKeys.scope}`,
  networks: apiKeys.networks,
  createdAt: iso<string>(apiKeys.createdAt),
  expiresAt: iso(apiKeys.expiresAt),
  lastUsedAt: iso(apiKeys.lastUsedAt),
  revokedAt: iso(apiKeys.revokedAt),
  state: keyState,
};

/**
 * @returns the key as listed
 * @throws MirrorError `KEY-UNUSABLE` for a name in use, a past expiry; `CONFIGURATION` for an account that is
 *   not mirrored
 */
export function createKey(database: Database, key: NewKey): Promise<KeyListing> {
  return database.transact('create-key', async (tx) => {
    if (key.accounts !== null) await refuseUnknownAccounts(tx, key.accounts);
    const expiresAt = expiryOf(key.expires);
    if (key.expires !== null) await refusePast(tx, expiresAt);
    const [made] = await tx.run('keys.create', (db) =>
      db
        .insert(apiKeys)
        .values({
          keyPrefix: key.prefix,
          name: key.name,
          digest: key.digest,
          accounts: key.accounts === null ? null : [...key.accounts],
          scope: key.scope ?? 'read',
          networks: key.networks == null ? null : [...key.networks],
          createdAt: sql`clock_timestamp()`,
          expiresAt,
        })
        .onConflictDoNothing({ target: apiKeys.name, where: sql`revoked_at is null` })
        .returning(listed),
    );
    if (made !== undefined) return made;
    const [other] = await tx.run('keys.read', (db) =>
      db
        .select(listed)
        .from(apiKeys)
        .where(and(eq(apiKeys.name, key.name), isNull(apiKeys.revokedAt))),
    );
    throw new MirrorError(
      'KEY-UNUSABLE',
      `the name is in use by the key ${other?.prefix ?? 'of another command'}${other?.state === 'expired' ? ', which has expired' : ''}: choose another name, or revoke that key first (custody-mirror key revoke)`,
    );
  });
}

/** Every key, newest first. */
export function listKeys(database: Database): Promise<readonly KeyListing[]> {
  return readOne(database, 'keys.list', (db) =>
    db.select(listed).from(apiKeys).orderBy(desc(apiKeys.createdAt), apiKeys.keyPrefix),
  );
}

export interface Revocation {
  readonly key: KeyListing;
  /** Whether it was already revoked. */
  readonly already: boolean;
}

/**
 * Revokes a key by its prefix or its name. It is refused from the commit on. A key that was already revoked
 * stays as it is.
 *
 * @throws MirrorError `KEY-UNUSABLE` if no key matches
 */
export function revokeKey(database: Database, prefixOrName: string): Promise<Revocation> {
  return database.transact('revoke-key', async (tx) => {
    const isMeant = or(eq(apiKeys.keyPrefix, prefixOrName), eq(apiKeys.name, prefixOrName));
    const [revoked] = await tx.run('keys.revoke', (db) =>
      db
        .update(apiKeys)
        .set({ revokedAt: sql`clock_timestamp()` })
        .where(and(isMeant, isNull(apiKeys.revokedAt)))
        .returning(listed),
    );
    if (revoked !== undefined) return { key: revoked, already: false };
    const [before] = await tx.run('keys.read', (db) =>
      db.select(listed).from(apiKeys).where(isMeant).orderBy(desc(apiKeys.revokedAt)).limit(1),
    );
    if (before !== undefined) return { key: before, already: true };
    throw new MirrorError(
      'KEY-UNUSABLE',
      'no key has that prefix or name: custody-mirror key list shows them all',
    );
  });
}

function expiryOf(expires: Expiry | null): SQL {
  if (expires === null) return sql`null::timestamptz`;
  return 'at' in expires
    ? sql`${expires.at}::timestamptz`
    : sql`clock_timestamp() + make_interval(hours => ${expires.afterHours}::int)`;
}

async function refusePast(tx: Tx, expiresAt: SQL): Promise<void> {
  const past = await tx.run('keys.past', (db) =>
    db.execute<{ past: boolean }>(sql`select ${expiresAt} <= clock_timestamp() as past`),
  );
  if (past.rows[0]?.past !== true) return;
  throw new MirrorError(
    'KEY-UNUSABLE',
    'the moment of --expires has passed by the clock of the database: choose a later one',
  );
}
