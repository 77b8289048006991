// The list of transactions in its order, and filtered views of it. Invariant: a page of the whole list costs
// its own length at any offset; a view is built by one scan and kept until the next change.
import { shuffledIndex } from '../values/random.ts';
import type { ListOrder } from './order-keys.ts';
import { OrderedRows } from './ordered-rows.ts';
import type { TransactionRecord } from './records.ts';
import { statusIndex, typeIndex } from './records.ts';
import type { TransactionTable } from './transaction-table.ts';

/** Filters of the list (section 4.1). Times are inclusive milliseconds. */
export interface RecordFilter {
  readonly transactionId?: string;
  readonly transactionType?: string;
  readonly status?: string;
  readonly sourceId?: string;
  readonly sourceAddress?: string;
  readonly destinationId?: string;
  readonly destinationAddress?: string;
  readonly assetId?: string;
  readonly networkId?: string;
  readonly from?: number;
  readonly to?: number;
  /** Statuses that are left out. */
  readonly hiddenStatuses?: readonly string[];
}

/** Rows, the lowest key first. */
interface Rows {
  readonly length: number;
  at(position: number): number | undefined;
}

export class Lists {
  readonly #table: TransactionTable;
  readonly #all: OrderedRows;
  /** The rows that each filter matches, until the next change. */
  readonly #views = new Map<string, Rows>();
  /** The rows that changed since the last `takeChanges`; undefined before its first call. */
  #changes: Set<number> | undefined;

  constructor(table: TransactionTable, capacity: number) {
    this.#table = table;
    this.#all = new OrderedRows(capacity);
  }

  /** The length of the unfiltered list. */
  get length(): number {
    return this.#all.length;
  }

