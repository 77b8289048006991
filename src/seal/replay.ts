// Replays history: compares every row that people read (transactions, vaults, whitelist entries) with what its
// history leads to, in both directions, in the state of the database in which history was read. History is
// gathered by key while it is read (reading.ts), a slice of the keys at a time; nothing is in any order.
import { sha256 } from '../base/encoded-values.ts';
import { digestOfStored, readStoredTransaction, type StoredReader } from '../custody/decode/stored.ts';
import { columnOf, namesOf } from '../domain/field.ts';
import { entryAttributes, transactionFields, vaultAttributes } from '../domain/fields.ts';
import type { Transaction } from '../domain/transaction.ts';
import { type EntryRead, encodeJson } from './entry.ts';
import { isInSlice, isNumber, type Reader, type Slice } from './reading.ts';
import { columnsOf, presentTables, type SealedTable, sealedTables, snapshotTable } from './tables.ts';

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

/** A row that no leaf can hold: its number is impossible, or a balance begins or ends without a snapshot. */
type OrphanFinding = Pick<EntryRead, 'table' | 'key'> & { readonly kind: 'inserted' };

const [statuses, revisions, documents] = sealedTables as readonly [SealedTable, SealedTable, SealedTable];
const [transactions, vaults, entries] = presentTables as readonly [SealedTable, SealedTable, SealedTable];

/** What is kept of the history of one transaction: its first and last rows. */
interface TransactionSeen {
  isShown: boolean;
  first: { readonly nth: number; readonly at: number; readonly after: string | null } | null;
  last: {
    readonly nth: number;
    readonly at: number;
    readonly readAt: number;
    readonly hash: string | null;
    readonly status: string;
  } | null;
  revision: { readonly nth: number; readonly at: string; readonly hash: string | null } | null;
  /** The last one of content. */
  content: { readonly nth: number; readonly at: number; readonly hash: string } | null;
}

interface DocumentSeen {
  isShown: boolean;
  first: { readonly nth: number; readonly at: string | null } | null;
  last: {
    readonly nth: number;
    readonly columns: readonly (readonly [string, string | null])[];
    readonly document: string;
    readonly digest: string | null;
  } | null;
}

const whole = { column: null, expected: null, shown: null };
const isHeld = new Set(['vault', 'whitelist_entry']);
const attributesOf = {
  vault: namesOf(vaultAttributes).map(columnOf),
  whitelist_entry: namesOf(entryAttributes).map(columnOf),
} as const;

/** @param read reads the stored record of a transaction */
export function createReplay(slice: Slice, read: StoredReader<Transaction> = readStoredTransaction) {
  const seen = new Map<string, TransactionSeen>();
  const kinds = { vault: new Map<string, DocumentSeen>(), whitelist_entry: new Map<string, DocumentSeen>() };
  const snapshots = new Set<string>();
  let orphan: OrphanFinding | PresentFinding | null = null;
  const ofTransaction = (id: string): TransactionSeen => {
    const found = seen.get(id);
    if (found !== undefined) return found;
    const added: TransactionSeen = { isShown: false, first: null, last: null, revision: null, content: null };
    seen.set(id, added);
    return added;
  };
  return {
    onRow(table: SealedTable, text: Row): void {
      if (slice.nth === 0 && !isNumber(Number(text('change_id') ?? 0))) {
        const key = table.key.map((column) => text(column) ?? '');
        orphan ??= { kind: 'inserted', table: table.name, key };
      }
      if (table === snapshotTable) {
        const key = `${text('vault_type')}\0${text('snapshot_at')}`;
        if (isInSlice(slice, key)) snapshots.add(key);
        return;
      }
      const id = text(table === documents ? 'document_id' : 'transaction_id') ?? '';
      if (!isInSlice(slice, id)) return;
      if (table === statuses) takeStatus(ofTransaction(id), text);
      else if (table === revisions) takeRevision(ofTransaction(id), text);
      else takeDocument(kinds, id, text);
    },
    onInterval(table: SealedTable, text: Row): void {
      for (const moment of ['valid_from', 'valid_to'] as const) {
        const at = text(moment);
        if (at === null && moment === 'valid_to') continue;
        const snapshot = `${text('vault_type')}\0${at}`;
        if (!isInSlice(slice, snapshot) || snapshots.has(snapshot)) continue;
        const key = table.key.map((column) => text(column) ?? '');
        const named = { table: table.name, key };
        orphan ??=
          moment === 'valid_from'
            ? { kind: 'inserted', ...named }
            : { kind: 'present', ...named, column: moment, expected: 'the time of a snapshot', shown: at };
      }
    },
    /** @param onRow called for each row that follows from its history */
    async compare(reader: Reader, onRow: () => void): Promise<OrphanFinding | PresentFinding | null> {
      if (orphan !== null) return orphan;
      const compared = { reader, slice, onRow };
      return (
        (await compareTable(compared, transactions, seen, (history, row) =>
          compareTransaction(read, row, history),
        )) ??
        (await compareTable(compared, vaults, kinds.vault, compareDocument)) ??
        (await compareTable(compared, entries, kinds.whitelist_entry, compareDocument))
      );
    },
  };
}

