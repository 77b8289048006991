/**
 * The transactions of a world: compact rows, and whole records for the few that were inserted or altered by hand.
 * Invariant: `record(row)` depends on the row and the seed alone, and `rowOf(record.transactionId)` finds it again
 * without an index over all ids.
 */

import { formatParts, UNIT } from '../numbers/decimal.ts';
import { hash32, hex8, permute32, unpermute32 } from '../numbers/random.ts';
import type { Asset } from './catalogue.ts';
import { ASSETS, deriveHash, NETWORKS } from './catalogue.ts';
import { Columns, OVERRIDDEN, REMOVED } from './columns.ts';
import type { LedgerEntry } from './ledger.ts';
import { ledgerAmounts } from './ledger.ts';
import type { Parties } from './parties.ts';
import { networkAt } from './parties.ts';
import type { TransactionRecord } from './records.ts';
import { STATUSES, TRANSACTION_TYPES } from './records.ts';

/** What is stored of a transaction that the world makes itself; amounts are units of 10^-18. */
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

export const PENDING = STATUSES.indexOf('pending');
export const PROCESSING = STATUSES.indexOf('processing');
export const CONFIRMING = STATUSES.indexOf('confirming');
export const COMPLETED = STATUSES.indexOf('completed');
export const REJECTED = STATUSES.indexOf('rejected');
export const CANCELLED = STATUSES.indexOf('cancelled');
export const FAILED = STATUSES.indexOf('failed');

/** Statuses that can still move. */
export const OPEN_STATUSES: readonly number[] = [PENDING, PROCESSING, CONFIRMING];

/** Index of the network of each asset, by index of the asset. */
export const ASSET_NETWORK: readonly number[] = ASSETS.map(({ networkId }) =>
  NETWORKS.findIndex((network) => network.networkId === networkId),
);

/** A fee is known from processing on, except where nothing was sent. */
export function showsFee(status: number): boolean {
  return status === PROCESSING || status === CONFIRMING || status === COMPLETED || status === FAILED;
}

/** A hash and its link are known once the transaction was broadcast. */
function showsHash(status: number): boolean {
  return status === CONFIRMING || status === COMPLETED || status === FAILED;
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

  /** Adds a row under the key that orders the list. */
  append(draft: Draft, key: number): number {
    const { columns } = this;
    const row = columns.append();
    columns.type[row] = draft.type;
    columns.status[row] = draft.status;
    columns.asset[row] = draft.asset;
    columns.source[row] = draft.source;
    columns.destination[row] = draft.destination;
    const whole = draft.amount / UNIT;
    columns.whole[row] = Number(whole);
    columns.fraction[row] = draft.amount - whole * UNIT;
    columns.fee[row] = draft.fee;
    columns.note[row] = draft.note;
    columns.createdAt[row] = draft.createdAt;
    columns.key[row] = key;
    return row;
  }

  /** Replaces the whole record of a row, its id included. */
  override(row: number, record: TransactionRecord): void {
    const previous = this.#overrides.get(row);
    if (previous !== undefined) this.#customIds.delete(previous.transactionId);
    this.#overrides.set(row, record);
    this.#customIds.set(record.transactionId, row);
    this.columns.flags[row] = (this.columns.flags[row] ?? 0) | OVERRIDDEN;
    this.columns.createdAt[row] = record.createdAt;
  }

  /** The record set by hand in place of the derived one. */
  overrideOf(row: number): TransactionRecord | undefined {
    return ((this.columns.flags[row] ?? 0) & OVERRIDDEN) === 0 ? undefined : this.#overrides.get(row);
  }

  isRemoved(row: number): boolean {
    return ((this.columns.flags[row] ?? 0) & REMOVED) !== 0;
  }

  markRemoved(row: number): void {
    this.columns.flags[row] = (this.columns.flags[row] ?? 0) | REMOVED;
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

  /** The id of a row that was not set by hand: a UUID whose first word is the row, permuted. */
  derivedId(row: number): string {
    const { seed } = this;
    const first = hex8(permute32(row, seed));
    const second = hex8(hash32(seed, row, 41));
    const third = hex8(hash32(seed, row, 42));
    return `${first}-${second.slice(0, 4)}-4${second.slice(5)}-a${third.slice(1, 4)}-${third.slice(4)}${hex8(hash32(seed, row, 43))}`;
  }

  assetOf(row: number): Asset {
    const asset = ASSETS[this.columns.asset[row] ?? 0];
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
    return formatParts((fee / UNIT).toString(), fee % UNIT, this.assetOf(row));
  }

  hashText(row: number): string {
    if (!showsHash(this.columns.status[row] ?? 0)) return '';
    return deriveHash(networkAt(this.networkOf(row)), this.seed ^ 0x5eed, row);
  }

  networkOf(row: number): number {
    return ASSET_NETWORK[this.columns.asset[row] ?? 0] ?? 0;
  }

  /** The plain record of a row (sections 2.2 to 2.5). */
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
      transactionType: TRANSACTION_TYPES[columns.type[row] ?? 0] ?? '',
      status: STATUSES[columns.status[row] ?? 0] ?? '',
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
      note: NOTES[columns.note[row] ?? 0] ?? '',
    };
  }

  /** What the ledger posts for a row, and for which asset. */
  ledgerEntry(row: number): { assetId: string; entry: LedgerEntry } {
    const override = this.overrideOf(row);
    if (override !== undefined) return this.#overrideEntry(override);
    const { columns, parties } = this;
    const status = columns.status[row] ?? 0;
    const entry = {
      transactionType: TRANSACTION_TYPES[columns.type[row] ?? 0] ?? '',
      status: STATUSES[status] ?? '',
      amount: BigInt(columns.whole[row] ?? 0) * UNIT + (columns.fraction[row] ?? 0n),
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
      // What is no amount moves nothing, whatever the type.
      ...(amounts ?? { amount: 0n, fee: 0n }),
      source: record.sourceType === 'vault' ? parties.vaultType(record.sourceId) : undefined,
      destination: record.destinationType === 'vault' ? parties.vaultType(record.destinationId) : undefined,
    };
    return { assetId: record.assetId, entry };
  }
}

/** Notes people write; the first is the usual one. */
export const NOTES: readonly string[] = [
  '',
  'Monthly treasury allocation',
  'Client settlement',
  'Invoice 2291/B',
  'Quarter-end rebalancing',
  'Approved by two of three',
  'OTC desk, trade "Blue Heron"',
  'Zahlung für Prüfung',
  'Réserve – virement interne',
  '運用口座への移動',
  'Refund\nsee ticket 4410',
  'Payroll ✅',
  'top-up C:\\hot\\gas',
  'Test payment',
  'Sweep of deposit address',
  'Board resolution 14',
];
