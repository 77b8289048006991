// SQL of the records that /custody shows: the record as it was received, with the documented names and values
// of the columns laid over it (docs/custody-service.md 2.2 to 2.8). PostgreSQL makes the text, so that every
// number keeps its digits. Invariant: decoding such a record as the mirror does yields the columns
// again. What a column leaves null stays as it came: absent, null, or an empty amount.
import { and, desc, eq, isNull, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { alias, type PgTable } from 'drizzle-orm/pg-core';
import { balanceSnapshots, balances, unreadableBalances } from '../../../../drizzle/balances.ts';
import { vaults, whitelistEntries } from '../../../../drizzle/documents.ts';
import { type FilterColumn, filterColumns, transactions } from '../../../../drizzle/transactions.ts';
import type { BalanceVaultType } from '../../../domain/balance.ts';
import type { VaultType } from '../../../domain/document.ts';
import {
  balanceAmountNames,
  balanceAmounts,
  type Field,
  type Fields,
  placeOf,
  transactionDetails,
} from '../../../domain/fields.ts';
import { flatTransactionNames } from '../../../domain/transaction.ts';
import { type Database, readOne } from '../../postgres/database.ts';
import type { Tx } from '../../postgres/transaction.ts';
import { isNotHalfErased } from '../../run/accounts.ts';
import { type Micros, microsToIso } from '../../values/micros.ts';
import { bounded, digestFilter } from '../list/columns.ts';
import { ListTooLong } from '../list/read-page.ts';
import { withinMostBytes } from '../list/stream-csv.ts';

/** The condition of every statement: a row of the account, and nothing of one that is half erased. */
function isOf(account: string, column: SQLWrapper): SQL {
  return sql`${column} = ${account} and ${isNotHalfErased(account)}`;
}

/**
 * The texts of a page, which may end before its limit, as one with a lower limit would.
 *
 * @param query its rows in their order, each with a `text`
 * @param limit null where the list was asked for whole: it is not cut
 * @throws ListTooLong
 */
async function readTexts(
  tx: Tx,
  label: string,
  query: SQL,
  limit: number | null,
): Promise<readonly string[]> {
  const found = await tx.ask<{ text: string | null }>(
    label,
    sql`select ${withinMostBytes(sql`m.text`)} as text from (${query}) as m`,
  );
  const texts = found.flatMap(({ text }) => text ?? []);
  if (limit === null && texts.length < found.length) throw new ListTooLong();
  return texts;
}

/** ISO 8601 in UTC with milliseconds, as docs/custody-service.md 2.2 has it. */
function isoMilliseconds(moment: SQLWrapper): SQL<string> {
  return sql`to_char(${moment} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** The columns of a table, by whatever name a statement gives it. */
type Columns<Table extends PgTable> = Readonly<Record<keyof Table['_']['columns'], SQLWrapper>>;

type Members = Readonly<Record<string, SQLWrapper>>;

/** An object of the members that are not null; all are texts. */
function present(members: Members): SQL {
  const pairs = Object.entries(members).map(
    ([name, value]) => sql`${sql.raw(`'${name}'`)}, ${bounded('text', value)}`,
  );
  // jsonb_build_object would look up the type of each argument for each row.
  return sql`jsonb_strip_nulls(jsonb_object(array[${sql.join(pairs, sql`, `)}]))`;
}

function names(list: readonly string[]): SQL {
  return sql.raw(`array[${list.map((name) => `'${name}'`).join(', ')}]`);
}

/** Members of the object `transaction`; some services write them directly into the record. */
const detailNames = [
  ...new Set(Object.values(transactionDetails).map(({ path }) => path.split('.')[1] ?? '')),
];

/** The columns of the fields that an object within the record holds, by their names there. */
function columnsIn(holder: string, table: Fields, row: Members): Members {
  const members = Object.entries<Field>(table).flatMap(([field, described]) => {
    const place = placeOf(described);
    const column = row[field];
    if (column === undefined || place.holder !== holder) return [];
    return [[place.name, described.kind === 'amount' ? sql`${column}::text` : column]];
  });
  return Object.fromEntries(members);
}

/**
 * What a select of rows of the table, named `t`, adds to its `from` and selects: the text of each record.
 * Most records are as the document has them, and need nothing but their time; composing the others takes
 * several times as long.
 */
function transactionRecord(t: Columns<typeof transactions>): {
  readonly text: SQL<string>;
  readonly joins: SQL;
} {
  const documented = sql`received @> head and details @> columns
    and details -> 'source' @> source_columns and details -> 'destination' @> destination_columns`;
  return {
    text: sql`(case when ${documented} then received else ${composed(t)} end || observed)::text`,
    // `offset 0` keeps PostgreSQL from working out the same value at every place where it is used.
    joins: sql`
      cross join lateral (select
        ${bounded('json', t.raw)} || '{}' as received,
        ${present({ transaction_id: t.transactionId, status: t.status })} as head,
        ${present({ timestamp: isoMilliseconds(sql`coalesce(${t.sourceTimestamp}, ${t.changedAt})`) })} as observed,
        ${present(columnsIn('transaction', transactionDetails, t))} as columns,
        ${present(columnsIn('transaction.source', transactionDetails, t))} as source_columns,
        ${present(columnsIn('transaction.destination', transactionDetails, t))} as destination_columns
        offset 0) as shown
      cross join lateral (select received -> 'transaction' as details offset 0) as nested`,
  };
}

/** A record that deviates from the document, in its form. */
function composed(t: Columns<typeof transactions>): SQL {
  const isNested = sql`coalesce(jsonb_typeof(details) = 'object', false)`;
  const isFlat = sql`(not ${isNested} and received ?| ${names(flatTransactionNames)})`;
  const around = sql`(received - case when ${isFlat} then ${names(detailNames)} else '{}' end)`;
  const holder = sql`(case when ${isFlat} then received else details end)`;
  const source = party(sql`(${holder} -> 'source')`, 'source_id', t.sourceId);
  const destination = party(sql`(${holder} -> 'destination')`, 'destination_id', t.destinationId);
  return sql`(
    case when ${isRead(sql`received`, 'transaction_id', true)} then ${around} else ${around} - 'id' end || head
    || jsonb_build_object('transaction', case when ${isNested} then details else '{}' end || columns
      || jsonb_build_object('source', ${source} || source_columns, 'destination', ${destination} || destination_columns)))`;
}

/** Source or destination as received. `vault_id` is left out where it replaced the id. */
function party(object: SQL, idName: string, id: SQLWrapper): SQL {
  const received = sql`case when jsonb_typeof(${object}) = 'object' then ${object} else '{}' end`;
  return sql`case when ${id} is null or ${isRead(object, idName, false)} then ${received} else ${received} - 'vault_id' end`;
}

/** Whether the member has a value that is read as text, which may be required not to be empty. */
function isRead(object: SQLWrapper, name: string, notEmpty: boolean): SQL {
  const member = sql.raw(`'${name}'`);
  const isScalar = sql`coalesce(jsonb_typeof(${object} -> ${member}), 'null') in ('string', 'number', 'boolean')`;
  return notEmpty ? sql`(${isScalar} and ${object} ->> ${member} <> '')` : isScalar;
}

/**
 * The text of one element of a balance answer, from the row that holds and the row that says that it cannot
 * be read; either may be missing. An amount that is not known now is `unknown`, which nobody takes for zero
 * or for the last known amount.
 */
function balanceElement(b: Columns<typeof balances>, u: Columns<typeof unreadableBalances>): SQL<string> {
  const raw = sql`coalesce(${bounded('json', b.raw)}, '{}')`;
  const amounts = sql`(${raw} -> 'balances')`;
  const nested = sql`case jsonb_typeof(${amounts}) when 'object' then ${amounts}
    when 'array' then case when jsonb_typeof(${amounts} -> 0) = 'object' then ${amounts} -> 0 end end`;
  const known = present(columnsIn('balances', balanceAmounts, b));
  const unknown = sql.raw(
    `'${JSON.stringify(Object.fromEntries(balanceAmountNames.map((name) => [name, 'unknown'])))}'::jsonb`,
  );
  const networkId = sql`coalesce(${b.networkId}, ${u.networkId})`;
  const shownNetwork = sql`case when ${networkId} <> '' or ${isRead(raw, 'network_id', false)} then ${networkId} end`;
  return sql`(
    case when ${nested} is null then ${raw} - ${names(balanceAmountNames)} else ${raw} end
    || ${present({
      asset_id: sql`coalesce(${b.assetId}, ${u.assetId})`,
      asset_name: b.assetName,
      network_id: shownNetwork,
      network_name: b.networkName,
    })}
    || jsonb_build_object('balances',
      coalesce(${nested}, '{}') || case when ${u.assetId} is null then ${known} else ${unknown} end)
    )::text`;
}

// The balances that /custody shows: those of the last snapshot of a vault type.

interface PageWindow {
  /** Null for all. */
  readonly limit: number | null;
  readonly offset: number;
}

interface BalanceQuery extends PageWindow {
  readonly vaultType: BalanceVaultType;
  readonly assetId: string | undefined;
}

interface BalancePage {
  /** When the snapshot was taken, ISO 8601 with milliseconds. */
  readonly snapshotAt: string;
  /** The texts of the elements, by asset and network. */
  readonly elements: readonly string[];
}

/** @returns null when there is no snapshot of the vault type yet */
export async function readBalancePage(
  database: Database,
  account: string,
  { vaultType, assetId, limit, offset }: BalanceQuery,
): Promise<BalancePage | null> {
  const of = (table: typeof balances | typeof unreadableBalances) =>
    and(
      isOf(account, table.accountId),
      eq(table.vaultType, vaultType),
      isNull(table.validTo),
      ...(assetId === undefined ? [] : [eq(table.assetId, assetId)]),
    );
  return await database.transact(
    'custody-balances',
    async (tx) => {
      const { snapshotAt } = balanceSnapshots;
      const [latest] = await tx.run('custody-balances.snapshot', (db) =>
        db
          .select({ snapshotAt: isoMilliseconds(snapshotAt) })
          .from(balanceSnapshots)
          .where(and(isOf(account, balanceSnapshots.accountId), eq(balanceSnapshots.vaultType, vaultType)))
          .orderBy(desc(snapshotAt))
          .limit(1),
      );
      if (latest === undefined) return null;
      const page = sql`
        select ${balanceElement(alias(balances, 'b'), alias(unreadableBalances, 'u'))} as text
        from (select * from ${balances} where ${of(balances)}) as b
        full join (select * from ${unreadableBalances} where ${of(unreadableBalances)}) as u
          on b.asset_id = u.asset_id and b.network_id = u.network_id
        order by coalesce(b.asset_id, u.asset_id), coalesce(b.network_id, u.network_id)
        limit ${limit}::bigint offset ${offset}::bigint`;
      const elements = await readTexts(tx, 'custody-balances.page', page, limit);
      return { snapshotAt: latest.snapshotAt, elements };
    },
    { snapshot: true },
  );
}

// The vaults and whitelist entries that /custody shows: the documents as they came, without those that the
// service no longer shows.

/** The texts of the documents, by vault_id. */
export async function readVaultPage(
  database: Database,
  account: string,
  { vaultType, limit, offset }: PageWindow & { readonly vaultType: VaultType | undefined },
): Promise<readonly string[]> {
  const page = sql`
    select ${bounded('json', vaults.document)}::text as text from ${vaults}
    where ${and(
      isOf(account, vaults.accountId),
      isNull(vaults.missingSince),
      ...(vaultType === undefined ? [] : [sql`lower(${vaults.vaultType}) = ${vaultType}`]),
    )}
    order by ${vaults.vaultId} limit ${limit}::bigint offset ${offset}::bigint`;
  const label = 'custody-vaults.page';
  return await database.transact(label, (tx) => readTexts(tx, label, page, limit), { readOnly: true });
}

/** The text of one document; null when there is none. */
export async function readVaultDocument(
  database: Database,
  account: string,
  vaultId: string,
): Promise<string | null> {
  const rows = await readOne(database, 'custody-vaults.one', (db) =>
    db
      .select({ document: sql<string>`${bounded('json', vaults.document)}::text` })
      .from(vaults)
      .where(and(isOf(account, vaults.accountId), eq(vaults.vaultId, vaultId), isNull(vaults.missingSince))),
  );
  return rows[0]?.document ?? null;
}

interface WhitelistQuery extends PageWindow {
  readonly assetId: string | undefined;
  readonly networkId: string | undefined;
  /** Compared with the member `status` of the documents, which is not documented. */
  readonly status: string | undefined;
}

interface WhitelistPage {
  /** The texts of the documents, by entry_id. */
  readonly documents: readonly string[];
  /** False when no entry at all has the status that was asked for. */
  readonly isStatusKnown: boolean;
}

export async function readWhitelistPage(
  database: Database,
  account: string,
  { assetId, networkId, status, limit, offset }: WhitelistQuery,
): Promise<WhitelistPage> {
  const w = whitelistEntries;
  const shown = and(isOf(account, w.accountId), isNull(w.missingSince));
  const hasStatus = sql`${w.document} ->> 'status' = ${status ?? null}`;
  return await database.transact(
    'custody-whitelist',
    async (tx) => {
      const page = sql`
        select ${bounded('json', w.document)}::text as text from ${w}
        where ${and(
          shown,
          ...(assetId === undefined ? [] : [eq(w.assetId, assetId)]),
          ...(networkId === undefined ? [] : [eq(w.networkId, networkId)]),
          ...(status === undefined ? [] : [hasStatus]),
        )}
        order by ${w.entryId} limit ${limit}::bigint offset ${offset}::bigint`;
      const documents = await readTexts(tx, 'custody-whitelist.page', page, limit);
      if (documents.length > 0 || status === undefined) return { documents, isStatusKnown: true };
      const known = await tx.ask<{ known: boolean }>(
        'custody-whitelist.status',
        sql`select exists (select from ${w} where ${and(shown, hasStatus)}) as known`,
      );
      return { documents, isStatusKnown: known[0]?.known ?? false };
    },
    { snapshot: true },
  );
}

// The transactions that /custody shows: those that the service still shows, in the order of first_seen_at and
// transaction_id. A page is found by its keys, and only its own rows are read.

/** Each member that is given must be equal; the moments are inclusive bounds of first_seen_at. */
export interface TransactionFilter extends Readonly<Partial<Record<FilterColumn, string | undefined>>> {
  readonly transactionId?: string | undefined;
  readonly firstSeenFrom?: Micros | undefined;
  readonly firstSeenTo?: Micros | undefined;
}

interface Window {
  readonly limit: number;
  readonly offset: number;
}

const { firstSeenAt, transactionId } = transactions;
const t = alias(transactions, 't');
const record = transactionRecord(t);
const equals = digestFilter(transactions);

/** The texts of the records of one page. */
export async function readTransactionPage(
  database: Database,
  account: string,
  filter: TransactionFilter,
  window: Window,
): Promise<readonly string[]> {
  const page = sql`
    with ${keysOf(account, filter, window)}
    select ${record.text} as text
    from keys join ${transactions} as t on ${t.accountId} = ${account} and ${t.transactionId} = keys.transaction_id ${record.joins}
    order by keys.first_seen_at, keys.transaction_id`;
  return await database.transact(
    'custody-transactions',
    (tx) => readTexts(tx, 'custody-transactions.page', page, window.limit),
    { readOnly: true },
  );
}

/** The text of one record; null when there is none. */
export async function readTransactionRecord(
  database: Database,
  account: string,
  transactionId: string,
): Promise<string | null> {
  const found = await readOne(database, 'custody-transactions.one', (db) =>
    db.execute<{ record: string }>(sql`
      select ${record.text} as record from ${transactions} as t ${record.joins}
      where ${and(isOf(account, t.accountId), eq(t.transactionId, transactionId), isNull(t.missingSince))}`),
  );
  return found.rows[0]?.record ?? null;
}

function keysOf(account: string, filter: TransactionFilter, { limit, offset }: Window): SQL {
  return sql`keys as materialized (
    select ${firstSeenAt}, ${transactionId} from ${transactions}
    where ${and(
      isOf(account, transactions.accountId),
      isNull(transactions.missingSince),
      ...conditions(account, filter),
    )}
    order by ${firstSeenAt}, ${transactionId}
    limit ${limit} offset ${offset})`;
}

function conditions(account: string, filter: TransactionFilter): SQL[] {
  const given: SQL[] = [];
  if (filter.transactionId !== undefined) given.push(eq(transactionId, filter.transactionId));
  for (const column of filterColumns) {
    const value = filter[column];
    if (value !== undefined) given.push(equals({ account, column, value }));
  }
  if (filter.firstSeenFrom !== undefined)
    given.push(sql`${firstSeenAt} >= ${microsToIso(filter.firstSeenFrom)}::timestamptz`);
  if (filter.firstSeenTo !== undefined)
    given.push(sql`${firstSeenAt} <= ${microsToIso(filter.firstSeenTo)}::timestamptz`);
  return given;
}
