// Replays history: compares every row that people read (transactions, vaults, whitelist entries) with what its
// history leads to, in both directions, in the state of the database in which history was read. History is
// gathered by key while it is read (reading.ts), a slice of the keys at a time; nothing is in any order.
import { sha256 } from '../base/encoded-values.ts';
import { digestOfStored, readStoredTransaction, type StoredReader } from '../custody/decode/stored.ts';
import { columnOf, entryAttributes, namesOf, transactionFields, vaultAttributes } from '../domain/fields.ts';
import type { Transaction } from '../domain/transaction.ts';
import { type EntryRead, encodeJson } from './entry.ts';
import { isNumber, keptOfFull, keyOfSnapshot, type Reader, roomOfPass } from './reading.ts';
import type { Row } from './rows.ts';
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

export type Difference = Pick<PresentFinding, 'column' | 'expected' | 'shown'>;

/** A row that no leaf can hold: its number is impossible, or a balance begins or ends without a snapshot. */
type OrphanFinding = Pick<EntryRead, 'table' | 'key'> & { readonly kind: 'inserted' };

const [statuses, revisions, documents] = sealedTables as readonly [SealedTable, SealedTable, SealedTable];
const [transactions, vaults, entries] = presentTables as readonly [SealedTable, SealedTable, SealedTable];

