// The transactions of a world: compact rows, and whole records for those that were inserted or altered by
// hand. Invariant: `record(row)` depends on the row and the seed only; `rowOf` finds a row by id without an
// index of all ids.

import type { Asset } from '../values/catalogue.ts';
import { assets, deriveHash, networkOfAsset } from '../values/catalogue.ts';
import { formatParts, oneUnit } from '../values/decimal.ts';
import { notes } from '../values/names.ts';
import { hash32, hex8, permute32, unpermute32 } from '../values/random.ts';
import { Columns, overriddenFlag, removedFlag } from './columns.ts';
import type { LedgerEntry } from './ledger.ts';
import { ledgerAmounts } from './ledger.ts';
import type { Parties } from './parties.ts';
import { networkAt } from './parties.ts';
import type { TransactionRecord } from './records.ts';
import { statuses, statusIndex, transactionTypes } from './records.ts';
import { showsFee, showsHash } from './statuses.ts';

/** The stored part of a transaction that the world makes; amounts are units of 10^-18. */
export interface Draft {
  readonly type: number;
  readonly status: number;
  readonly asset: number;
  readonly source: number;
  readonly destination: number;
  readonly amount: bigint;
  readonly fee: bigint;
  readonly note: number;
  readonly createdAt: number;
}

export class TransactionTable {
  readonly columns: Columns;
  readonly parties: Parties;
  readonly seed: number;
  readonly #overrides = new Map<number, TransactionRecord>();
  readonly #customIds = new Map<string, number>();

  constructor(seed: number, capacity: number, parties: Parties) {
    this.seed = seed;
    this.parties = parties;
    this.columns = new Columns(capacity);
  }

  /** Adds a row. @param key orders the list @returns the number of the row */
  append(draft: Draft, key: number): number {
    const { columns } = this;
    const row = columns.append();
    columns.type[row] = draft.type;
    columns.status[row] = draft.status;
    columns.asset[row] = draft.asset;
    columns.source[row] = draft.source;
    columns.destination[row] = draft.destination;
    const whole = draft.amount / oneUnit;
    columns.whole[row] = Number(whole);
    columns.fraction[row] = draft.amount - whole * oneUnit;
    columns.fee[row] = draft.fee;
    columns.note[row] = draft.note;
    columns.createdAt[row] = draft.createdAt;
    columns.key[row] = key;
    return row;
  }

  /** Replaces the record of a row, its id included. */
  override(row: number, record: TransactionRecord): void {
    const previous = this.#overrides.get(row);
    if (previous !== undefined) this.#customIds.delete(previous.transactionId);
    this.#overrides.set(row, record);
    this.#customIds.set(record.transactionId, row);
    this.columns.flags[row] = (this.columns.flags[row] ?? 0) | overriddenFlag;
    this.columns.createdAt[row] = record.createdAt;
  }

  /** The record that was set by hand, if any. */
  overrideOf(row: number): TransactionRecord | undefined {
    return ((this.columns.flags[row] ?? 0) & overriddenFlag) === 0 ? undefined : this.#overrides.get(row);
  }

  /** The index of the status in `statuses`; -1 for an unknown one set by hand. */
  statusOf(row: number): number {
    const override = this.overrideOf(row);
    return override === undefined ? (this.columns.status[row] ?? -1) : statusIndex(override.status);
  }

  /** Sets a status of section 3, with the fee and hash that then show. */
  setStatus(row: number, status: number): void {
    this.columns.status[row] = status;
    const override = this.overrideOf(row);
    if (override !== undefined) this.override(row, this.#withStatus(row, override, status));
  }

  /** Changes fields of a row. A change of the status alone stays compact; any other makes an override. */
  alter(row: number, change: Partial<TransactionRecord>): void {
    const status = statusIndex(change.status);
    if (status >= 0) this.setStatus(row, status);
    const isCompact = status >= 0 && Object.keys(change).length === 1;
    if (!isCompact || this.overrideOf(row) !== undefined)
      this.override(row, { ...this.record(row), ...change });
  }

  #withStatus(row: number, record: TransactionRecord, status: number): TransactionRecord {
    const fee = record.fee === '' ? this.feeText(row) : record.fee;
    if (record.txnHash !== '') return { ...record, status: statuses[status] ?? '', fee };
    const txnHash = this.hashText(row);
    const blockexplorerLink = txnHash === '' ? '' : networkAt(this.networkOf(row)).explorer + txnHash;
    return { ...record, status: statuses[status] ?? '', fee, txnHash, blockexplorerLink };
  }

  isRemoved(row: number): boolean {
    return ((this.columns.flags[row] ?? 0) & removedFlag) !== 0;
  }

  markRemoved(row: number): void {
    this.columns.flags[row] = (this.columns.flags[row] ?? 0) | removedFlag;
  }

