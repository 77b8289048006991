// Replays history: compares every row that people read (transactions, vaults, whitelist entries) with what its
// history leads to, in both directions, in the state of the database in which history was read. History is
// gathered by key while it is read (reading.ts), a slice of the keys at a time; nothing is in any order.
import { sha256, toBuffer } from '../base/encoded-values.ts';
import {
  digestOfStored,
  readStoredBalance,
  readStoredTransaction,
  type StoredReader,
} from '../custody/decode/stored.ts';
import type { Balance } from '../domain/balance.ts';
import { withoutZeros } from '../domain/decimal.ts';
import {
  balanceAmounts,
  balanceFields,
  columnOf,
  entryAttributes,
  type Fields,
  namesOf,
  transactionFields,
  vaultAttributes,
} from '../domain/fields.ts';
import type { Transaction } from '../domain/transaction.ts';
import { isNumber, keptOfFull, keyOf, type Reader, roomOfPass } from './reading.ts';
import { encodeJson, type Row, type RowNamed } from './rows.ts';
import {
  balancesTable,
  columnsOf,
  presentTables,
  type SealedTable,
  sealedTables,
  snapshotTable,
  unreadableTable,
} from './tables.ts';

/** A row that is not what its history leads to. */
export interface PresentFinding extends RowNamed {
  readonly kind: 'present';
  /** Null where a whole row is surplus or missing. */
  readonly column: string | null;
  /** What history says, and what the table says; null for nothing. */
  readonly expected: string | null;
  readonly shown: string | null;
}

type Difference = Pick<PresentFinding, 'column' | 'expected' | 'shown'>;

/** A row that no leaf can hold: its number is impossible, or a balance begins or ends without a snapshot. */
type OrphanFinding = RowNamed & { readonly kind: 'inserted' };

const [statuses, revisions, documents] = sealedTables as readonly [SealedTable, SealedTable, SealedTable];
const [transactions, vaults, entries] = presentTables as readonly [SealedTable, SealedTable, SealedTable];

/** A row of a history that determines part of the present row, and what is kept of it. */
interface End {
  readonly of: SealedTable;
  readonly isFirst?: boolean;
  readonly columns: readonly string[];
  /** Whether the row counts; by default each does. */
  readonly counts?: (row: Row) => boolean;
}

/** What is kept, by end and column, such as `last observed_at`. */
type History = (field: string) => string | null;

/** A table that people read, and how its rows follow from their histories. */
interface Kind {
  readonly table: SealedTable;
  readonly isOf: (history: SealedTable, row: Row) => boolean;
  readonly ends: Readonly<Record<string, End>>;
  compare(row: Row, history: History, read: StoredReader<Transaction>): Difference | null;
}

const kinds: readonly Kind[] = [
  {
    table: transactions,
    isOf: (history) => history === statuses || history === revisions,
    ends: {
      first: { of: statuses, isFirst: true, columns: ['observed_at', 'observed_after'] },
      last: { of: statuses, columns: ['observed_at', 'read_at', 'to_status', 'content_hash'] },
      revision: { of: revisions, columns: ['observed_at'] },
      content: {
        of: revisions,
        columns: ['observed_at', 'content_hash'],
        counts: (row) => row('content_hash') !== null,
      },
    },
    compare: compareTransaction,
  },
  kindOfDocument(vaults, 'vault', vaultAttributes),
  kindOfDocument(entries, 'whitelist_entry', entryAttributes),
];

function kindOfDocument(table: SealedTable, kind: string, fields: Fields): Kind {
  const attributes = namesOf(fields).map(columnOf);
  return {
    table,
    isOf: (history, row) => history === documents && row('kind') === kind,
    ends: {
      first: { of: documents, isFirst: true, columns: ['observed_at'] },
      last: { of: documents, columns: [...attributes, 'observed_at', 'change', 'document'] },
    },
    compare(row, history) {
      const [expected, shown] = [history('last document'), digestsOf(row('document'))];
      const digest = (digests: string | null) => `the digest ${digests?.split(' ')[1]}`;
      if (expected !== shown) return { column: 'document', expected: digest(expected), shown: digest(shown) };
      const at = history('last observed_at');
      return firstDifference(row, [
        ...attributes.map((column) => [column, history(`last ${column}`)] as const),
        ['changed_at', at],
        ['missing_since', history('last change') === 'removed' ? at : null],
        ['first_seen_at', history('first observed_at')],
        ['content_hash', digestOfStored(row('document') ?? 'null')],
      ]);
    },
  };
}

/** Digests of the whole document, and of the part that its content hash covers. */
function digestsOf(document: string | null): string {
  const whole = toBuffer(sha256(encodeJson(document ?? 'null'))).toString('base64');
  return `${whole} ${digestOfStored(document ?? 'null')}`;
}

