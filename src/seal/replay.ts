// Replays history: compares every row that people read (transactions, vaults, whitelist entries) with what
// its history leads to, in both directions, in the state of the database in which history was read.
import { type SQL, sql } from 'drizzle-orm';
import { digestOfStored, readStoredTransaction } from '../custody/decode/stored.ts';
import { columnOf, type Fields, namesOf } from '../domain/field.ts';
import { entryAttributes, transactionFields, vaultAttributes } from '../domain/fields.ts';
import { historyOf, type TransactionHistory } from '../store/commit/transaction-tampering.ts';
import { momentOfText } from '../store/values/micros.ts';
import { encodeJson } from './encoding.ts';
import type { Log } from './log.ts';
import { asText, keyOf } from './rows.ts';
import { presentTables, type SealedTable } from './tables.ts';

/** A row that is not what its history leads to. */
export interface PresentFinding {
  readonly kind: 'present';
  readonly table: string;
  /** As an entry has it. */
  readonly key: readonly string[];
  /** Null where the whole row is too many, or missing. */
  readonly column: string | null;
  /** What history says, and what the table says; null for nothing. */
  readonly expected: string | null;
  readonly shown: string | null;
}

export type Row = Readonly<Record<string, string | null>>;
export type Difference = Pick<PresentFinding, 'column' | 'expected' | 'shown'>;

export interface Present {
  readonly table: SealedTable;
  /** Which rows `t`; by default all. */
  readonly which?: SQL;
  /** The key of rows that history has, and the table has not; or all of another finding. */
  readonly missing: (account: string) => SQL;
  /** What history says of a row `t`, as JSON. */
  readonly history: SQL;
  readonly compare: (row: Row, history: string) => Difference | null;
}

/** So few that the largest records fit into memory. */
const rowsAtOnce = 250;

/** @param onRows how many rows follow from history so far */
export async function replay(log: Log, onRows: (rows: number) => unknown): Promise<PresentFinding | null> {
  let rows = 0;
  for (const present of presents) {
    const found = await replayTable(log, present, async (more) => {
      rows += more;
      await onRows(rows);
    });
    if (found !== null) return found;
  }
  return null;
}

export async function replayTable(
  log: Log,
  present: Present,
  onRows: (rows: number) => unknown,
): Promise<PresentFinding | null> {
  const { table, missing } = present;
  const found = { kind: 'present', table: table.name, ...whole } as const;
  const [gone] = await log.ask<Pick<PresentFinding, 'key'>>('seal.missing', missing(log.account));
  if (gone !== undefined) return { ...found, expected: 'a row', ...gone };
  const [twice] = await log.ask<Pick<PresentFinding, 'key'>>('seal.twice', rowsTwice(log.account, present));
  if (twice !== undefined) return { ...found, ...twice, expected: 'one row', shown: 'several' };
  for await (const page of readPresent(log, present)) {
    for (const row of page) {
      const { history } = row;
      const difference = history == null ? { ...whole, shown: 'a row' } : present.compare(row, history);
      const key = table.key.map((column) => row[column] ?? '');
      if (difference !== null) return { ...found, key, ...difference };
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

/** By a cursor, which depends on no order of texts. The next page is read while one is compared. */
async function* readPresent({ ask, account }: Log, { table, which = isTrue, history }: Present) {
  const select = [...table.columns].map(
    ([column, type]) => `${asText(`t."${column}"`, type)} as "${column}"`,
  );
  await ask(
    'seal.present',
    sql`declare present no scroll cursor for
      select ${sql.raw(select.join())}, ${history}::text as history from ${sql.raw(table.name)} t
      where t.account_id = ${account} and ${which}`,
  );
  const fetch = () => ask<Row>('seal.present-page', sql.raw(`fetch ${rowsAtOnce} from present`));
  let next = fetch();
  for (let rows = await next; rows.length > 0; rows = await next) {
    next = fetch();
    next.catch(() => undefined);
    yield rows;
  }
  await ask('seal.present-end', sql`close present`);
}

/** The first of the columns that is not as history says. */
export function firstDifference(
  row: Row,
  expected: Iterable<readonly [string, string | null]>,
): Difference | null {
  for (const [column, value] of expected) {
    const shown = row[column] ?? null;
    if (shown !== value) return { column, expected: value, shown };
  }
  return null;
}

const text = (micros: number | null) => (micros === null ? null : String(micros));
const isTrue = sql`true`;

/** Gives the columns of a table of fields, with what a record that was read again holds. */
export function columnsOf(table: Fields) {
  const columns = namesOf(table).map(
    (name) => [name, columnOf(name), table[name]?.kind === 'moment'] as const,
  );
  return (record: Readonly<Record<string, unknown>>) =>
    columns.map(([name, column, isMoment]) => {
      const value = typeof record[name] === 'string' ? record[name] : null;
      return [column, isMoment && value !== null ? momentOfText(value) : value] as const;
    });
}

const ofTransaction = columnsOf(transactionFields);

function compareTransaction(row: Row, json: string): Difference | null {
  const history: TransactionHistory = JSON.parse(json);
  const record = readStoredTransaction(row['raw'] ?? 'null');
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
  const document = row['document'] ?? 'null';
  const [expected, shown] = [digestOfStored(sealed), digestOfStored(document)];
  if (encodeJson(document) !== encodeJson(sealed))
    return { column: 'document', expected: `the digest ${expected}`, shown: `the digest ${shown}` };
  return firstDifference(row, [...Object.entries(others), ['content_hash', shown]]);
}

function documents(table: SealedTable, kind: string, attributes: readonly string[]): Present {
  const id = sql.raw(`t."${table.key[1]}"`);
  const revisions = sql`from custody.document_revisions h where h.account_id = t.account_id
    and h.kind = ${sql.raw(`'${kind}'`)} and h.document_id = ${id}`;
  const columns = attributes.map((name) => `'${name}', l."${name}"`).join();
  const at = sql.raw(asText('l.observed_at', 'moment'));
  return {
    table,
    missing: (of) => sql`
      select array[h.account_id, h.document_id] as key from custody.document_revisions h
      where h.account_id = ${of} and h.kind = ${kind} and not exists (
        select from ${sql.raw(table.name)} t where t.account_id = h.account_id and ${id} = h.document_id) limit 1`,
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

const presents: readonly Present[] = [
  {
    table: transactions,
    missing: (of) => sql`
      select array[h.account_id, h.transaction_id] as key from custody.transaction_status_history h
      where h.account_id = ${of} and not exists (select from custody.transactions t
        where t.account_id = h.account_id and t.transaction_id = h.transaction_id) limit 1`,
    history: historyOf(sql`t.account_id`, sql`t.transaction_id`),
    compare: compareTransaction,
  },
  documents(vaults, 'vault', namesOf(vaultAttributes).map(columnOf)),
  documents(entries, 'whitelist_entry', namesOf(entryAttributes).map(columnOf)),
];
