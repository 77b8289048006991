// The SQL of the sealed history: its rows by their numbers, as texts, and where a row is.
import { type SQL, sql } from 'drizzle-orm';
import type { Tx } from '../store/postgres/transaction.ts';
import {
  type ColumnType,
  type IntervalTableName,
  intervalTables,
  type SealedTable,
  type SealedTableName,
  sealedTables,
} from './tables.ts';

/** Runs one statement that only reads. */
export type Ask = Tx['ask'];

export interface Span {
  readonly account: string;
  /** The number after which it begins. */
  readonly after: number;
  /** The last number of it. */
  readonly upTo: number;
}

/** A row with its columns as texts, and its number as `place`. */
export type TextRow = Record<string, string | null>;

/** The most rows of a page. */
const pageRows: Readonly<Record<SealedTableName, number>> = {
  'custody.transaction_status_history': 1_000,
  'custody.transaction_revisions': 1_000,
  'custody.document_revisions': 200,
  'custody.balance_snapshots': 1_000,
  'sync.seal_thinned': 20,
};
const markersOfPage = 4_000;
/** What a row weighs, about in stored bytes: a document may be large, and many balances change at once. */
const weights: Readonly<Record<string, string>> = {
  'custody.transaction_revisions': 'pg_column_size(s.before) + pg_column_size(s.after)',
  'custody.document_revisions': 'pg_column_size(s.document)',
  'custody.balance_snapshots': '100 * s.changed_count',
};
/** A page ends before the row with which it would weigh more, so that no history fills the memory. */
const weightOfPage = 2_000_000;

/** Of rows that were thinned together, their numbers, and when that was. */
const thinned = `json_agg(json_build_array(h.change_id, ${micros('h.thinned_at')}) order by h.change_id)::text`;

/** The first rows of the span. Those with the same number, which no writer makes, are on one page. */
export function selectPage(table: SealedTableName, span: Span): SQL {
  const first = sql.raw(`fetch first ${pageRows[table]} rows with ties`);
  const columns = asTexts(sealedTables[table].columns);
  if (table === 'sync.seal_thinned')
    return sql`
      select h.thinning_id::text as place, h.thinning_id::text, ${sql.raw(thinned)} as thinned
      from sync.seal_thinned h where ${within(span, 'h.thinning_id')}
      group by h.thinning_id order by h.thinning_id ${first}`;
  return sql`
    select h.change_id::text as place, ${columns} from (
      select s.*, sum(${sql.raw(weights[table] ?? '0')}) over upto as weight, rank() over upto as nth
      from (select * from ${sql.raw(table)} h where ${within(span, 'h.change_id')} order by h.change_id ${first}) as s
      window upto as (order by s.change_id)
    ) as h where h.nth = 1 or h.weight <= ${weightOfPage} order by h.change_id`;
}

/** The numbers of the first rows of the span that were thinned. */
export function selectMarkers(span: Span): SQL {
  return sql`
    select h.change_id::text as place from sync.seal_thinned h
    where ${within(span, 'h.change_id')} order by h.change_id limit ${sql.raw(String(markersOfPage))}`;
}

/** The intervals that begin or end with the snapshots of the span; the snapshot as vault type and moment. */
export function selectIntervals(
  table: IntervalTableName,
  moment: 'valid_from' | 'valid_to',
  span: Span,
): SQL {
  return sql`
    select h.vault_type || ' ' || ${sql.raw(micros('s.snapshot_at'))} as snapshot, ${asTexts(intervalTables[table].columns)}
    from custody.balance_snapshots s
    join ${sql.raw(table)} h on h.account_id = s.account_id and h.vault_type = s.vault_type and h.${sql.raw(moment)} = s.snapshot_at
    where ${within(span, 's.change_id')}
    order by s.change_id, h.asset_id collate "C", h.network_id collate "C", h.valid_from`;
}

function within({ account, after, upTo }: Span, number: string): SQL {
  const [of, column] = [sql.raw(number.split('.')[0] ?? ''), sql.raw(number)];
  return sql`${of}.account_id = ${account} and ${column} > ${after} and ${column} <= ${upTo}`;
}

