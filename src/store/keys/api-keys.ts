// Makes, lists and revokes keys of the read API. Moments are of the database's clock. Invariant: of the keys that are not revoked,
// no two have one name; a revoked key stays revoked.
import { type SQL, sql } from 'drizzle-orm';
import { MirrorError } from '../../domain/errors.ts';
import { type Database, readOne } from '../postgres/database.ts';
import type { Tx } from '../postgres/transaction.ts';
import { textArray } from '../values/binary-array.ts';

export type KeyState = 'active' | 'expired' | 'revoked';

export interface KeyListing {
  readonly name: string;
  readonly prefix: string;
  /** Null for all, also those to come. */
  readonly accounts: readonly string[] | null;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly lastUsedAt: string | null;
  readonly revokedAt: string | null;
  readonly state: KeyState;
}

/** When a key expires: at a moment (ISO 8601), or so many hours after it was made. */
export type Expiry = { readonly at: string } | { readonly afterHours: number };

export interface NewKey {
  readonly name: string;
  readonly prefix: string;
  /** SHA-256 of the key, in hexadecimal. */
  readonly digest: string;
  /** Null for all. */
  readonly accounts: readonly string[] | null;
  readonly expires: Expiry | null;
}

/** Of a row of sync.api_keys with the alias k. */
export const keyState: SQL<KeyState> = sql`case when k.revoked_at is not null then 'revoked'
  when k.expires_at <= clock_timestamp() then 'expired' else 'active' end`;

interface ListedRow extends Record<string, unknown> {
  readonly name: string;
  readonly prefix: string;
  readonly accounts: readonly string[] | null;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
  readonly revoked_at: string | null;
  readonly state: KeyState;
}

const iso = (column: string) =>
  sql`to_char(${sql.raw(`k.${column}`)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as ${sql.raw(column)}`;
const listedColumns = sql`k.name, k.key_prefix as prefix, k.accounts, ${iso('created_at')}, ${iso('expires_at')},
  ${iso('last_used_at')}, ${iso('revoked_at')}, ${keyState} as state`;

/**
 * @returns the key as it is listed
 * @throws MirrorError `KEY-REFUSED` for a name in use, an account that is not mirrored, an expiry that has passed
 */
export function createKey(database: Database, key: NewKey): Promise<KeyListing> {
  return database.transact('create-key', async (tx) => {
    if (key.accounts !== null) await refuseUnknownAccounts(tx, key.accounts);
    const expiresAt = expiryOf(key.expires);
    if (key.expires !== null) await refusePast(tx, expiresAt);
    const accounts = key.accounts === null ? sql`null` : textArray(key.accounts);
    const made = await tx.run('keys.create', (db) =>
      db.execute<ListedRow>(sql`
        insert into sync.api_keys as k (key_prefix, name, digest, accounts, created_at, expires_at)
        values (${key.prefix}, ${key.name}, ${key.digest}, ${accounts}, clock_timestamp(), ${expiresAt})
        on conflict (name) where revoked_at is null do nothing
        returning ${listedColumns}`),
    );
    const [row] = made.rows;
    if (row !== undefined) return listed(row);
    const [other] = await read(tx, sql`where k.name = ${key.name} and k.revoked_at is null`);
    throw new MirrorError(
      'KEY-REFUSED',
      `the name is in use by the key ${other?.prefix ?? 'of another command'}${other?.state === 'expired' ? ', which has expired' : ''}: choose another name, or revoke that key first (custody-mirror key revoke)`,
    );
  });
}

/** Every key, the youngest first. */
export async function listKeys(database: Database): Promise<readonly KeyListing[]> {
  const found = await readOne(database, 'keys.list', (db) =>
    db.execute<ListedRow>(
      sql`select ${listedColumns} from sync.api_keys k order by k.created_at desc, k.key_prefix`,
    ),
  );
  return found.rows.map(listed);
}

export interface Revocation {
  readonly key: KeyListing;
  /** It was revoked before. */
  readonly already: boolean;
}

/**
 * Revokes a key by its prefix or its name. It is refused from the commit on. A key that was revoked before stays as it is.
 *
 * @throws MirrorError `KEY-REFUSED` when there is no such key
 */
export function revokeKey(database: Database, prefixOrName: string): Promise<Revocation> {
  return database.transact('revoke-key', async (tx) => {
    const revoked = await tx.run('keys.revoke', (db) =>
      db.execute<ListedRow>(sql`
        update sync.api_keys as k set revoked_at = clock_timestamp()
        where (k.key_prefix = ${prefixOrName} or k.name = ${prefixOrName}) and k.revoked_at is null
        returning ${listedColumns}`),
    );
    const [row] = revoked.rows;
    if (row !== undefined) return { key: listed(row), already: false };
    const [before] = await read(
      tx,
      sql`where k.key_prefix = ${prefixOrName} or k.name = ${prefixOrName} order by k.revoked_at desc limit 1`,
    );
    if (before !== undefined) return { key: before, already: true };
    throw new MirrorError(
      'KEY-REFUSED',
      'no key has that prefix or name: custody-mirror key list shows them all',
    );
  });
}

async function read(tx: Tx, which: SQL): Promise<readonly KeyListing[]> {
  const found = await tx.run('keys.read', (db) =>
    db.execute<ListedRow>(sql`select ${listedColumns} from sync.api_keys k ${which}`),
  );
  return found.rows.map(listed);
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
    'KEY-REFUSED',
    'the moment of --expires has passed by the clock of the database: choose a later one',
  );
}

async function refuseUnknownAccounts(tx: Tx, accounts: readonly string[]): Promise<void> {
  const found = await tx.run('keys.accounts', (db) =>
    db.execute<{ account: string }>(
      sql`select account_id as account from custody.accounts order by account_id`,
    ),
  );
  const known = found.rows.map(({ account }) => account);
  const unknown = accounts.filter((account) => !known.includes(account));
  if (unknown.length === 0) return;
  const there = known.length === 0 ? 'none is mirrored yet' : `there is ${known.slice(0, 20).join(', ')}`;
  throw new MirrorError('KEY-REFUSED', `no account is named ${unknown.join(', ')}: ${there}`);
}

function listed(row: ListedRow): KeyListing {
  return {
    name: row.name,
    prefix: row.prefix,
    accounts: row.accounts,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    revokedAt: row.revoked_at,
    state: row.state,
  };
}