// A history is kept as one text: as objects it would take three times as much. It has the fields of each end
// one after the other, first the number of the row. No text of PostgreSQL holds what stands between them.
const between = '\0';
const fieldsOf = new Map(
  kinds.map((kind) => {
    const ends = Object.entries(kind.ends);
    return [kind, ends.flatMap(([end, { columns }]) => ['nth', ...columns].map((name) => `${end} ${name}`))];
  }),
);

/** @returns the kept part of a history, with one more row of it */
function withRow({ ends }: Kind, history: string | undefined, table: SealedTable, row: Row): string {
  const fields = history?.split(between) ?? [];
  const nth = Number(row(table.key.at(-1) ?? ''));
  let at = 0;
  for (const { of, isFirst = false, columns, counts } of Object.values(ends)) {
    const known = fields[at]?.slice(1) || null;
    const isEnd = known === null || (isFirst ? nth < Number(known) : nth > Number(known));
    if (of === table && isEnd && counts?.(row) !== false) {
      fields[at] = `=${nth}`;
      for (const [n, column] of columns.entries()) fields[at + 1 + n] = kept(row, column);
    }
    at += 1 + columns.length;
  }
  return fields.join(between);
}

function kept(row: Row, column: string): string {
  const text = column === 'document' ? digestsOf(row(column)) : row(column);
  return text === null ? '' : `=${text}`;
}

function opened(kind: Kind, history: string): History {
  const [names, fields] = [fieldsOf.get(kind) ?? [], history.split(between)];
  return (name) => {
    const field = fields[names.indexOf(name)] ?? '';
    return field === '' ? null : field.slice(1);
  };
}

/** Keys are divided by a hash with so many values. */
const hashes = 2 ** 32;

function hashOf(key: string): number {
  let hash = 0;
  for (let n = 0; n < key.length; n += 1) hash = (Math.imul(hash, 31) + key.charCodeAt(n)) | 0;
  return Math.imul(hash ^ (hash >>> 15), 0x85ebca6b) >>> 0;
}

function named(table: SealedTable, row: Row): RowNamed {
  return { table: table.name, key: table.key.map((column) => row(column) ?? '') };
}

/**
 * Compares the keys in passes, each from a hash on and as many as there is room for.
 *
 * @param read reads the stored record of a transaction
 */
export function createReplay(read: StoredReader<Transaction> = readStoredTransaction) {
  let [from, below] = [0, hashes];
  const histories = new Map(kinds.map((kind) => [kind, new Map<string, string>()]));
  /** Where an interval may begin or end; kept only while intervals are read. */
  const snapshots = new Map<string, string>();
  let found: OrphanFinding | PresentFinding | null = null;
  const isWanted = (key: string) => {
    const hash = hashOf(key);
    return hash >= from && hash < below;
  };
  const makeRoom = () => {
    const all = [...histories.values(), snapshots];
    while (all.reduce((sum, { size }) => sum + size, 0) > roomOfPass.keys && below - from > 1) {
      below = from + Math.floor(keptOfFull * (below - from));
      for (const known of all) for (const key of known.keys()) if (!isWanted(key)) known.delete(key);
    }
  };
  return {
    onRow(table: SealedTable, row: Row): void {
      if (!isNumber(Number(row('change_id') ?? 0))) found ??= { kind: 'inserted', ...named(table, row) };
      const kind = kinds.find(({ isOf }) => isOf(table, row));
      const known = kind === undefined ? undefined : histories.get(kind);
      const isSnapshot = table === snapshotTable;
      const id = isSnapshot ? keyOf(row, 'vault_type', 'snapshot_at') : (row(table.key.at(-2) ?? '') ?? '');
      if (!isWanted(id)) return;
      if (isSnapshot) snapshots.set(id, '');
      else if (snapshots.size > 0) snapshots.clear();
      if (kind !== undefined && known !== undefined) known.set(id, withRow(kind, known.get(id), table, row));
      makeRoom();
    },
    onInterval(table: SealedTable, row: Row): void {
      for (const column of ['valid_from', 'valid_to'] as const) {
        const shown = row(column);
        if (shown === null && column === 'valid_to') continue;
        const snapshot = keyOf(row, 'vault_type', column);
        if (!isWanted(snapshot) || snapshots.has(snapshot)) continue;
        found ??=
          column === 'valid_from'
            ? { kind: 'inserted', ...named(table, row) }
            : finding(table, row, { column, expected: 'the time of a snapshot', shown });
      }
    },
    /**
     * Ends a pass.
     *
     * @param onRow called for each row that follows from its history
     */
    async compare(reader: Reader, onRow: () => void): Promise<OrphanFinding | PresentFinding | null> {
      for (const [kind, known] of histories) {
        found ??= await compareTable(kind, known, { reader, isWanted, onRow, read });
        known.clear();
      }
      [from, below] = [below, hashes];
      return found;
    },
    hasMore: () => from < hashes,
  };
}

