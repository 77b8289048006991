// The rows of custody.transactions: compares pages with them, reads those that differ, and writes in bulk.
// History is sealed, the rows are not: one that does not follow from its history was altered in the database,
// not by the service, and its values must not enter history as the content before a change.

import { and, eq, getTableColumns, getTableName, type SQL, sql } from 'drizzle-orm';
import { quarantine } from '../../../drizzle/findings.ts';
import { transactionRevisions, transactionStatusHistory } from '../../../drizzle/transaction-history.ts';
import { transactions } from '../../../drizzle/transactions.ts';
import { columnOf, namesOf, transactionFields } from '../../domain/fields.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { Transaction } from '../../domain/transaction.ts';
import { hiddenFromPlanner } from '../postgres/hidden-from-planner.ts';
import { type Anomaly, alteredRow } from '../run/anomalies.ts';
import type { FencedStatement, FencedTx, Lease } from '../run/leases.ts';
import type { Run } from '../run/runs.ts';
import { columnsOf, rowsOf, textArray } from '../values/bulk-rows.ts';
import { type Micros, microsOf, microsToIso, selectMicros, selectMicrosOrNull } from '../values/micros.ts';
import { firstSeenAfter } from './observations.ts';
import type { KnownTransaction } from './transaction-changes.ts';

/** How a group compares with the mirror, by positions in it. The rest is unchanged. */
export interface Comparison {
  readonly unknown: readonly number[];
  /** Including those with a history whose row was deleted. */
  readonly different: readonly number[];
  /** The bytes of the records of the rows that differ. */
  readonly differentBytes: number;
  /** Whether one of the transactions was ever in quarantine. */
  readonly wereQuarantined: boolean;
  /** Whether any transaction is in quarantine now. */
  readonly openQuarantine: boolean;
  /** By PostgreSQL's statistics, which know nothing of a table that was never analysed. */
  readonly tableIsSmall: boolean;
}

/** From this many rows on, the server plans as for any number. */
const smallTable = 5_000;

/** Compares digests under the fence, with one lookup by key for each transaction. */
export function compareWithMirror(
  { account }: Lease,
  ids: readonly string[],
  hashes: readonly string[],
): FencedStatement {
  const sent = textArray(ids);
  const statement = (fence: SQL) => sql`
    with ${fence}
    select fence.*, coalesce(unknown, '{}') as unknown, coalesce(different, '{}') as different,
      coalesce(bytes, 0)::float8 as "differentBytes",
      -- Mostly nothing was in quarantine: then no key is looked up.
      case when exists (select from ${quarantine} where account_id = ${account} and resource = 'transactions')
        then exists (select from ${quarantine}
          where account_id = ${account} and resource = 'transactions' and record_key = any(${sent}))
        else false end as "wereQuarantined",
      exists (select from ${quarantine}
        where account_id = ${account} and resource = 'transactions' and resolved_at is null) as "openQuarantine",
      (select reltuples < ${smallTable} from pg_class
        where oid = ${`custody.${getTableName(transactions)}`}::regclass) as "tableIsSmall"
    from fence, lateral (
      select
        array_agg(i.position::int - 1) filter (where is_unknown) as unknown,
        array_agg(i.position::int - 1) filter (where not is_unknown) as different,
        sum(octet_length(t.raw::text)) as bytes
      from unnest(${sent}, ${textArray(hashes)}) with ordinality as i(id, hash, position)
      left join lateral (
        select t.transaction_id, t.content_hash, t.missing_since, t.raw from ${transactions} t
        where t.account_id = ${hiddenFromPlanner(account)} and t.transaction_id = i.id
        offset 0
      ) as t on true
      cross join lateral (
        select t.transaction_id is null and not exists (select from ${transactionStatusHistory} h
          where h.account_id = ${hiddenFromPlanner(account)} and h.transaction_id = i.id) as is_unknown
        offset 0
      ) as u
      where t.transaction_id is null or t.content_hash <> i.hash or t.missing_since is not null
    ) as compared`;
  return { label: 'transactions.compare', statement };
}

/** What the history of a transaction says of its row. */
interface TransactionHistory {
  readonly firstSeenAt: Micros;
  readonly status: string;
  readonly statusChangedAt: Micros;
  readonly missingSince: Micros | null;
  readonly changedAt: Micros;
  /** Digests of the content seen last: two if two observations share one moment. */
  readonly digests: readonly string[];
  readonly lastSequence: number;
  readonly lastRevision: number;
}

/** A row as it stands; `history` is null where it has none. */
interface StoredTransaction extends KnownTransaction {
  readonly history: TransactionHistory | null;
}

/**
 * What the history of `transactions` says, as JSON: an expression; null without a history.
 *
 * @param account as the planner should see it
 * @param id the column of the outer table
 */