/** The columns as texts, in the form in which they are encoded. */
function asTexts(columns: Readonly<Record<string, ColumnType>>): SQL {
  const stored = Object.entries(columns).filter(([, type]) => type !== 'rows');
  return sql.raw(stored.map(([name, type]) => `${asText(`h."${name}"`, type)} as "${name}"`).join(', '));
}

function asText(column: string, type: ColumnType): string {
  if (type === 'text') return column;
  if (type === 'moment') return micros(column);
  return type === 'texts' ? `to_json(${column})::text` : `${column}::text`;
}

/** A moment that is not finite, which no writer makes, stays a word. */
function micros(column: string): string {
  return `case when isfinite(${column}) then trim_scale(extract(epoch from ${column}) * 1000000)::text else ${column}::text end`;
}

function numberOf(table: string): string {
  return table === 'sync.seal_thinned' ? 'thinning_id' : 'change_id';
}

/** The last number of the next so many rows after the number; null where there is none. */
export async function readBatchEnd(
  ask: Ask,
  account: string,
  after: number,
  count: number,
): Promise<number | null> {
  const most = sql.raw(String(count));
  const branches = Object.keys(sealedTables).map((table) => {
    const column = sql.raw(numberOf(table));
    return sql`(select distinct h.${column} as change_id from ${sql.raw(table)} h
      where h.account_id = ${account} and h.${column} > ${after} order by h.${column} limit ${most})`;
  });
  const [row] = await ask<{ last: string | null }>(
    'seal.batch-end',
    sql`select max(change_id)::text as last from (
      select change_id from (${sql.join(branches, sql` union all `)}) as b order by change_id limit ${most}) as n`,
  );
  return row?.last == null ? null : Number(row.last);
}

/** The number of the row with a key, as an entry has it; null where there is none. */
export async function readPlace(
  ask: Ask,
  account: string,
  table: SealedTableName,
  [, ...values]: readonly string[],
): Promise<number | null> {
  const { key, columns } = sealedTables[table];
  const types: Readonly<Record<string, ColumnType>> = columns;
  const same = key.map((name, n) => {
    const text = asText(`h."${name}"`, types[name] ?? 'text');
    const value = values[n] ?? '';
    // An entry has the digest of a long text.
    const digest = `'sha256:' || encode(sha256(convert_to(${text}, 'UTF8')), 'hex')`;
    return sql` and ${value} in (${sql.raw(value.startsWith('sha256:') ? `${text}, ${digest}` : text)})`;
  });
  const number = sql.raw(numberOf(table));
  const [row] = await ask<{ place: string }>(
    'seal.place',
    sql`select h.${number}::text as place from ${sql.raw(table)} h where h.account_id = ${account}${sql.join(same)} limit 1`,
  );
  return row === undefined ? null : Number(row.place);
}

/** A row that no leaf holds: with no number above 0, or a balance that begins or ends with no snapshot. */
export async function readOrphan(ask: Ask, account: string) {
  const rows = ([table, { key, columns }]: [string, SealedTable], condition: string) => {
    const named = key.map((name) => `${asText(`h."${name}"`, columns[name] ?? 'text')}::text`);
    return sql`(
      select ${table} as "table", array[${sql.raw(named.join(', '))}] as key from ${sql.raw(table)} h
      where h.account_id = ${account} and ${sql.raw(condition)} limit 1)`;
  };
  const snapshotOf = (moment: string) =>
    `exists (select from custody.balance_snapshots s where s.account_id = h.account_id and s.vault_type = h.vault_type and s.snapshot_at = h.${moment})`;
  const each = [
    ...Object.entries(sealedTables).map((table) => rows(table, `coalesce(h.${numberOf(table[0])}, 0) < 1`)),
    ...Object.entries(intervalTables).flatMap((table) => [
      rows(table, `not ${snapshotOf('valid_from')}`),
      rows(table, `h.valid_to is not null and not ${snapshotOf('valid_to')}`),
    ]),
  ];
  const [row] = await ask<{ table: string; key: string[] }>(
    'seal.orphan',
    sql`${sql.join(each, sql` union all `)} limit 1`,
  );
  return row === undefined ? null : { table: row.table, key: [account, ...row.key] };
}
