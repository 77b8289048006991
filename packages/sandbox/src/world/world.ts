// The custody account that the sandbox serves: transactions, their balances, vaults and whitelist entries,
// from one seed. Invariant: every change goes through this class, so lists and balances always agree with the
// transactions.

import { assets } from '../values/catalogue.ts';
import type { Random } from '../values/random.ts';
import { createRandom } from '../values/random.ts';
import { Accounts } from './accounts.ts';
import type { NewVault, NewWhitelistEntry } from './directory.ts';
import { Directory } from './directory.ts';
import type { ExchangeSettings } from './exchanges.ts';
import { Exchanges } from './exchanges.ts';
import { Factory } from './factory.ts';
import type { Past } from './history.ts';
import { drawHistory } from './history.ts';
import type { RecordFilter } from './lists.ts';
import { Lists } from './lists.ts';
import type { ListOrder } from './order-keys.ts';
import { OrderKeys } from './order-keys.ts';
import { Parties } from './parties.ts';
import type { BalanceRecord, TransactionRecord, VaultRecord, VaultType, WhitelistRecord } from './records.ts';
import { openStatuses, statusNumbers } from './statuses.ts';
import { TransactionTable } from './transaction-table.ts';

interface WorldOptions extends ExchangeSettings {
  readonly seed: number;
  readonly transactions: number;
  readonly warmVaults: number;
  readonly coldVaults: number;
  readonly whitelistEntries: number;
  readonly order: ListOrder;
  readonly tieSeconds: number;
  /** The clock of the world, milliseconds since the epoch. */
  readonly now: () => number;
}

/** A transaction inserted by hand. The world makes up the members left out. */
export type NewTransaction = Partial<TransactionRecord>;

export class World {
  readonly options: WorldOptions;
  readonly table: TransactionTable;
  readonly lists: Lists;
  readonly exchanges: Exchanges;
  readonly directory: Directory;
  readonly #keys: OrderKeys;
  readonly #parties: Parties;
  readonly #accounts = new Accounts();
  readonly #factory: Factory;
  readonly #byHand: Random;
  readonly #open = new Set<number>();