function historyOf(account: SQL, id: SQL): SQL<TransactionHistory | null> {
  const micros = (moment: string) => microsOf(sql.raw(moment));
  return sql`(
    select json_build_object(
      'firstSeenAt', ${micros('f.observed_at')},
      'status', l.to_status,
      'statusChangedAt', ${micros('l.observed_at')},
      'missingSince', case when r.content_hash is null then ${micros('r.observed_at')} end,
      'changedAt', ${micros('greatest(l.observed_at, l.read_at, c.observed_at)')},
      'digests', array_remove(array[
        case when (l.observed_at < c.observed_at) is not true then l.content_hash end,
        case when l.observed_at <= c.observed_at then c.content_hash end], null),
      'lastSequence', l.sequence,
      'lastRevision', coalesce(r.revision, 0))
    from (select h.to_status, h.observed_at, h.read_at, h.content_hash, h.sequence from ${transactionStatusHistory} h
      where h.account_id = ${account} and h.transaction_id = ${id} order by h.sequence desc limit 1) l
    join (select h.observed_at from ${transactionStatusHistory} h
      where h.account_id = ${account} and h.transaction_id = ${id} order by h.sequence limit 1) f on true
    left join (select h.revision, h.observed_at, h.content_hash from ${transactionRevisions} h
      where h.account_id = ${account} and h.transaction_id = ${id} order by h.revision desc limit 1) r on true
    left join (select h.observed_at, h.content_hash from ${transactionRevisions} h
      where h.account_id = ${account} and h.transaction_id = ${id} and h.content_hash is not null
      order by h.revision desc limit 1) c on true)`;
}

const {
  accountId,
  sourceTimestamp,
  firstSeenAfter: _,
  firstSeenAt,
  statusChangedAt,
  changedAt,
  missingSince,
  ...recordColumns
} = getTableColumns(transactions);

/** The rows of the given transactions. */
export async function readRows(tx: FencedTx, ids: readonly string[]): Promise<readonly StoredTransaction[]> {
  if (ids.length === 0) return [];
  const t = transactions;
  const account = hiddenFromPlanner(tx.lease.account);
  const rows = await tx.run('transactions.read', (db) =>
    db
      .select({
        record: { ...recordColumns, raw: sql<string>`${t.raw}::text` },
        firstSeenAt: selectMicros(firstSeenAt),
        statusChangedAt: selectMicros(statusChangedAt),
        changedAt: selectMicros(changedAt),
        missingSince: selectMicrosOrNull(missingSince),
        // The outer table is spelled out: in a select from one table drizzle omits its name.
        history: historyOf(account, sql`transactions.transaction_id`),
      })
      .from(t)
      .where(and(eq(t.accountId, account), sql`${t.transactionId} = any(${textArray(ids)})`)),
  );
  return rows.map(({ record, history, ...row }) => ({
    ...row,
    record: { ...record, sourceTimestamp: null },
    history,
    lastSequence: history?.lastSequence ?? 0,
    lastRevision: history?.lastRevision ?? 0,
  }));
}

/** The histories of transactions whose rows were deleted. */
async function readHistories(tx: FencedTx, ids: readonly string[]) {
  if (ids.length === 0) return [];
  const history = historyOf(sql`${hiddenFromPlanner(tx.lease.account)}`, sql`i.id`);
  const rows = await tx.ask<{ id: string; history: TransactionHistory }>(
    'transactions.histories',
    sql`select i.id, ${history} as history from unnest(${textArray(ids)}) as i(id)`,
  );
  return rows;
}

/**
 * Reads the columns of a record from its stored text, as this version or, if that `fits`, as an earlier one
 * read them; null if no record could have been stored in this form.
 */
export type ReadStored = (raw: string, fits: (record: Transaction) => boolean) => Transaction | null;

interface KnownTransactions {
  /** A row without history is left out. */
  readonly known: ReadonlyMap<string, KnownTransaction>;
  readonly altered: readonly Anomaly[];
  /** Whether a row without history was found. */
  readonly hasForeign: boolean;
}

/**
 * The known state of transactions. If a row does not follow from its history, only the history counts. A row
 * without history does not count, because nobody observed it.
 *
 * @param shown the observed state of one of them
 * @param readStored if left out, the digest stands for the record and its columns
 */
