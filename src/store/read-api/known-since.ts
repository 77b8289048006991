// From when on the mirror can answer for the past. Anything earlier is unknown, not empty.
import { type SQL, sql } from 'drizzle-orm';
import { balanceVaultTypes } from '../../domain/balance.ts';
import type { Tx } from '../postgres/transaction.ts';
import { isNotHalfErased } from '../run/accounts.ts';
import { textArray } from '../values/bulk-rows.ts';
import { shownMoment } from '../values/micros.ts';
import type { Observed } from './list/listing.ts';

export interface KnownSince {
  /** When it was first observed, RFC 3339; null when it never was. */
  readonly since: string | null;
  /** The database's time, or the account's if that is ahead. */
  readonly now: string;
}

/** One or two lookups by index; null when the account is not mirrored, or half erased. */
export async function readKnownSince(
  tx: Tx,
  account: string,
  observed: Observed,
): Promise<KnownSince | null> {
  const first = {
    transactions: sql`least(a.transactions_since, (
      select t.first_seen_at from custody.transactions t where t.account_id = a.account_id order by t.first_seen_at limit 1))`,
    balances: sql`(
      select min(s.at) from (values ('all'), ('warm'), ('cold')) as v (vault_type) cross join lateral (
        select b.answered_at as at from custody.balance_snapshots b
        where b.account_id = a.account_id and b.vault_type = v.vault_type order by b.answered_at limit 1) as s)`,
    vault: firstReading('vault'),
    whitelist_entry: firstReading('whitelist_entry'),
  }[observed];
  const now = sql`greatest(clock_timestamp(), (select l.account_time from sync.leases l where l.account_id = a.account_id))`;
  const { rows } = await tx.run('read.known-since', (db) =>
    db.execute<{ since: string | null; now: string }>(sql`
      select ${shownMoment(first)} as since, ${shownMoment(now)} as now
      from custody.accounts a where a.account_id = ${account} and ${isNotHalfErased(account)}`),
  );
  return rows[0] ?? null;
}

function firstReading(kind: string) {
  return sql`(select r.first_read_at from custody.document_readings r where r.account_id = a.account_id and r.kind = ${kind})`;
}

export interface DayAsked {
  readonly account: string;
  /** YYYY-MM-DD. */
  readonly at: string;
  /** Only observations of these vaults count; by default, of any vaults. */
  readonly vaultType: string | undefined;
}

/**
 * The present day, the last moment of the requested day (of today: now), and whether balances were observed
 * on it. Null for a day that the calendar lacks.
 */
export async function readClose(tx: Tx, { account, at, vaultType }: DayAsked) {
  const last = sql`(
    select least(c.ends_at - interval '1 microsecond', now()) from reporting.calendar c
    where c.account_id = ${account} and c.day = ${at}::date)`;
  const { rows } = await tx.run('read.close', (db) =>
    db.execute<{ today: string | null; lastMoment: string | null; isObserved: boolean }>(sql`
      select (select max(c.day)::text from reporting.calendar c where c.account_id = ${account} and c.day > now()::date - 3) as today,
        ${shownMoment(last)} as "lastMoment", exists (
        select from reporting.calendar c join custody.balance_snapshots s on s.account_id = c.account_id
          and s.vault_type = any(${textArray(vaultType === undefined ? balanceVaultTypes : [vaultType])})
          and s.answered_at >= c.starts_at and s.answered_at < c.ends_at
        where c.account_id = ${account} and c.day = ${at}::date) as "isObserved"`),
  );
  return rows[0] ?? { today: null, lastMoment: null, isObserved: false };
}

export async function isMirrored(tx: Tx, account: string): Promise<boolean> {
  const { rows } = await tx.run('read.account', (db) => db.execute(sql`select where ${isAccount(account)}`));
  return rows.length > 0;
}

/** Whether the account is mirrored. A half-erased one is not. */
export function isAccount(account: string): SQL {
  return sql`(exists (select from custody.accounts a where a.account_id = ${account}) and ${isNotHalfErased(account)})`;
}
