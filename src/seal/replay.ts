// Replays history: compares every row that people read (transactions, vaults, whitelist entries) with what
// its history leads to, in both directions, in the state of the database in which history was read.
import { type SQL, sql } from 'drizzle-orm';
import { digestOfStored, readStoredTransaction, type StoredReader } from '../custody/decode/stored.ts';
import { columnOf, namesOf } from '../domain/field.ts';
import { entryAttributes, transactionFields, vaultAttributes } from '../domain/fields.ts';
import type { Transaction } from '../domain/transaction.ts';
import { historyOf, type TransactionHistory } from '../store/commit/altered-transactions.ts';
import { encodeJson } from './entry.ts';
import type { Log } from './log.ts';
import { readPresent } from './present-rows.ts';
import { asText, keyOf } from './rows.ts';
import { columnsOf, presentTables, type SealedTable } from './tables.ts';

/** A row that is not what its history leads to. */
export interface PresentFinding {
  readonly kind: 'present';
  readonly table: string;
  /** As an entry has it. */
  readonly key: readonly string[];
  /** Null where a whole row is surplus or missing. */
  readonly column: string | null;
  /** What history says, and what the table says; null for nothing. */
  readonly expected: string | null;
  readonly shown: string | null;
}

/** The text of a column. */
export type Row = (column: string) => string | null;
export type Difference = Pick<PresentFinding, 'column' | 'expected' | 'shown'>;

export interface Present {
  readonly table: SealedTable;
  /** Which rows `t`; by default all. */
  readonly which?: SQL;
  /** The key of rows that history has, and the table has not; or all of another finding. */
  readonly missing: (account: string) => SQL;
  /** The key of rows that have no history. */
  readonly added?: (account: string) => SQL;
  /** Which rows `t` began with rows of history in a range. */
  readonly began?: (account: string, range: Range) => SQL;
  /** What history says of a row `t`, as JSON. */
  readonly history: SQL;
  readonly compare: (row: Row, history: string) => Difference | null;
}

/** Numbers of history, from the one after `after` on. */
export interface Range {
  readonly after: number;
  /** Null for all, and then whole tables are compared with whole histories too. */
  readonly upTo: number | null;
}

/**
 * @param onRows how many more rows follow from history
 * @param range left out, all rows
 */
export async function replay(
  log: Log,
  onRows: (rows: number) => unknown,
  range?: Range,
): Promise<PresentFinding | null> {
  for (const present of presents) {
    const which = range && present.began?.(log.account, range);
    const part = which === undefined ? present : { ...present, which };
    const found =
      (range?.upTo == null ? await compareTables(log, present, which !== undefined) : null) ??
      (await replayRows(log, part, onRows));
    if (found !== null) return found;
  }
  return null;
}

/** Finds rows that are missing, there twice or, where not every row is looked at, without history. */
export async function compareTables(
  { ask, account }: Log,
  present: Present,
  isPart = false,
): Promise<PresentFinding | null> {
  const checks: readonly (readonly [SQL, Partial<PresentFinding>])[] = [
    [present.missing(account), { expected: 'a row' }],
    [rowsTwice(account, present), { expected: 'one row', shown: 'several' }],
    ...(isPart && present.added !== undefined ? [[present.added(account), { shown: 'a row' }] as const] : []),
  ];
  for (const [rows, said] of checks) {
    const [row] = await ask<Pick<PresentFinding, 'key'>>('seal.compare', rows);
    if (row !== undefined) return { kind: 'present', table: present.table.name, ...whole, ...said, ...row };
  }
  return null;
}

export async function replayRows(
  log: Log,
  present: Present,
  onRows: (rows: number) => unknown,
): Promise<PresentFinding | null> {
  const { table } = present;
  const places = new Map([...table.columns.keys()].map((column, n) => [column, n]));
  for await (const page of readPresent(log, present.table, present.which ?? isTrue, present.history)) {
    for (const { json, history } of page) {
      const texts: readonly (string | null)[] = JSON.parse(json);
      const row: Row = (column) => texts[places.get(column) ?? -1] ?? null;
      const difference = history === null ? { ...whole, shown: 'a row' } : present.compare(row, history);
      const key = table.key.map((column) => row(column) ?? '');
      if (difference !== null) return { kind: 'present', table: table.name, key, ...difference };
    }
    await onRows(page.length);
  }
  return null;
}

const whole = { column: null, expected: null, shown: null };

/** Only without the primary key. */
function rowsTwice(of: string, { table, which = isTrue }: Present): SQL {
  const columns = table.key.map((column) => `t."${column}"`);
  return sql`select ${sql.raw(keyOf(table, 't'))} as key from ${sql.raw(table.name)} t
    where t.account_id = ${of} and ${which} group by ${sql.raw(columns.join())} having count(*) > 1 limit 1`;
}