  /** The rows, the lowest key first. */
  *rows(): Generator<number> {
    for (let position = 0; position < this.#all.length; position += 1) yield this.#all.at(position);
  }

  /** True when a listed row has this key. */
  has(key: number): boolean {
    return this.#all.has(key);
  }

  /** The key at a position of the unfiltered list, counted from the lowest. */
  keyAt(position: number): number {
    return this.#all.keyAt(position);
  }

  /** The first position of the unfiltered list whose key is not below `key`. */
  positionOf(key: number): number {
    return this.#all.positionOf(key);
  }

  /** Lists all rows of a new table, the lowest key first, so that each is added at the end. */
  fill(): void {
    const { key, length } = this.#table.columns;
    const rows = Uint32Array.from({ length }, (_, row) => row);
    rows.sort((a, b) => (key[a] ?? 0) - (key[b] ?? 0));
    let last = Number.NEGATIVE_INFINITY;
    for (const row of rows) {
      // When two rows of a tie drew the same key, the second takes the next one.
      last = Math.max(key[row] ?? 0, last + 1);
      key[row] = last;
      this.#all.insert(row, last);
    }
  }

  /** Exchanges two rows and their keys; positions count from the lowest key. */
  exchange(positionA: number, positionB: number): void {
    const { key } = this.#table.columns;
    const [rowA, rowB] = [this.#all.at(positionA), this.#all.at(positionB)];
    const [keyA, keyB] = [this.#all.keyAt(positionA), this.#all.keyAt(positionB)];
    this.#all.exchange(positionA, positionB);
    key[rowA] = keyB;
    key[rowB] = keyA;
    this.#views.clear();
  }

  /** Updates the list after a row was added, changed or removed. The key column holds the new key already. */
  changed(row: number, oldKey: number | undefined): void {
    const key = this.#table.columns.key[row] ?? 0;
    if (oldKey !== undefined && (oldKey !== key || this.#table.isRemoved(row))) this.#all.remove(oldKey);
    if (!this.#table.isRemoved(row)) this.#all.insert(row, key);
    this.#views.clear();
    this.#changes?.add(row);
  }

  /** The rows that were added, changed or removed since the last call; none at the first one. */
  takeChanges(): number[] {
    const rows = [...(this.#changes ?? [])];
    this.#changes = new Set();
    return rows;
  }

  /** The rows of a page. @param shuffle number of the request, which decides the order of a shuffled list */
  page(filter: RecordFilter, order: ListOrder, offset: number, limit: number, shuffle: number): number[] {
    const rows = this.#select(filter);
    const length = rows.length;
    const page: number[] = [];
    for (let index = offset; index < Math.min(offset + limit, length); index += 1) {
      const fromLowest = order === 'oldest-first' ? index : length - 1 - index;
      const row = rows.at(order === 'shuffled' ? shuffledIndex(index, length, shuffle) : fromLowest);
      if (row !== undefined) page.push(row);
    }
    return page;
  }

  /** How many transactions a filter matches. */
  count(filter: RecordFilter): number {
    return this.#select(filter).length;
  }

  #select(filter: RecordFilter): Rows {
    const name = JSON.stringify(filter, Object.keys(filter).sort());
    if (name === '{}') return this.#all;
    const view = this.#views.get(name) ?? this.#matching(filter);
    if (this.#views.size >= maxViews) this.#views.clear();
    this.#views.set(name, view);
    return view;
  }

  #matching(filter: RecordFilter): number[] {
    const matches = compileFilter(this.#table, filter);
    const row = filter.transactionId === undefined ? undefined : this.#table.rowOf(filter.transactionId);
    const candidates = filter.transactionId === undefined ? this.rows() : row === undefined ? [] : [row];
    const found: number[] = [];
    for (const candidate of candidates) if (matches(candidate)) found.push(candidate);
    return found;
  }
}

const maxViews = 24;

/** A predicate over rows for a filter. It compares text as the wire shows it. */
function compileFilter(table: TransactionTable, filter: RecordFilter): (row: number) => boolean {
  const { parties } = table;
  const type = typeIndex(filter.transactionType);
  const status = statusIndex(filter.status);
  const { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY } = filter;
  const hidden = (filter.hiddenStatuses ?? []).map(statusIndex);
  return (row) => {
    const { columns } = table;
    const createdAt = columns.createdAt[row] ?? 0;
    if (createdAt < from || createdAt > to) return false;
    if (hidden.length > 0 && hidden.includes(table.statusOf(row))) return false;
    const override = table.overrideOf(row);
    if (override !== undefined) return matchesRecord(override, filter);
    if (filter.transactionType !== undefined && columns.type[row] !== type) return false;
    if (filter.status !== undefined && columns.status[row] !== status) return false;
    if (filter.assetId !== undefined && table.assetOf(row).assetId !== filter.assetId) return false;
    const source = columns.source[row] ?? 0;
    const destination = columns.destination[row] ?? 0;
    if (filter.sourceId !== undefined && parties.get(source).id !== filter.sourceId) return false;
    if (filter.destinationId !== undefined && parties.get(destination).id !== filter.destinationId)
      return false;
    const { networkId, sourceAddress, destinationAddress } = filter;
    const network = table.networkOf(row);
    if (networkId !== undefined && parties.network(network).id !== networkId) return false;
    if (sourceAddress !== undefined && parties.address(source, network) !== sourceAddress) return false;
    return destinationAddress === undefined || parties.address(destination, network) === destinationAddress;
  };
}

function matchesRecord(record: TransactionRecord, filter: RecordFilter): boolean {
  return (
    (filter.transactionType ?? record.transactionType) === record.transactionType &&
    (filter.status ?? record.status) === record.status &&
    (filter.assetId ?? record.assetId) === record.assetId &&
    (filter.networkId ?? record.networkId) === record.networkId &&
    (filter.sourceId ?? record.sourceId) === record.sourceId &&
    (filter.sourceAddress ?? record.sourceAddress) === record.sourceAddress &&
    (filter.destinationId ?? record.destinationId) === record.destinationId &&
    (filter.destinationAddress ?? record.destinationAddress) === record.destinationAddress
  );
}
