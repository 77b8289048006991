/**
 * The custody account the sandbox serves: transactions, the balances they make, vaults and whitelist entries, all from
 * one seed. Invariant: every change goes through this class, so lists and balances agree with the transactions always.
 */
import { Accounts } from './accounts.ts';
import type { NewVault, NewWhitelistEntry } from './directory.ts';
import { Directory } from './directory.ts';
import { Factory } from './factory.ts';
import type { ListOrder, TransactionFilter } from './lists.ts';
import { Lists } from './lists.ts';
import { networkAt, Parties } from './parties.ts';
import type { Random } from './random.ts';
import { createRandom, hashUnit } from './random.ts';
import type { BalanceRecord, TransactionRecord, VaultRecord, VaultType, WhitelistRecord } from './records.ts';
import { STATUSES, statusIndex } from './records.ts';
import {
  CANCELLED,
  COMPLETED,
  CONFIRMING,
  FAILED,
  PENDING,
  PROCESSING,
  REJECTED,
  TransactionTable,
} from './transaction-table.ts';

interface WorldOptions {
  readonly seed: number;
  readonly transactions: number;
  readonly warmVaults: number;
  readonly coldVaults: number;
  readonly whitelistEntries: number;
  readonly order: ListOrder;
  /** Milliseconds since the epoch; the clock of the world. */
  readonly now: () => number;
}

/** A transaction inserted by hand; what is left out comes from one the world would have made. */
export type NewTransaction = Partial<TransactionRecord>;

export class World {
  readonly options: WorldOptions;
  readonly table: TransactionTable;
  readonly lists: Lists;
  readonly directory: Directory;
  readonly #parties: Parties;
  readonly #accounts = new Accounts();
  readonly #factory: Factory;
  readonly #byHand: Random;
  readonly #open = new Set<number>();
  #nextKey = 1;
  #tailKey = 0;

  constructor(options: WorldOptions) {
    const { seed, transactions } = options;
    this.options = options;
    this.#parties = new Parties(seed);
    this.table = new TransactionTable(seed, transactions, this.#parties);
    this.lists = new Lists(this.table, transactions);
    this.directory = new Directory(seed, this.#parties);
    this.#byHand = createRandom(seed, 'by hand');
    const now = options.now();
    const counts = {
      warm: options.warmVaults,
      cold: options.coldVaults,
      whitelist: options.whitelistEntries,
    };
    this.directory.populate(createRandom(seed, 'directory'), counts, now);
    this.#factory = new Factory(this.#parties, this.directory, this.#accounts);
    this.#writeHistory(createRandom(seed, 'history'), transactions, now);
  }

  /** Every transaction that is listed, oldest key first, as plain records. */
  *transactions(): Generator<TransactionRecord> {
    for (const row of this.lists.rows()) yield this.table.record(row);
  }

  /** One transaction; undefined when it is not listed. */
  transaction(transactionId: string): TransactionRecord | undefined {
    const row = this.table.rowOf(transactionId);
    return row === undefined ? undefined : this.table.record(row);
  }

  transactionCount(filter: TransactionFilter = {}): number {
    return this.lists.count(filter);
  }

  /** Balances of a vault type, or of both; kept up incrementally by the rules of ledger.ts. */
  balances(vaultType: VaultType | 'all'): BalanceRecord[] {
    return this.#accounts.balances(vaultType);
  }

  vaults(vaultType?: VaultType): VaultRecord[] {
    return this.directory.vaults(vaultType);
  }

  /** The type of a vault, also of one that was removed. */
  vaultType(vaultId: string): VaultType | undefined {
    return this.#parties.vaultType(vaultId);
  }

  whitelist(): WhitelistRecord[] {
    return this.directory.whitelist();
  }

  /** Rows whose status can still move. */
  openRows(): readonly number[] {
    return [...this.#open];
  }

  /** The status of a row as an index of `STATUSES`; -1 for one set by hand that is none of them. */
  statusOf(row: number): number {
    const override = this.table.overrideOf(row);
    return override === undefined ? (this.table.columns.status[row] ?? -1) : statusIndex(override.status);
  }

  /** Lets a new transaction arrive, drawn from `random`; undefined when no vault can hold one. */
  arrive(random: Random): string | undefined {
    const row = this.#append(random, PENDING, this.options.now(), this.#takeKey());
    return row === undefined ? undefined : this.table.idOf(row);
  }

  /** Moves a row to another status of section 3, with the fee and hash that then show. */
  moveStatus(row: number, status: number): void {
    this.#change(row, () => {
      this.table.columns.status[row] = status;
      const override = this.table.overrideOf(row);
      if (override !== undefined) this.table.override(row, this.#progressed(row, override, status));
    });
  }

  /** Whether the vault can pay the fee that shows once a pending transaction is processed. */
  affordsFee(row: number): boolean {
    const { assetId, entry } = this.table.ledgerEntry(row);
    if (entry.source === undefined || entry.transactionType === 'unstake') return true;
    return this.#accounts.account(entry.source, assetId).available >= (this.table.columns.fee[row] ?? 0n);
  }

  /** Puts a transaction of your own at the head (newest) or tail (oldest) of the list and gives its record. */
  insertTransaction(place: 'head' | 'tail', transaction: NewTransaction = {}): TransactionRecord {
    const key = place === 'head' ? this.#takeKey() : this.#takeTailKey();
    const id = transaction.transactionId;
    if (id !== undefined && this.table.rowOf(id) !== undefined)
      throw new RangeError(`transaction ${id} exists already`);
    const row = this.#append(this.#byHand, PENDING, transaction.createdAt ?? this.options.now(), key);
    if (row === undefined) throw new RangeError('there is no vault to hold a transaction');
    if (Object.keys(transaction).length > 0) this.#change(row, () => this.#override(row, transaction));
    return this.table.record(row);
  }

  /** Changes any field of a transaction, its id included. */
  alterTransaction(transactionId: string, change: Partial<TransactionRecord>): TransactionRecord {
    const row = this.#rowOf(transactionId);
    this.#change(row, () => this.#override(row, change));
    return this.table.record(row);
  }

  /** Takes a transaction out of the list, and what it did out of the balances. */
  removeTransaction(transactionId: string): void {
    const row = this.#rowOf(transactionId);
    const key = this.table.columns.key[row];
    this.#post(row, 'revert');
    this.table.markRemoved(row);
    this.#open.delete(row);
    this.lists.changed(row, key);
  }

  addVault(vault: NewVault): VaultRecord {
    const record = this.directory.addVault(vault, this.options.now());
    this.#factory.refresh();
    return record;
  }

  renameVault(vaultId: string, name: string): VaultRecord {
    const record = this.directory.renameVault(vaultId, name);
    this.#factory.refresh();
    return record;
  }

  removeVault(vaultId: string): void {
    this.directory.removeVault(vaultId);
    this.#factory.refresh();
  }

  addWhitelistEntry(entry: NewWhitelistEntry = {}): WhitelistRecord {
    const record = this.directory.addWhitelistEntry(entry, this.options.now());
    this.#factory.refresh();
    return record;
  }

  alterWhitelistEntry(
    whitelistId: string,
    change: Partial<Omit<WhitelistRecord, 'whitelistId'>>,
  ): WhitelistRecord {
    const record = this.directory.alterWhitelistEntry(whitelistId, change);
    this.#factory.refresh();
    return record;
  }

  removeWhitelistEntry(whitelistId: string): void {
    this.directory.removeWhitelistEntry(whitelistId);
    this.#factory.refresh();
  }

  /** Changes of the status alone stay compact; anything else makes the row a record of its own. */
  #override(row: number, change: NewTransaction): void {
    const status = statusIndex(change.status);
    const known = this.table.overrideOf(row);
    if (status >= 0) this.table.columns.status[row] = status;
    if (status >= 0 && known === undefined && Object.keys(change).length === 1) return;
    const base =
      known === undefined || status < 0 ? this.table.record(row) : this.#progressed(row, known, status);
    this.table.override(row, { ...base, ...change });
  }

  #progressed(row: number, record: TransactionRecord, status: number): TransactionRecord {
    const fee = record.fee === '' ? this.table.feeText(row) : record.fee;
    if (record.txnHash !== '') return { ...record, status: STATUSES[status] ?? '', fee };
    const txnHash = this.table.hashText(row);
    const blockexplorerLink = txnHash === '' ? '' : networkAt(this.table.networkOf(row)).explorer + txnHash;
    return { ...record, status: STATUSES[status] ?? '', fee, txnHash, blockexplorerLink };
  }