interface Comparing {
  readonly reader: Reader;
  readonly isWanted: (key: string) => boolean;
  readonly onRow: () => void;
  readonly read: StoredReader<Transaction>;
}

/**
 * Both ways: each row has a history, and each history its row.
 *
 * @param histories by key; one whose row was met becomes empty
 */
async function compareTable(
  kind: Kind,
  histories: Map<string, string>,
  { reader, isWanted, onRow, read }: Comparing,
): Promise<PresentFinding | null> {
  const { table } = kind;
  const found: { twice?: PresentFinding; different?: PresentFinding } = {};
  await reader.scan(table, (row) => {
    const key = row(table.key.at(-1) ?? '') ?? '';
    if (!isWanted(key)) return;
    const history = histories.get(key);
    if (history === '') found.twice ??= finding(table, row, several);
    if (history) histories.set(key, '');
    if (history === '' || found.different !== undefined) return;
    const difference = history === undefined ? surplus : kind.compare(row, opened(kind, history), read);
    if (difference === null) onRow();
    else found.different = finding(table, row, difference);
  });
  for (const [key, history] of histories)
    if (history !== '')
      return { kind: 'present', table: table.name, key: [reader.account, key], ...whole, expected: 'a row' };
  return found.twice ?? found.different ?? null;
}

const whole = { column: null, expected: null, shown: null };
const surplus = { ...whole, shown: 'a row' };
const several = { ...whole, expected: 'one row', shown: 'several' };

function finding(table: SealedTable, row: Row, difference: Difference): PresentFinding {
  return { kind: 'present', ...named(table, row), ...difference };
}

/** The first column that differs from its history. */
function firstDifference(row: Row, expected: Iterable<readonly [string, string | null]>): Difference | null {
  for (const [column, value] of expected) {
    const shown = row(column);
    if (shown !== value) return { column, expected: value, shown };
  }
  return null;
}

const ofTransaction = columnsOf(transactionFields);

function compareTransaction(row: Row, history: History, read: StoredReader<Transaction>): Difference | null {
  const at = history('last observed_at');
  if (at === null) return surplus;
  const [lastAt, contentAt] = [Number(at), Number(history('content observed_at') ?? Number.NaN)];
  const digests = [
    contentAt > lastAt ? null : history('last content_hash'),
    contentAt >= lastAt ? history('content content_hash') : null,
  ].filter((digest) => digest !== null);
  const fits = (reading: Transaction) => firstDifference(row, ofTransaction({ ...reading })) === null;
  const record = read(row('raw') ?? 'null', fits);
  if (record === null || !digests.includes(record.contentHash)) {
    const shown = record === null ? 'no record' : `the digest ${record.contentHash}`;
    return { column: 'raw', expected: `the digest ${digests.join(' or ')}`, shown };
  }
  const isMissing = history('revision nth') !== history('content nth');
  const changedAt = Math.max(Number(history('last read_at') ?? at), contentAt >= lastAt ? contentAt : lastAt);
  return firstDifference(row, [
    ...ofTransaction({ ...record }),
    ['content_hash', record.contentHash],
    ['status', history('last to_status')],
    ['first_seen_at', history('first observed_at')],
    ['first_seen_after', history('first observed_after')],
    ['status_changed_at', at],
    ['missing_since', isMissing ? history('revision observed_at') : null],
    ['changed_at', String(changedAt)],
  ]);
}

// Names the balance that was changed. Balances are history themselves, sealed with the snapshots in which
// they begin and end: if a snapshot is not as it was sealed, or not sealed yet, each of its balances is
// compared with its record, the previous balance and the counts of the snapshot.

const ofBalance = columnsOf(balanceFields);
const amounts = namesOf(balanceAmounts).map(columnOf);
const asset = ['vault_type', 'asset_id', 'network_id'] as const;

/** The wanted rows of a table, whole. */
async function collect(reader: Reader, table: SealedTable, isWanted: (row: Row) => boolean): Promise<Row[]> {
  const rows: Row[] = [];
  await reader.scan(table, (row) => {
    if (!isWanted(row)) return;
    const texts = new Map([...table.columns.keys()].map((column) => [column, row(column)]));
    rows.push((column) => texts.get(column) ?? null);
  });
  return rows;
}