  constructor(options: WorldOptions) {
    const { seed, transactions } = options;
    this.options = options;
    this.#parties = new Parties(seed);
    this.table = new TransactionTable(seed, transactions, this.#parties);
    this.lists = new Lists(this.table, transactions);
    this.#keys = new OrderKeys(options, (key) => this.lists.has(key));
    const parts = { order: options.order, lists: this.lists, keys: this.#keys };
    this.exchanges = new Exchanges({ ...parts, random: createRandom(seed, 'exchanges') });
    this.exchanges.set(options);
    this.directory = new Directory(seed, this.#parties, options.now);
    this.#byHand = createRandom(seed, 'by hand');
    const now = options.now();
    const { warmVaults: warm, coldVaults: cold, whitelistEntries: whitelist } = options;
    this.directory.populate(createRandom(seed, 'directory'), { warm, cold, whitelist });
    this.#factory = new Factory(this.#parties, this.directory, this.#accounts);
    const history = createRandom(seed, 'history');
    for (const past of drawHistory(history, { seed, transactions, now })) this.#write(history, past, 'head');
    this.lists.fill();
  }

  /** The listed transactions as records, the oldest key first. */
  *transactions(): Generator<TransactionRecord> {
    for (const row of this.lists.rows()) yield this.table.record(row);
  }

  /** A transaction; undefined when it is not listed. */
  transaction(transactionId: string): TransactionRecord | undefined {
    const row = this.table.rowOf(transactionId);
    return row === undefined ? undefined : this.table.record(row);
  }

  transactionCount(filter: RecordFilter = {}): number {
    return this.lists.count(filter);
  }

  /** The balances of a vault type, or of both, by the rules of ledger.ts. */
  balances(vaultType: VaultType | 'all'): BalanceRecord[] {
    return this.#accounts.balances(vaultType);
  }

  vaults(vaultType?: VaultType): VaultRecord[] {
    return this.directory.vaults(vaultType);
  }

  /** The type of a vault, also of a removed one. */
  vaultType(vaultId: string): VaultType | undefined {
    return this.#parties.vaultType(vaultId);
  }

  whitelist(): WhitelistRecord[] {
    return this.directory.whitelist();
  }

  /** The rows of open transactions. */
  openRows(): readonly number[] {
    return [...this.#open];
  }

  /** Adds a new transaction drawn from `random`. @returns its id; undefined when there is no vault */
  arrive(random: Random): string | undefined {
    const row = this.#append(random, this.options.now(), 'head');
    return row === undefined ? undefined : this.table.idOf(row);
  }

  /** Sets a status of section 3, with the fee and hash that then show. */
  moveStatus(row: number, status: number): void {
    this.#change(row, () => this.table.setStatus(row, status));
  }

  /** True when the vault can pay the fee that shows once a pending transaction is processed. */
  affordsFee(row: number): boolean {
    const { assetId, entry } = this.table.ledgerEntry(row);
    if (entry.source === undefined || entry.transactionType === 'unstake') return true;
    return this.#accounts.account(entry.source, assetId).available >= (this.table.columns.fee[row] ?? 0n);
  }

  /**
   * Inserts a transaction at the head (newest) or tail (oldest) of the list. If a time orders the list,
   * `createdAt` decides; when left out, it is now for the head, and before all others for the tail.
   */
  insertTransaction(place: 'head' | 'tail', transaction: NewTransaction = {}): TransactionRecord {
    const id = transaction.transactionId;
    if (id !== undefined && this.table.rowOf(id) !== undefined)
      throw new RangeError(`transaction ${id} exists already`);
    const createdAt = transaction.createdAt ?? this.#keys.timeAt(place, this.options.now());
    const row = this.#append(this.#byHand, createdAt, place);
    if (row === undefined) throw new RangeError('there is no vault for a transaction');
    if (Object.keys(transaction).length > 0) this.#change(row, () => this.table.alter(row, transaction));
    return this.table.record(row);
  }

  /** Changes any field of a transaction, its id included. */
  alterTransaction(transactionId: string, change: Partial<TransactionRecord>): TransactionRecord {
    const row = this.#rowOf(transactionId);
    this.#change(row, () => this.table.alter(row, change));
    return this.table.record(row);
  }

  /** Removes a transaction from the list, and its effect from the balances. */
  removeTransaction(transactionId: string): void {
    const row = this.#rowOf(transactionId);
    const key = this.table.columns.key[row];
    this.#post(row, 'revert');
    this.table.markRemoved(row);
    this.#open.delete(row);
    this.lists.changed(row, key);
  }

  /** Exchanges the records at two positions of the list as served. */
  exchange(positionA: number, positionB: number): void {
    this.exchanges.exchange(positionA, positionB);
  }

  /** Changes the available balance of warm vaults though no transaction explains it; in units of 10^-18. */
  adjustBalance(assetId: string, units: bigint): void {
    this.#accounts.adjust('warm', assetId, units);
  }

  addVault(vault: NewVault): VaultRecord {
    return this.directory.addVault(vault);
  }

  renameVault(vaultId: string, name: string): VaultRecord {
    return this.directory.renameVault(vaultId, name);
  }

  removeVault(vaultId: string): void {
    this.directory.removeVault(vaultId);
  }

  addWhitelistEntry(entry: NewWhitelistEntry = {}): WhitelistRecord {
    return this.directory.addWhitelistEntry(entry);
  }

  alterWhitelistEntry(
    whitelistId: string,
    change: Partial<Omit<WhitelistRecord, 'whitelistId'>>,
  ): WhitelistRecord {
    return this.directory.alterWhitelistEntry(whitelistId, change);
  }

  removeWhitelistEntry(whitelistId: string): void {
    this.directory.removeWhitelistEntry(whitelistId);
  }

  #rowOf(transactionId: string): number {
    const row = this.table.rowOf(transactionId);
    if (row === undefined) throw new RangeError(`no transaction ${transactionId}`);
    return row;
  }

  #append(random: Random, createdAt: number, place: 'head' | 'tail'): number | undefined {
    const row = this.#write(random, { status: statusNumbers.pending, createdAt }, place);
    if (row !== undefined) this.lists.changed(row, undefined);
    return row;
  }

  /** Adds a transaction to the table, not yet to the list. */
  #write(random: Random, { status, createdAt }: Past, place: 'head' | 'tail'): number | undefined {
    const draft = this.#factory.draw(random, status, createdAt);
    if (draft === undefined) return undefined;
    const { assetId = '' } = assets[draft.asset] ?? {};
    const row = this.table.append(draft, this.#keys.added(place, { createdAt, assetId }));
    this.#post(row, 'apply');
    this.#trackOpen(row);
    return row;
  }

  /** Changes a row: removes its effect from the balances, runs the change, and adds the new effect. */
  #change(row: number, change: () => void): void {
    const { columns } = this.table;
    const oldKey = columns.key[row] ?? 0;
    const before = this.#datedAt(row);
    this.#post(row, 'revert');
    change();
    this.#post(row, 'apply');
    this.#trackOpen(row);
    columns.key[row] = this.#keys.changed(oldKey, before, this.#datedAt(row));
    this.lists.changed(row, oldKey);
  }

  #post(row: number, direction: 'apply' | 'revert'): void {
    const posting = this.table.ledgerEntry(row);
    this.#accounts[direction](posting.assetId, posting.entry);
  }

  #trackOpen(row: number): void {
    if (openStatuses.includes(this.table.statusOf(row))) this.#open.add(row);
    else this.#open.delete(row);
  }

  /** The values that decide a row's place if a time orders the list. */
  #datedAt(row: number): { createdAt: number; assetId: string } {
    return { createdAt: this.table.columns.createdAt[row] ?? 0, assetId: this.table.assetIdOf(row) };
  }
}