interface DocumentSeen {
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

/** Keys are divided by hashes of so many values. */
export const hashes = 2 ** 32;

function hashOf(key: string): number {
  let hash = 0;
  for (let n = 0; n < key.length; n += 1) hash = (Math.imul(hash, 31) + key.charCodeAt(n)) | 0;
  return Math.imul(hash ^ (hash >>> 15), 0x85ebca6b) >>> 0;
}

/**
 * Compares the keys from a hash on, as many as there is room for.
 *
 * @param read reads the stored record of a transaction
 */
export function createReplay(from = 0, read: StoredReader<Transaction> = readStoredTransaction) {
  let below = hashes;
  const seen = createTransactionsSeen();
  const kinds = { vault: new Map<string, DocumentSeen>(), whitelist_entry: new Map<string, DocumentSeen>() };
  const keys = [seen.rows, kinds.vault, kinds.whitelist_entry];
  let orphan: OrphanFinding | PresentFinding | null = null;
  const isWanted = (key: string) => {
    const hash = hashOf(key);
    return hash >= from && hash < below;
  };
  const count = () => keys.reduce((sum, { size }) => sum + size, 0);
  const makeRoom = () => {
    while (count() > roomOfPass.keys && below - from > 1) {
      below = from + Math.floor(keptOfFull * (below - from));
      for (const each of keys) for (const key of each.keys()) if (!isWanted(key)) each.delete(key);
      seen.compact();
    }
  };
  return {
    /** The first hash of the next pass. */
    below: () => below,
    onRow(table: SealedTable, text: Row): void {
      const number = Number(text('change_id') ?? 0);
      if (!isNumber(number))
        orphan ??= {
          kind: 'inserted',
          table: table.name,
          key: table.key.map((column) => text(column) ?? ''),
        };
      if (table === snapshotTable) return;
      const id = text(table === documents ? 'document_id' : 'transaction_id') ?? '';
      if (!isWanted(id)) return;
      if (table === statuses) takeStatus(seen, id, text);
      else if (table === revisions) takeRevision(seen, id, text);
      else takeDocument(kinds, id, text);
      makeRoom();
    },
    isWanted,
    onInterval(table: SealedTable, text: Row, isSnapshot: (key: string) => boolean): void {
      for (const moment of ['valid_from', 'valid_to'] as const) {
        const at = text(moment);
        if (at === null && moment === 'valid_to') continue;
        const snapshot = keyOfSnapshot(text('vault_type'), at);
        if (!isWanted(snapshot) || isSnapshot(snapshot)) continue;
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
      const compared = { reader, isWanted, onRow };
      return (
        (await compareTable(compared, transactions, seen.rows, (row, text) =>
          compareTransaction(read, text, seen, row),
        )) ??
        (await compareTable(compared, vaults, kinds.vault, compareDocument)) ??
        (await compareTable(compared, entries, kinds.whitelist_entry, compareDocument))
      );
    },
  };
}

/** What is kept of the history of a transaction: numbers of its first and last rows, and digests. */
const first = { nth: 0, at: 1, after: 2 };
const last = { nth: 3, at: 4, readAt: 5, digest: 0 };
const revision = { nth: 6, missingSince: 7 };
const content = { nth: 8, at: 9, digest: 1 };
const [width, digests] = [10, 2];
/** Its length, and one character more than a digest has: what is longer is none, and is kept cut. */
const digestWidth = 45;

/** By key. As objects they would take three times as much. */
function createTransactionsSeen() {
  const rows = new Map<string, number>();
  /** Each status once. */
  const words = new Map<string | null, string | null>();
  let statuses: (string | null)[] = [];
  // What is not used takes no memory.
  const numbers = new Float64Array((roomOfPass.keys + 1) * width);
  const bytes = Buffer.from(new ArrayBuffer((roomOfPass.keys + 1) * digests * digestWidth));
  const placeOf = (row: number, field: number) => (row * digests + field) * digestWidth;
  return {
    /** The row of each transaction. */
    rows,
    /** NaN for none. */
    get: (row: number, field: number): number => numbers[row * width + field] ?? Number.NaN,
    set(row: number, field: number, value: number): void {
      numbers[row * width + field] = value;
    },
    statusOf: (row: number): string | null => statuses[row] ?? null,
    keepStatus(row: number, text: string | null): void {
      if (!words.has(text) && words.size < 1_000) words.set(text, text);
      statuses[row] = words.get(text) ?? text;
    },
    digestOf(row: number, field: number): string | null {
      const at = placeOf(row, field);
      const length = bytes[at] ?? 0;
      return length === 0 ? null : bytes.toString('latin1', at + 1, at + length);
    },
    keepDigest(row: number, field: number, text: string | null): void {
      const at = placeOf(row, field);
      bytes[at] = text === null ? 0 : 1 + bytes.write(text, at + 1, digestWidth - 1, 'latin1');
    },
    rowOf(id: string): number {
      const found = rows.get(id);
      if (found !== undefined) return found;
      const row = rows.size;
      numbers.fill(Number.NaN, row * width, (row + 1) * width);
      bytes.fill(0, placeOf(row, 0), placeOf(row + 1, 0));
      statuses[row] = null;
      rows.set(id, row);
      return row;
    },
    /** Takes away what belongs to no key any more. */
    compact(): void {
      let next = 0;
      for (const [id, row] of rows) {
        numbers.copyWithin(next * width, row * width, (row + 1) * width);
        bytes.copyWithin(placeOf(next, 0), placeOf(row, 0), placeOf(row + 1, 0));
        statuses[next] = statuses[row] ?? null;
        rows.set(id, next);
        next += 1;
      }
      statuses = statuses.slice(0, next);
    },
  };
}

type TransactionsSeen = ReturnType<typeof createTransactionsSeen>;

const numberOf = (text: string | null) => (text === null ? Number.NaN : Number(text));
const textOf = (number: number) => (Number.isNaN(number) ? null : String(number));

function takeStatus(seen: TransactionsSeen, id: string, text: Row): void {
  const row = seen.rowOf(id);
  const [nth, at] = [Number(text('sequence')), numberOf(text('observed_at'))];
  if (!(nth >= seen.get(row, first.nth))) {
    seen.set(row, first.nth, nth);
    seen.set(row, first.at, at);
    seen.set(row, first.after, numberOf(text('observed_after')));
  }
  if (nth <= seen.get(row, last.nth)) return;
  seen.set(row, last.nth, nth);
  seen.set(row, last.at, at);
  seen.set(row, last.readAt, Number(text('read_at') ?? at));
  seen.keepStatus(row, text('to_status'));
  seen.keepDigest(row, last.digest, text('content_hash'));
}

function takeRevision(seen: TransactionsSeen, id: string, text: Row): void {
  const row = seen.rowOf(id);
  const [nth, at, hash] = [Number(text('revision')), numberOf(text('observed_at')), text('content_hash')];
  if (!(nth <= seen.get(row, revision.nth))) {
    seen.set(row, revision.nth, nth);
    seen.set(row, revision.missingSince, hash === null ? at : Number.NaN);
  }
  if (hash === null || nth <= seen.get(row, content.nth)) return;
  seen.set(row, content.nth, nth);
  seen.set(row, content.at, at);
  seen.keepDigest(row, content.digest, hash);
}

function takeDocument(
  kinds: Readonly<Record<keyof typeof attributesOf, Map<string, DocumentSeen>>>,
  id: string,
  text: Row,
): void {
  const kind = text('kind') ?? '';
  if (!isHeld.has(kind)) return;
  const known = kind === 'vault' ? kinds.vault : kinds.whitelist_entry;
  const seen = known.get(id) ?? { first: null, last: null };
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

interface Compared {
  readonly reader: Reader;
  readonly isWanted: (key: string) => boolean;
  readonly onRow: () => void;
}

/** Both ways: each row has a history, and each history its row. */
async function compareTable<History>(
  { reader, isWanted, onRow }: Compared,
  table: SealedTable,
  histories: ReadonlyMap<string, History>,
  compare: (history: History, row: Row) => Difference | null,
): Promise<PresentFinding | null> {
  const id = table.key[1] ?? '';
  const shown = new Set<History>();
  const found: { twice?: PresentFinding; different?: PresentFinding } = {};
  const named = (key: string) =>
    ({ kind: 'present', table: table.name, key: [reader.account, key] }) as const;
  await reader.scan(table, (row) => {
    const key = row(id) ?? '';
    if (!isWanted(key)) return;
    const history = histories.get(key);
    if (history !== undefined && shown.has(history))
      found.twice ??= { ...named(key), ...whole, expected: 'one row', shown: 'several' };
    if (history !== undefined) shown.add(history);
    if (found.different !== undefined) return;
    const difference = history === undefined ? { ...whole, shown: 'a row' } : compare(history, row);
    if (difference === null) onRow();
    else found.different = { ...named(key), ...difference };
  });
  for (const [key, history] of histories)
    if (!shown.has(history)) return { ...named(key), ...whole, expected: 'a row' };
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
  seen: TransactionsSeen,
  history: number,
): Difference | null {
  const lastAt = seen.get(history, last.at);
  const contentAt = seen.get(history, content.at);
  if (Number.isNaN(lastAt)) return { ...whole, shown: 'a row' };
  const digests = [
    contentAt > lastAt ? null : seen.digestOf(history, last.digest),
    contentAt >= lastAt ? seen.digestOf(history, content.digest) : null,
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
    ['status', seen.statusOf(history)],
    ['first_seen_at', textOf(seen.get(history, first.at))],
    ['first_seen_after', textOf(seen.get(history, first.after))],
    ['status_changed_at', String(lastAt)],
    ['missing_since', textOf(seen.get(history, revision.missingSince))],
    [
      'changed_at',
      textOf(Math.max(seen.get(history, last.readAt), contentAt >= lastAt ? contentAt : lastAt)),
    ],
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