/** @param which snapshots, by their numbers */
export async function findBalance(
  reader: Reader,
  which: (changeId: number) => boolean,
): Promise<PresentFinding | null> {
  const last = new Map<string | null, number>();
  const snapshots = await collect(reader, snapshotTable, (row) => {
    const [type, at] = [row('vault_type'), Number(row('snapshot_at'))];
    last.set(type, Math.max(last.get(type) ?? at, at));
    return which(Number(row('change_id')));
  });
  if (snapshots.length === 0) return null;
  const runs = new Map(snapshots.map((row) => [keyOf(row, 'vault_type', 'snapshot_at'), row('run_id')]));
  const isOf = (row: Row, end: string) => runs.has(keyOf(row, 'vault_type', end));
  const open = new Set<string>();
  const balances = await collect(reader, balancesTable, (row) => {
    if (row('valid_to') === null) open.add(keyOf(row, ...asset));
    return isOf(row, 'valid_from') || isOf(row, 'valid_to');
  });
  await reader.scan(unreadableTable, (row) => {
    if (row('valid_to') === null) open.delete(keyOf(row, ...asset));
  });
  const begun = balances.filter((row) => isOf(row, 'valid_from'));
  const different = await findDifference(reader, begun, runs);
  if (different !== null) return different;
  // A snapshot counts its balances: those that began or ended there, or are still open.
  const changed = new Map<string, Set<string>>();
  for (const row of balances)
    for (const end of ['valid_from', 'valid_to']) {
      const snapshot = keyOf(row, 'vault_type', end);
      changed.set(snapshot, (changed.get(snapshot) ?? new Set()).add(keyOf(row, ...asset)));
    }
  for (const row of snapshots.toSorted((a, b) => Number(a('change_id')) - Number(b('change_id')))) {
    const type = row('vault_type');
    const count = changed.get(keyOf(row, 'vault_type', 'snapshot_at'))?.size ?? 0;
    const all = [...open].filter((key) => key.startsWith(`${type}\0`)).length;
    const isLast = Number(row('snapshot_at')) === last.get(type);
    const difference = firstDifference(row, [
      ['changed_count', String(count)],
      ['asset_count', isLast ? String(all) : row('asset_count')],
    ]);
    if (difference !== null) return finding(snapshotTable, row, difference);
  }
  return null;
}

/** A balance that occurs twice, overlaps the next, or differs from its record and the one before. */
async function findDifference(
  reader: Reader,
  begun: readonly Row[],
  runs: ReadonlyMap<string, string | null>,
): Promise<PresentFinding | null> {
  const byAsset = new Map<string, Row[]>();
  for (const row of begun) {
    const key = keyOf(row, ...asset);
    byAsset.set(key, [...(byAsset.get(key) ?? []), row]);
  }
  /** The next balance of an asset that begins while this one goes on, or as it ends. */
  const following = (row: Row) => {
    const [from, to] = [Number(row('valid_from')), Number(row('valid_to') ?? Number.POSITIVE_INFINITY)];
    const begins = (next: Row) => from < Number(next('valid_from')) && to >= Number(next('valid_from'));
    return byAsset.get(keyOf(row, ...asset))?.find(begins);
  };
  const before = new Map<Row | undefined, Row>();
  for (const row of await collect(reader, balancesTable, (each) => following(each) !== undefined)) {
    const next = following(row);
    const [expected, shown] = [next?.('valid_from') ?? null, row('valid_to')];
    if (expected !== shown) return finding(balancesTable, row, { column: 'valid_to', expected, shown });
    before.set(next, row);
  }
  const seen = new Set<string>();
  for (const row of begun) {
    const key = keyOf(row, ...asset, 'valid_from');
    const run = runs.get(keyOf(row, 'vault_type', 'valid_from')) ?? null;
    const difference = seen.has(key) ? several : compareBalance(row, before.get(row), run);
    if (difference !== null) return finding(balancesTable, row, difference);
    seen.add(key);
  }
  return null;
}

function compareBalance(row: Row, previous: Row | undefined, run: string | null): Difference | null {
  const fits = (reading: Balance) => firstDifference(row, ofBalance({ ...reading })) === null;
  const record = readStoredBalance(row('raw') ?? 'null', fits);
  if (record === null) return { column: 'raw', expected: 'a record', shown: 'none' };
  // Whatever its scale: 2 and 2.0 are one amount.
  const amount = (of: Row, column: string) => withoutZeros(of(column) ?? '');
  const isSame = previous && amounts.every((column) => amount(previous, column) === amount(row, column));
  return firstDifference(row, [
    ...ofBalance({ ...record }),
    ['run_id', run],
    ['unchanged_since', isSame ? previous('unchanged_since') : row('valid_from')],
  ]);
}