  #rowOf(transactionId: string): number {
    const row = this.table.rowOf(transactionId);
    if (row === undefined) throw new RangeError(`no transaction ${transactionId}`);
    return row;
  }

  #writeHistory(random: Random, count: number, now: number): void {
    const recent = Math.min(Math.ceil(count * 0.03), 150);
    const stuckRate = count === 0 ? 0 : Math.min(0.004, 40 / count);
    const span = Math.min(3 * 365, 30 + count / 40) * 86_400_000;
    for (let i = 0; i < count; i += 1) {
      const age = (count - i - hashUnit(this.options.seed, i, 5)) / count;
      const open = i >= count - recent ? random.chance(0.7) : random.chance(stuckRate);
      const status = open ? random.pick(OPEN_STATUSES) : drawOutcome(random);
      this.#append(random, status, Math.floor(now - 1000 - age * span), this.#takeKey());
    }
  }

  #append(random: Random, status: number, createdAt: number, key: number): number | undefined {
    const draft = this.#factory.draw(random, status, createdAt, key);
    if (draft === undefined) return undefined;
    const row = this.table.append(draft);
    this.#post(row, 'apply');
    this.#trackOpen(row);
    this.lists.changed(row, undefined);
    return row;
  }

  /** Runs a change of a row between taking its effect out of the balances and putting the new one in. */
  #change(row: number, change: () => void): void {
    const { columns } = this.table;
    const oldKey = columns.key[row];
    this.#post(row, 'revert');
    change();
    this.#post(row, 'apply');
    this.#trackOpen(row);
    if (this.options.order === 'updated-first') columns.key[row] = this.#takeKey();
    this.lists.changed(row, oldKey);
  }

  #post(row: number, direction: 'apply' | 'revert'): void {
    const posting = this.table.ledgerEntry(row);
    this.#accounts[direction](posting.assetId, posting.entry);
  }

  #trackOpen(row: number): void {
    if (OPEN_STATUSES.includes(this.statusOf(row))) this.#open.add(row);
    else this.#open.delete(row);
  }

  #takeKey(): number {
    this.#nextKey += 1;
    return this.#nextKey;
  }

  #takeTailKey(): number {
    this.#tailKey -= 1;
    return this.#tailKey;
  }
}

const OPEN_STATUSES: readonly number[] = [PENDING, PROCESSING, CONFIRMING];

function drawOutcome(random: Random): number {
  const point = random.next();
  if (point < 0.9) return COMPLETED;
  if (point < 0.93) return REJECTED;
  return point < 0.96 ? CANCELLED : FAILED;
}