/** The first of the columns that is not as history says. */
export function firstDifference(
  row: Row,
  expected: Iterable<readonly [string, string | null]>,
): Difference | null {
  for (const [column, value] of expected) {
    const shown = row(column);
    if (shown !== value) return { column, expected: value, shown };
  }
  return null;
}

const text = (micros: number | null) => (micros === null ? null : String(micros));
const isTrue = sql`true`;

const ofTransaction = columnsOf(transactionFields);

function compareTransaction(read: StoredReader<Transaction>, row: Row, json: string): Difference | null {
  const history: TransactionHistory = JSON.parse(json);
  const fits = (reading: Transaction) => firstDifference(row, ofTransaction({ ...reading })) === null;
  const record = read(row('raw') ?? 'null', fits);
  if (record === null || !history.digests.includes(record.contentHash)) {
    const shown = record === null ? 'no record' : `the digest ${record.contentHash}`;
    return { column: 'raw', expected: `the digest ${history.digests.join(' or ')}`, shown };
  }
  const { firstSeenAt, firstSeenAfter, status, statusChangedAt, missingSince, changedAt } = history;
  return firstDifference(row, [
    ...ofTransaction({ ...record }),
    ['content_hash', record.contentHash],
    ['status', status],
    ['first_seen_at', text(firstSeenAt)],
    ['first_seen_after', text(firstSeenAfter)],
    ['status_changed_at', text(statusChangedAt)],
    ['missing_since', text(missingSince)],
    ...(changedAt === null ? [] : [['changed_at', text(changedAt)] as const]),
  ]);
}

function compareDocument(row: Row, json: string): Difference | null {
  const { document: sealed, ...others }: Record<string, string> & { document: string } = JSON.parse(json);
  const document = row('document') ?? 'null';
  const [expected, shown] = [digestOfStored(sealed), digestOfStored(document)];
  if (encodeJson(document) !== encodeJson(sealed))
    return { column: 'document', expected: `the digest ${expected}`, shown: `the digest ${shown}` };
  return firstDifference(row, [...Object.entries(others), ['content_hash', shown]]);
}

/** Rows that follow from the rows `h` of one history. */
function following(table: SealedTable, from: SQL, id: string, nth: string) {
  const [own, of] = [sql.raw(`t."${table.key[1]}"`), sql.raw(`h."${id}"`)];
  const rows = sql.raw(`${table.name} t`);
  const isSame = sql`h.account_id = t.account_id and ${of} = ${own}`;
  const upTo = (last: number | null) => (last === null ? sql`` : sql` and h.change_id <= ${last}`);
  return {
    table,
    missing: (
      account: string,
    ) => sql`select array[h.account_id, ${of}] as key ${from} and h.account_id = ${account}
      and not exists (select from ${rows} where ${isSame}) limit 1`,
    added: (account: string) => sql`select array[t.account_id, ${own}] as key from ${rows}
      where t.account_id = ${account} and not exists (select ${from} and ${isSame}) limit 1`,
    began: (
      account: string,
      range: Range,
    ) => sql`${own} in (select ${of} ${from} and h.account_id = ${account}
      and h."${sql.raw(nth)}" = 1 and h.change_id > ${range.after}${upTo(range.upTo)})`,
  };
}

function documents(table: SealedTable, kind: string, attributes: readonly string[]): Present {
  const id = sql.raw(`t."${table.key[1]}"`);
  const from = sql.raw(`from custody.document_revisions h where h.kind = '${kind}'`);
  const revisions = sql`${from} and h.account_id = t.account_id and h.document_id = ${id}`;
  const columns = attributes.map((name) => `'${name}', l."${name}"`).join();
  const at = sql.raw(asText('l.observed_at', 'moment'));
  return {
    ...following(table, from, 'document_id', 'revision'),
    history: sql`(
      select json_build_object(${sql.raw(columns)}, 'document', l.document::text, 'changed_at', ${at},
        'missing_since', case when l.change = 'removed' then ${at} end,
        'first_seen_at', ${sql.raw(asText('f.observed_at', 'moment'))})
      from (select h.* ${revisions} order by h.revision desc limit 1) l
      join (select h.observed_at ${revisions} order by h.revision limit 1) f on true)`,
    compare: compareDocument,
  };
}

const [transactions, vaults, entries] = presentTables as readonly [SealedTable, SealedTable, SealedTable];

const statuses = sql`from custody.transaction_status_history h where true`;

export function presentTransactions(read: StoredReader<Transaction>): Present {
  return {
    ...following(transactions, statuses, 'transaction_id', 'sequence'),
    history: historyOf(sql`t.account_id`, sql`t.transaction_id`),
    compare: (row, history) => compareTransaction(read, row, history),
  };
}

const presents: readonly Present[] = [
  presentTransactions(readStoredTransaction),
  documents(vaults, 'vault', namesOf(vaultAttributes).map(columnOf)),
  documents(entries, 'whitelist_entry', namesOf(entryAttributes).map(columnOf)),
];