export async function readKnown(
  tx: FencedTx,
  ids: readonly string[],
  shown: (id: string) => Transaction | undefined,
  readStored?: ReadStored,
): Promise<KnownTransactions> {
  const rows = await readRows(tx, ids);
  const known = new Map<string, KnownTransaction>();
  const found = new Map<string, JsonObject | null>();
  const histories = new Map<string, TransactionHistory>();
  for (const { history, ...row } of rows) {
    const { transactionId } = row.record;
    if (history !== null && follows(row, history, readStored)) {
      known.set(transactionId, row);
      continue;
    }
    found.set(transactionId, asFound(row));
    if (history !== null) histories.set(transactionId, history);
  }
  const hasForeign = histories.size < found.size;
  const deleted = ids.filter((id) => !known.has(id) && !found.has(id));
  for (const { id, history } of await readHistories(tx, deleted)) {
    found.set(id, null);
    histories.set(id, history);
  }
  for (const [id, history] of histories) {
    const record = shown(id);
    if (record !== undefined) known.set(id, fromHistory(record, history));
  }
  return { known, altered: [...found].map(([id, row]) => alteredRow('transactions', id, row)), hasForeign };
}

const compared = namesOf(transactionFields).filter((name) => name !== 'sourceTimestamp');
const moments = ['firstSeenAt', 'statusChangedAt', 'changedAt', 'missingSince'] as const;

/** Whether the stored record is the last one of the history, and the other columns follow from both. */
function follows(row: KnownTransaction, history: TransactionHistory, readStored?: ReadStored): boolean {
  const fits = (record: Transaction) => compared.every((name) => record[name] === row.record[name]);
  const stored = readStored === undefined ? row.record : readStored(row.record.raw, fits);
  return (
    stored !== null &&
    fits(stored) &&
    stored.contentHash === row.record.contentHash &&
    // A version that kept no digests wrote none.
    (history.digests.length === 0 || history.digests.includes(stored.contentHash)) &&
    stored.status === history.status &&
    moments.every((name) => row[name] === history[name])
  );
}

/** The content of an altered row is unknown: the observation stands for it, with the values from history. */
function fromHistory(observed: Transaction, { digests, status, ...history }: TransactionHistory) {
  const contentHash = digests.find((digest) => digest === observed.contentHash) ?? digests[0] ?? '';
  return { ...history, record: { ...observed, status, contentHash }, isAltered: true };
}

/** The columns of a row, for people. */
function asFound(row: KnownTransaction): JsonObject {
  const momentOf = (micros: Micros | null) => (micros === null ? null : microsToIso(micros));
  return Object.fromEntries([
    ...[...compared, 'contentHash' as const, 'raw' as const].map((name) => [
      columnOf(name),
      row.record[name],
    ]),
    ...moments.map((name) => [columnOf(name), momentOf(row[name])]),
  ]);
}

const recordMembers = [...namesOf(transactionFields), 'contentHash', 'raw'] as const;

/** The columns that rows bring with them. */
export function transactionColumns(rows: readonly KnownTransaction[]) {
  const records = rows.map((row) => row.record);
  return {
    ...columnsOf(records, recordMembers),
    ...columnsOf(rows, ['firstSeenAt', 'statusChangedAt', 'changedAt']),
  };
}

const overwriting = (names: SQL, excluded: SQL) => sql`
  on conflict (account_id, transaction_id) do update
  set (missing_since, first_seen_after, ${names}) = row(null, excluded.first_seen_after, ${excluded})`;

/**
 * Inserts rows. Under the fence no other writer inserts them.
 *
 * @param wereQuarantined whether one of the transactions was ever in quarantine
 * @param hasForeign whether one of the rows is there, although nobody observed it: it is overwritten
 */
export function insertTransactions(
  tx: FencedTx,
  run: Run,
  inserted: readonly KnownTransaction[],
  { wereQuarantined, hasForeign }: { readonly wereQuarantined: boolean; readonly hasForeign: boolean },
): void {
  if (inserted.length === 0) return;
  const { names, rows, excluded } = rowsOf(transactions, transactionColumns(inserted));

  const firstAfter = firstSeenAfter(tx.lease, run, sql`r.first_seen_at`, wereQuarantined);
  tx.send(
    'transactions.insert',
    () => sql`
      insert into ${transactions} (account_id, first_seen_after, ${names})
      select ${tx.lease.account}, ${firstAfter}, r.* from ${rows} as r
      ${hasForeign ? overwriting(names, excluded) : sql``}`,
  );
}

/** Overwrites rows, and restores deleted ones. Their `first_seen_after` is that of their history. */
export function overwriteTransactions(tx: FencedTx, changed: readonly KnownTransaction[]): void {
  if (changed.length === 0) return;
  const { account } = tx.lease;
  const { names, rows, excluded } = rowsOf(transactions, transactionColumns(changed));
  tx.send(
    'transactions.overwrite',
    () => sql`
      insert into ${transactions} (account_id, missing_since, first_seen_after, ${names})
      select ${account}, null,
        (select h.observed_after from ${transactionStatusHistory} h
          where h.account_id = ${hiddenFromPlanner(account)} and h.transaction_id = r.transaction_id and h.sequence = 1),
        r.*
      from ${rows} as r ${overwriting(names, excluded)}`,
  );
}