function takeStatus(seen: TransactionSeen, text: Row): void {
  const [nth, at] = [Number(text('sequence')), Number(text('observed_at'))];
  if (seen.first === null || nth < seen.first.nth) seen.first = { nth, at, after: text('observed_after') };
  if (seen.last === null || nth > seen.last.nth)
    seen.last = {
      nth,
      at,
      readAt: Number(text('read_at') ?? at),
      hash: text('content_hash'),
      status: text('to_status') ?? '',
    };
}

function takeRevision(seen: TransactionSeen, text: Row): void {
  const [nth, hash] = [Number(text('revision')), text('content_hash')];
  if (seen.revision === null || nth > seen.revision.nth)
    seen.revision = { nth, at: text('observed_at') ?? '', hash };
  if (hash !== null && (seen.content === null || nth > seen.content.nth))
    seen.content = { nth, at: Number(text('observed_at')), hash };
}

function takeDocument(
  kinds: Readonly<Record<keyof typeof attributesOf, Map<string, DocumentSeen>>>,
  id: string,
  text: Row,
): void {
  const kind = text('kind') ?? '';
  if (!isHeld.has(kind)) return;
  const known = kind === 'vault' ? kinds.vault : kinds.whitelist_entry;
  const seen = known.get(id) ?? { isShown: false, first: null, last: null };
  known.set(id, seen);
  const [nth, at] = [Number(text('revision')), text('observed_at')];
  if (seen.first === null || nth < seen.first.nth) seen.first = { nth, at };
  if (seen.last !== null && nth <= seen.last.nth) return;
  const attributes = attributesOf[kind === 'vault' ? 'vault' : 'whitelist_entry'];
  const columns = attributes.map((column) => [column, text(column)] as const);
  const missing = ['missing_since', text('change') === 'removed' ? at : null] as const;
  const document = text('document') ?? 'null';
  seen.last = {
    nth,
    columns: [...columns, ['changed_at', at], missing],
    document: sha256(encodeJson(document)),
    digest: digestOfStored(document),
  };
}

/** Both ways: each row has a history, and each history its row. */
async function compareTable<Seen extends { isShown: boolean }>(
  { reader, slice, onRow }: { readonly reader: Reader; readonly slice: Slice; readonly onRow: () => void },
  table: SealedTable,
  seen: ReadonlyMap<string, Seen>,
  compare: (history: Seen, row: Row) => Difference | null,
): Promise<PresentFinding | null> {
  const id = table.key[1] ?? '';
  const columns = [...table.columns.keys()].filter((column) => column !== 'account_id');
  const places = new Map(columns.map((column, n) => [column, n]));
  const found: { twice?: PresentFinding; different?: PresentFinding } = {};
  const named = (key: string) =>
    ({ kind: 'present', table: table.name, key: [reader.account, key] }) as const;
  await reader.scan(table, columns, (copied) => {
    const row: Row = (column) => copied.text(places.get(column) ?? -1);
    const key = row(id) ?? '';
    if (!isInSlice(slice, key)) return;
    const history = seen.get(key);
    if (history?.isShown === true)
      found.twice ??= { ...named(key), ...whole, expected: 'one row', shown: 'several' };
    if (history !== undefined) history.isShown = true;
    if (found.different !== undefined) return;
    const difference = history === undefined ? { ...whole, shown: 'a row' } : compare(history, row);
    if (difference === null) onRow();
    else found.different = { ...named(key), ...difference };
  });
  for (const [key, { isShown }] of seen) if (!isShown) return { ...named(key), ...whole, expected: 'a row' };
  return found.twice ?? found.different ?? null;
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

const ofTransaction = columnsOf(transactionFields);

function compareTransaction(
  read: StoredReader<Transaction>,
  row: Row,
  seen: TransactionSeen,
): Difference | null {
  const { first, last, revision, content } = seen;
  if (first === null || last === null) return { ...whole, shown: 'a row' };
  const digests = [
    content === null || last.at >= content.at ? last.hash : null,
    content !== null && content.at >= last.at ? content.hash : null,
  ].filter((digest) => digest !== null);
  const fits = (reading: Transaction) => firstDifference(row, ofTransaction({ ...reading })) === null;
  const record = read(row('raw') ?? 'null', fits);
  if (record === null || !digests.includes(record.contentHash)) {
    const shown = record === null ? 'no record' : `the digest ${record.contentHash}`;
    return { column: 'raw', expected: `the digest ${digests.join(' or ')}`, shown };
  }
  return firstDifference(row, [
    ...ofTransaction({ ...record }),
    ['content_hash', record.contentHash],
    ['status', last.status],
    ['first_seen_at', String(first.at)],
    ['first_seen_after', first.after],
    ['status_changed_at', String(last.at)],
    ['missing_since', revision !== null && revision.hash === null ? revision.at : null],
    ['changed_at', String(Math.max(last.at, last.readAt, content?.at ?? last.at))],
  ]);
}

function compareDocument({ first, last }: DocumentSeen, row: Row): Difference | null {
  if (last === null) return { ...whole, shown: 'a row' };
  const document = row('document') ?? 'null';
  const shown = digestOfStored(document);
  if (sha256(encodeJson(document)) !== last.document)
    return { column: 'document', expected: `the digest ${last.digest}`, shown: `the digest ${shown}` };
  return firstDifference(row, [
    ...last.columns,
    ['first_seen_at', first?.at ?? null],
    ['content_hash', shown],
  ]);
}