  /** The row of a transaction that is in the list; undefined when there is none. */
  rowOf(transactionId: string): number | undefined {
    const custom = this.#customIds.get(transactionId);
    if (custom !== undefined) return this.isRemoved(custom) ? undefined : custom;
    if (!/^[0-9a-f]{8}-/.test(transactionId)) return undefined;
    const row = unpermute32(Number.parseInt(transactionId.slice(0, 8), 16), this.seed);
    if (row >= this.columns.length || this.isRemoved(row) || this.overrideOf(row) !== undefined)
      return undefined;
    return this.derivedId(row) === transactionId ? row : undefined;
  }

  idOf(row: number): string {
    return this.overrideOf(row)?.transactionId ?? this.derivedId(row);
  }

  /** The id of a row without an override: a UUID whose first word is the permuted row number. */
  derivedId(row: number): string {
    const { seed } = this;
    const first = hex8(permute32(row, seed));
    const second = hex8(hash32(seed, row, 41));
    const third = hex8(hash32(seed, row, 42));
    return `${first}-${second.slice(0, 4)}-4${second.slice(5)}-a${third.slice(1, 4)}-${third.slice(4)}${hex8(hash32(seed, row, 43))}`;
  }

  assetOf(row: number): Asset {
    const asset = assets[this.columns.asset[row] ?? 0];
    if (asset === undefined) throw new RangeError(`no asset for row ${row}`);
    return asset;
  }

  /** The id of the asset a row shows. */
  assetIdOf(row: number): string {
    return this.overrideOf(row)?.assetId ?? this.assetOf(row).assetId;
  }

  amountText(row: number): string {
    const { columns } = this;
    return formatParts(String(columns.whole[row] ?? 0), columns.fraction[row] ?? 0n, this.assetOf(row));
  }

  feeText(row: number): string {
    if (!showsFee(this.columns.status[row] ?? 0)) return '';
    const fee = this.columns.fee[row] ?? 0n;
    return formatParts((fee / oneUnit).toString(), fee % oneUnit, this.assetOf(row));
  }

  hashText(row: number): string {
    if (!showsHash(this.columns.status[row] ?? 0)) return '';
    return deriveHash(networkAt(this.networkOf(row)), this.seed ^ 0x5eed, row);
  }

  networkOf(row: number): number {
    return networkOfAsset[this.columns.asset[row] ?? 0] ?? 0;
  }

  /** The record of a row (sections 2.2 to 2.5). */
  record(row: number): TransactionRecord {
    const override = this.overrideOf(row);
    if (override !== undefined) return override;
    const { columns, parties } = this;
    const asset = this.assetOf(row);
    const networkIndex = this.networkOf(row);
    const network = networkAt(networkIndex);
    const source = parties.get(columns.source[row] ?? 0);
    const destination = parties.get(columns.destination[row] ?? 0);
    const txnHash = this.hashText(row);
    return {
      transactionId: this.derivedId(row),
      createdAt: columns.createdAt[row] ?? 0,
      transactionType: transactionTypes[columns.type[row] ?? 0] ?? '',
      status: statuses[columns.status[row] ?? 0] ?? '',
      assetId: asset.assetId,
      assetName: asset.name,
      networkId: network.networkId,
      networkName: network.name,
      amount: this.amountText(row),
      fee: this.feeText(row),
      sourceType: source.kind,
      sourceId: source.id,
      sourceName: source.name,
      sourceAddress: parties.address(source.index, networkIndex),
      destinationType: destination.kind,
      destinationId: destination.id,
      destinationName: destination.name,
      destinationAddress: parties.address(destination.index, networkIndex),
      memo: parties.memo(destination.index, networkIndex),
      txnHash,
      blockexplorerLink: txnHash === '' ? '' : network.explorer + txnHash,
      note: notes[columns.note[row] ?? 0] ?? '',
    };
  }

  /** The ledger entry of a row, and its asset. */
  ledgerEntry(row: number): { assetId: string; entry: LedgerEntry } {
    const override = this.overrideOf(row);
    if (override !== undefined) return this.#overrideEntry(override);
    const { columns, parties } = this;
    const status = columns.status[row] ?? 0;
    const entry = {
      transactionType: transactionTypes[columns.type[row] ?? 0] ?? '',
      status: statuses[status] ?? '',
      amount: BigInt(columns.whole[row] ?? 0) * oneUnit + (columns.fraction[row] ?? 0n),
      fee: showsFee(status) ? (columns.fee[row] ?? 0n) : 0n,
      source: parties.get(columns.source[row] ?? 0).vaultType,
      destination: parties.get(columns.destination[row] ?? 0).vaultType,
    };
    return { assetId: this.assetOf(row).assetId, entry };
  }

  #overrideEntry(record: TransactionRecord): { assetId: string; entry: LedgerEntry } {
    const { parties } = this;
    const amounts = ledgerAmounts(record.amount, record.fee);
    const entry = {
      transactionType: record.transactionType,
      status: record.status,
      // Text that is not an amount moves nothing.
      ...(amounts ?? { amount: 0n, fee: 0n }),
      source: record.sourceType === 'vault' ? parties.vaultType(record.sourceId) : undefined,
      destination: record.destinationType === 'vault' ? parties.vaultType(record.destinationId) : undefined,
    };
    return { assetId: record.assetId, entry };
  }
}
