/**
 * The list of transactions in its order, and filtered views of it. Invariant: a page costs its own length at any
 * offset; a view is scanned together once, then kept up from a journal of changes. `work` counts rows looked at.
 */

import { shuffledIndex } from '../numbers/random.ts';
import type { ListOrder } from './order-keys.ts';
import { OrderedRows } from './ordered-rows.ts';
import type { TransactionRecord } from './records.ts';
import { statusIndex, typeIndex } from './records.ts';
import type { TransactionTable } from './transaction-table.ts';

/** Section 4.1: what a list can be filtered by. Times are inclusive milliseconds. */
export interface TransactionFilter {
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
}

interface Change {
  readonly row: number;
  /** The key the row had before; undefined for a new row. */
  readonly oldKey: number | undefined;
}

interface View {
  readonly rows: OrderedRows;
  readonly matches: (row: number) => boolean;
  version: number;
}

export class Lists {
  readonly #table: TransactionTable;
  readonly #all: OrderedRows;
  readonly #views = new Map<string, View>();
  #journal: Change[] = [];
  #journalStart = 0;
  /** Rows looked at to build views, and rows given out in pages. */
  readonly work = { scanned: 0, read: 0 };

  constructor(table: TransactionTable, capacity: number) {
    this.#table = table;
    this.#all = new OrderedRows(capacity);
  }

  /** The length of the unfiltered list. */
  get length(): number {
    return this.#all.length;
  }

  /** Rows from the lowest key up. */
  *rows(): Generator<number> {
    for (let position = 0; position < this.#all.length; position += 1) yield this.#all.at(position);
  }

  /** Whether a listed row has this key. */
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

  /** Lists every row of a table that was just filled, the lowest key first, so that each is added at the end. */
  fill(): void {
    const { key, length } = this.#table.columns;
    const rows = Uint32Array.from({ length }, (_, row) => row);
    rows.sort((a, b) => (key[a] ?? 0) - (key[b] ?? 0));
    let last = Number.NEGATIVE_INFINITY;
    for (const row of rows) {
      // Two that drew the same key of their tie: the second takes the next.
      last = Math.max(key[row] ?? 0, last + 1);
      key[row] = last;
      this.#all.insert(row, last);
    }
  }

  /** Lets two rows change places, and keys, in the list and every view; positions count from the lowest key. */
  exchange(positionA: number, positionB: number): void {
    const { key } = this.#table.columns;
    const [rowA, rowB] = [this.#all.at(positionA), this.#all.at(positionB)];
    const [keyA, keyB] = [this.#all.keyAt(positionA), this.#all.keyAt(positionB)];
    this.#all.exchange(positionA, positionB);
    key[rowA] = keyB;
    key[rowB] = keyA;
    this.#note(rowA, keyA);
    this.#note(rowB, keyB);
  }

  /** Tells that a row was added, changed or removed; its key column holds the new key already. */
  changed(row: number, oldKey: number | undefined): void {
    const key = this.#table.columns.key[row] ?? 0;
    if (oldKey !== undefined && (oldKey !== key || this.#table.isRemoved(row))) this.#all.remove(oldKey);
    if (!this.#table.isRemoved(row)) this.#all.insert(row, key);
    this.#note(row, oldKey);
  }

  /** Writes a change into the journal that views catch up from. */
  #note(row: number, oldKey: number | undefined): void {
    if (this.#views.size === 0) return;
    this.#journal.push({ row, oldKey });
    if (this.#journal.length > maxJournal) {
      this.#journalStart += this.#journal.length;
      this.#journal = [];
    }
  }

  /** The rows of one page, in the order asked for; `shuffle` tells one request of a shuffled list from another. */
  page(
    filter: TransactionFilter,
    order: ListOrder,
    offset: number,
    limit: number,
    shuffle: number,
  ): number[] {
    const rows = this.#select(filter);
    const length = rows.length;
    const page: number[] = [];
    for (let index = offset; index < Math.min(offset + limit, length); index += 1) {
      if (order === 'shuffled') page.push(rows.at(shuffledIndex(index, length, shuffle)));
      else page.push(rows.at(order === 'oldest-first' ? index : length - 1 - index));
    }
    this.work.read += page.length;
    return page;
  }

  /** How many transactions a filter matches. */
  count(filter: TransactionFilter): number {
    return this.#select(filter).length;
  }

  #select(filter: TransactionFilter): OrderedRows {
    const name = JSON.stringify(filter, Object.keys(filter).sort());
    if (name === '{}') return this.#all;
    if (filter.transactionId !== undefined) return this.#single(filter, filter.transactionId);
    let view = this.#views.get(name);
    this.#views.delete(name);
    if (view === undefined || view.version < this.#journalStart) view = this.#scan(filter);
    else this.#catchUp(view);
    this.#views.set(name, view);
    for (const oldest of this.#views.keys()) {
      if (this.#views.size <= maxViews) break;
      this.#views.delete(oldest);
    }
    return view.rows;
  }

  #single(filter: TransactionFilter, transactionId: string): OrderedRows {
    const rows = new OrderedRows();
    const row = this.#table.rowOf(transactionId);
    this.work.scanned += 1;
    if (row !== undefined && compileFilter(this.#table, filter)(row)) {
      rows.insert(row, this.#table.columns.key[row] ?? 0);
    }
    return rows;
  }

  #scan(filter: TransactionFilter): View {
    const matches = compileFilter(this.#table, filter);
    const rows = new OrderedRows();
    const { key } = this.#table.columns;
    for (let position = 0; position < this.#all.length; position += 1) {
      const row = this.#all.at(position);
      if (matches(row)) rows.insert(row, key[row] ?? 0);
    }
    this.work.scanned += this.#all.length;
    return { rows, matches, version: this.#journalStart + this.#journal.length };
  }

  #catchUp(view: View): void {
    const { key } = this.#table.columns;
    const changes = this.#journal.slice(view.version - this.#journalStart);
    const isWanted = (row: number): boolean => !this.#table.isRemoved(row) && view.matches(row);
    // All old keys go before any new one comes: a row may have a key that another one had.
    for (const { row, oldKey } of changes) {
      if (oldKey !== undefined && (oldKey !== key[row] || !isWanted(row))) view.rows.remove(oldKey);
    }
    for (const { row } of changes) {
      if (isWanted(row)) view.rows.insert(row, key[row] ?? 0);
    }
    this.work.scanned += changes.length;
    view.version = this.#journalStart + this.#journal.length;
  }
}

const maxJournal = 20_000;
const maxViews = 24;

/** A predicate over rows for a filter; equality of text, as the wire shows it. */
function compileFilter(table: TransactionTable, filter: TransactionFilter): (row: number) => boolean {
  const { parties } = table;
  const type = typeIndex(filter.transactionType);
  const status = statusIndex(filter.status);
  const { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY } = filter;
  return (row) => {
    const { columns } = table;
    const createdAt = columns.createdAt[row] ?? 0;
    if (createdAt < from || createdAt > to) return false;
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

function matchesRecord(record: TransactionRecord, filter: TransactionFilter): boolean {
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
