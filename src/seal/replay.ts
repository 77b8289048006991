// Replays history: compares every row that people read (transactions, vaults, whitelist entries) with what its
// history leads to, in both directions. Sees the same state of the database as the rows of the history.
import { type SQL, sql } from 'drizzle-orm';
import { digestOfStored, readStoredTransaction } from '../custody/decode/stored.ts';
import { columnOf, namesOf } from '../domain/field.ts';
import { entryAttributes, transactionFields, vaultAttributes } from '../domain/fields.ts';
import { historyOf, type TransactionHistory } from '../store/commit/transaction-tampering.ts';
import { momentOfText } from '../store/values/micros.ts';
import { encodeJson } from './encoding.ts';
import type { Log } from './log.ts';
import { type Ask, asText } from './rows.ts';
import { presentTables, type SealedTable } from './tables.ts';

/** A row that is not what its history leads to. */
export interface PresentFinding {
  readonly kind: 'present';
  readonly table: string;
  /** As an entry has it. */
  readonly key: readonly string[];
  /** Null where the whole row is too many, or missing. */
  readonly column: string | null;
  /** What the history says; null for nothing. */
  readonly told: string | null;
  /** What the table says; null for nothing. */
  readonly shown: string | null;
}

export interface Replay {
  readonly finding: PresentFinding | null;
  /** How many rows follow from history. */
  readonly rows: number;
}

export interface ReplayOptions {
  readonly signal: AbortSignal;
  readonly onRows?: (rows: number) => unknown;
}

type Row = Readonly<Record<string, string | null>>;
/** A column that differs. */
type Difference = Pick<PresentFinding, 'column' | 'told' | 'shown'>;

interface Present {
  readonly table: SealedTable;
  /** The key of rows that history has, and the table has not; `t` is the table. */
  readonly missing: (account: string) => SQL;
  /** What history says of a row `t`, as JSON. */
  readonly history: SQL;
  readonly compare: (row: Row, history: string) => Difference | null;
}

/** So few that the largest records fit into memory. */
const rowsAtOnce = 250;

export async function replay(log: Log, { signal, onRows }: ReplayOptions): Promise<Replay> {
  let rows = 0;
  for (const present of presents) {
    const { table } = present;
    const [key] = await log.ask<{ key: string[] }>('seal.missing', present.missing(log.account));
    const whole = { kind: 'present', table: table.name, column: null } as const;
    if (key !== undefined) return { finding: { ...whole, key: key.key, told: 'a row', shown: null }, rows };
    for await (const page of readPresent(log, present)) {
      signal.throwIfAborted();
      for (const row of page) {
        const { history } = row;
        const named = table.key.map((column) => row[column] ?? '');
        if (history == null) return { finding: { ...whole, key: named, told: null, shown: 'a row' }, rows };
        const difference = present.compare(row, history);
        if (difference !== null) return { finding: { ...whole, key: named, ...difference }, rows };
        rows += 1;
      }
      await onRows?.(rows);
    }
  }
  return { finding: null, rows };
}

/** By a cursor, which depends on no order of texts. The next page is read while one is compared. */
async function* readPresent(
  { ask, account }: Log,
  { table, history }: Present,
): AsyncGenerator<readonly Row[]> {
  const select = [...table.columns].map(
    ([column, type]) => `${asText(`t."${column}"`, type)} as "${column}"`,
  );
  await ask(
    'seal.present',
    sql`declare present no scroll cursor for
      select ${sql.raw(select.join())}, ${history}::text as history from ${sql.raw(table.name)} t
      where t.account_id = ${account}`,
  );
  let next = fetchRows(ask);
  for (let rows = await next; rows.length > 0; rows = await next) {
    next = fetchRows(ask);
    next.catch(() => undefined);
    yield rows;
  }
  await ask('seal.present-end', sql`close present`);
}

async function fetchRows(ask: Ask): Promise<readonly Row[]> {
  return await ask<Row>('seal.present-page', sql.raw(`fetch ${rowsAtOnce} from present`));
}

/** The first of the columns that is not as history says. */
function firstDifference(row: Row, told: Iterable<readonly [string, string | null]>): Difference | null {
  for (const [column, value] of told) {
    const shown = row[column] ?? null;
    if (shown !== value) return { column, told: value, shown };
  }
  return null;
}

const text = (micros: number | null) => (micros === null ? null : String(micros));
const fields = namesOf(transactionFields);

function compareTransaction(row: Row, json: string): Difference | null {
  const history: TransactionHistory = JSON.parse(json);
  const raw = row['raw'] ?? '';
  const digest = digestOfStored(raw);
  if (digest === null || !history.digests.includes(digest))
    return {
      column: 'raw',
      told: `the digest ${history.digests.join(' or ')}`,
      shown: `the digest ${digest}`,
    };
  const record = readStoredTransaction(raw);
  if (record === null) return { column: 'raw', told: 'a record', shown: 'none' };
  const { firstSeenAt, firstSeenAfter, status, statusChangedAt, missingSince, changedAt } = history;
  return firstDifference(row, [
    ...fields.map((name) => {
      const value = record[name];
      const isMoment = transactionFields[name].kind === 'moment';
      return [columnOf(name), isMoment && value !== null ? momentOfText(value) : value] as const;
    }),
    ['content_hash', digest],
    ['status', status],
    ['first_seen_at', text(firstSeenAt)],
    ['first_seen_after', text(firstSeenAfter)],
    ['status_changed_at', text(statusChangedAt)],
    ['missing_since', text(missingSince)],
    ...(changedAt === null ? [] : [['changed_at', text(changedAt)] as const]),
  ]);
}

interface DocumentHistory extends Readonly<Record<string, string | null>> {
  readonly document: string;
}

function compareDocument(row: Row, json: string): Difference | null {
  const history: DocumentHistory = JSON.parse(json);
  const document = row['document'] ?? '';
  const [told, shown] = [digestOfStored(history.document), digestOfStored(document)];
  if (encodeJson(document) !== encodeJson(history.document))
    return { column: 'document', told: `the digest ${told}`, shown: `the digest ${shown}` };
  const { document: _, ...others } = history;
  return firstDifference(row, [...Object.entries(others), ['content_hash', shown]]);
}

const account = sql`t.account_id`;

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
    history: historyOf(account, sql`t.transaction_id`),
    compare: compareTransaction,
  },
  documents(vaults, 'vault', namesOf(vaultAttributes).map(columnOf)),
  documents(entries, 'whitelist_entry', namesOf(entryAttributes).map(columnOf)),
];
