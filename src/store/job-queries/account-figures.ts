// Figures of one account for alerts, by the definitions of the pages (src/domain/transaction.ts), but
// payments that came to nothing raise no alert. An unknown figure has no row: an asset without a price, a
// list never read to its end, a withdrawal that may or may not have been whitelisted. Nor has a retired or
// half-erased account.
import { type SQL, sql } from 'drizzle-orm';
import { transactionTypes } from '../../domain/fields.ts';
import type { Resource } from '../../domain/jobs.ts';
import { checkedDays } from '../../domain/transaction.ts';
import type { Database } from '../postgres/database.ts';
import type { Tx } from '../postgres/transaction.ts';
import { isNotHalfErased } from '../run/accounts.ts';

export interface FigureRow {
  /** From closed sets, except the currencies of custody.asset_prices. */
  readonly labels: Readonly<Record<string, string>>;
  /** A float, rounded: for alerts only. */
  readonly value: number;
}

export const figureNames = [
  'openSince',
  'paymentsOffWhitelist',
  'unexplainedDifferences',
  'movedValue',
] as const;
export type FigureName = (typeof figureNames)[number];

export interface FigureQuestion {
  readonly name: FigureName;
  readonly account: string;
  readonly signal: AbortSignal;
}

/** @throws MirrorError `SCHEMA-MISSING`, `DATABASE-UNREACHABLE`, `DATABASE-REFUSED` */
export async function readFigure(
  database: Database,
  question: FigureQuestion,
): Promise<readonly FigureRow[]> {
  const { name, account, signal } = question;
  const label = `figures.${name}`;
  const figure = sql`select * from (${statements[name](account)}) as figure where ${isNotHalfErased(account)}
    and not exists (select from internal.account_rests r where r.account_id = ${account} and r.is_retired)`;
  const read = (tx: Tx) => tx.ask<FigureRow & Record<string, unknown>>(label, figure);
  return await database.transact(label, read, { readOnly: true, signal });
}

const statements: Readonly<Record<FigureName, (account: string) => SQL>> = {
  openSince: (account) => sql`
    select json_build_object('transaction_type', k.type) as labels,
      extract(epoch from min(o.first_seen_at))::float8 as value
    from reporting.open_transactions o
    cross join lateral (
      select case when o.transaction_type in ${transactionTypes} then o.transaction_type else 'other' end as type
    ) as k
    where o.account_id = ${account} group by k.type`,
  paymentsOffWhitelist: (account) =>
    counted(
      account,
      sql`reporting.destination_uses
        where account_id = ${account} and first_seen_at >= ${firstChecked(account, sql`starts_at`)} and not is_whitelisted
          and (is_completed or not reporting.is_settled(status))`,
      ['transactions', 'whitelist'],
    ),
  unexplainedDifferences: (account) =>
    counted(
      account,
      sql`reporting.reconciliation_daily
        where account_id = ${account} and day >= ${firstChecked(account, sql`day`)} and not is_explained`,
      ['transactions', 'balances'],
    ),
  movedValue: (account) => sql`
    select json_build_object('direction', direction, 'currency', currency) as labels, sum(value)::float8 as value
    from reporting.movement_values
    where account_id = ${account} and settled_at > now() - interval '1 hour' group by direction, currency`,
};

/** The first day examined, or its first moment. */
function firstChecked(account: string, column: SQL): SQL {
  return sql`(select min(${column}) from (
    select day, starts_at from reporting.calendar where account_id = ${account}
    order by day desc limit ${checkedDays + 1}) as d)`;
}

/** A nonzero count always holds; zero is known only once the lists have been read to their end. */
function counted(account: string, found: SQL, resources: readonly Resource[]): SQL {
  return sql`
    select '{}'::json as labels, count(*)::float8 as value from ${found}
    having count(*) > 0 or (
      select count(*) from reporting.data_freshness r
      where r.account_id = ${account} and r.resource in ${resources} and r.last_success_at is not null
        and (r.resource <> 'transactions' or r.complete_since is not null)
    ) = ${resources.length}`;
}
