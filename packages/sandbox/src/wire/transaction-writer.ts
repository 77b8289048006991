// Writes transactions (sections 2.1 to 2.5) in two ways: fast, from cached fragments, and plain, with quirks.
// Invariant: both write the same text for a record without quirks; a test compares them.

import { networks } from '../values/catalogue.ts';
import { formatParts, oneUnit } from '../values/decimal.ts';
import { notes } from '../values/names.ts';
import { networkAt } from '../world/parties.ts';
import type { TransactionRecord } from '../world/records.ts';
import { statuses, transactionTypes } from '../world/records.ts';
import { showsFee } from '../world/statuses.ts';
import type { TransactionTable } from '../world/transaction-table.ts';
import type { Quirks } from './quirks.ts';

/** Writes the records of pages. */
export class TransactionWriter {
  readonly #table: TransactionTable;
  readonly #quirks: Quirks;
  readonly #details: string[] = [];
  readonly #sources: string[] = [];
  readonly #destinations: string[] = [];

  constructor(table: TransactionTable, quirks: Quirks) {
    this.#table = table;
    this.#quirks = quirks;
  }

  /** The envelope of section 2.1; `timestamp` is the time of the request. */
  envelope(rows: readonly number[], timestamp: string): Buffer {
    // Each record is written to the buffer by itself: one character beyond Latin-1 would slow down the string
    // of a page.
    let buffer = Buffer.allocUnsafe(64 + Math.min(rows.length, 1000) * 1024);
    let length = buffer.write(opening, 0);
    for (const row of rows) {
      const text = this.#write(row, timestamp);
      if (buffer.length - length < text.length * 3 + 4) {
        const larger = Buffer.allocUnsafe(buffer.length * 2 + text.length * 3);
        buffer.copy(larger, 0, 0, length);
        buffer = larger;
      }
      length += buffer.write(text, length);
      buffer[length] = comma;
      length += 1;
    }
    // The end replaces the last comma.
    length += buffer.write(']}', rows.length > 0 ? length - 1 : length) - (rows.length > 0 ? 1 : 0);
    return buffer.subarray(0, length);
  }

  #write(row: number, timestamp: string): string {
    const table = this.#table;
    if (this.#quirks.active || table.overrideOf(row) !== undefined) {
      return writeTransaction(table.record(row), timestamp, this.#quirks);
    }
    return this.#writeFast(row, timestamp);
  }

  #writeFast(row: number, timestamp: string): string {
    const table = this.#table;
    const { columns } = table;
    const network = table.networkOf(row);
    const asset = table.assetOf(row);
    const status = columns.status[row] ?? 0;
    const fee = showsFee(status) ? (columns.fee[row] ?? 0n) : undefined;
    const feeText =
      fee === undefined ? '' : fee < oneUnit ? formatParts('0', fee, asset) : table.feeText(row);
    const hash = table.hashText(row);
    const link = hash === '' ? '' : networkAt(network).explorer + hash;
    return `{"transaction_id":"${table.derivedId(row)}","timestamp":"${timestamp}",${this.#detail(row)}"${table.amountText(row)}","fee":"${feeText}",${this.#source(columns.source[row] ?? 0, network)},${this.#destination(columns.destination[row] ?? 0, network)},"txn_hash":"${hash}","blockexplorer_link":"${link}","note":${quotedNotes[columns.note[row] ?? 0]}},"status":"${statuses[status]}"}`;
  }

  #detail(row: number): string {
    const { columns } = this.#table;
    const slot = (columns.asset[row] ?? 0) * transactionTypes.length + (columns.type[row] ?? 0);
    const known = this.#details[slot];
    if (known !== undefined) return known;
    const asset = this.#table.assetOf(row);
    const network = networkAt(this.#table.networkOf(row));
    const text = `"transaction":{"transaction_type":${quote(transactionTypes[columns.type[row] ?? 0] ?? '')},"asset_id":${quote(asset.assetId)},"asset_name":${quote(asset.name)},"network_id":${quote(network.networkId)},"network_name":${quote(network.name)},"amount":`;
    this.#details[slot] = text;
    return text;
  }

  #source(party: number, network: number): string {
    const slot = party * networks.length + network;
    const known = this.#sources[slot];
    if (known !== undefined) return known;
    const { parties } = this.#table;
    const { kind, id, name } = parties.get(party);
    const text = `"source":{"source_type":${quote(kind)},"source_id":${quote(id)},"source_name":${quote(name)},"source_address":${quote(parties.address(party, network))}}`;
    this.#sources[slot] = text;
    return text;
  }

  #destination(party: number, network: number): string {
    const slot = party * networks.length + network;
    const known = this.#destinations[slot];
    if (known !== undefined) return known;
    const { parties } = this.#table;
    const { kind, id, name } = parties.get(party);
    const text = `"destination":{"destination_type":${quote(kind)},"destination_id":${quote(id)},"destination_name":${quote(name)},"destination_address":${quote(parties.address(party, network))},"memo":${quote(parties.memo(party, network))}}`;
    this.#destinations[slot] = text;
    return text;
  }
}

/** Writes a transaction in the plain way, with its quirks. */
export function writeTransaction(record: TransactionRecord, timestamp: string, quirks: Quirks): string {
  const id = record.transactionId;
  const has = (quirk: Parameters<Quirks['has']>[0]): boolean => quirks.active && quirks.has(quirk, id);
  if (has('string-record')) return quote(id);
  const numeric = has('numeric-amounts');
  const extra = has('unknown-fields');
  let type = record.transactionType;
  if (type === 'change pool' && has('changepool')) type = 'changepool';
  if (has('unknown-type')) type = 'airdrop';
  const status = has('unknown-status') ? 'settling' : record.status;
  const poolType =
    record.destinationType === 'stake pool' && has('stakepool') ? 'stakepool' : record.destinationType;
  let note = record.note;
  if (has('nul-note')) note += 'nul\u0000here';
  if (has('surrogate-note')) note += 'lone\ud83dhere';
  const amount = has('nan-amount') ? '"NaN"' : amountToken(record.amount, numeric);
  const idField = has('missing-id') ? '' : `"${has('id') ? 'id' : 'transaction_id'}":${quote(id)},`;
  const sourceId = has('vault-id') ? 'vault_id' : 'source_id';
  return `{${idField}"timestamp":"${timestamp}","transaction":{"transaction_type":${quote(type)},"asset_id":${quote(record.assetId)},"asset_name":${quote(record.assetName)},"network_id":${quote(record.networkId)},"network_name":${quote(record.networkName)},"amount":${amount},"fee":${amountToken(record.fee, numeric)},"source":{"source_type":${quote(record.sourceType)},"${sourceId}":${quote(record.sourceId)},"source_name":${quote(record.sourceName)},"source_address":${quote(record.sourceAddress)}${extra ? ',"x_sandbox_tag":null' : ''}},"destination":{"destination_type":${quote(poolType)},"destination_id":${quote(record.destinationId)},"destination_name":${quote(record.destinationName)},"destination_address":${quote(record.destinationAddress)},"memo":${quote(record.memo)}},"txn_hash":${quote(record.txnHash)},"blockexplorer_link":${quote(record.blockexplorerLink)},"note":${quote(note)}${extra ? ',"x_sandbox_rank":3,"x_sandbox_total":98765432109876543210.000000000000000001' : ''}},"status":${quote(status)}${extra ? ',"x_sandbox_approvals":[{"by":"policy","at":null}],"x_sandbox_risk":0.10' : ''}}`;
}

/** Text as JSON; lone surrogates and U+0000 become escapes. */
export function quote(text: string): string {
  return JSON.stringify(text);
}

/** An amount as JSON: text, or a number with the same digits if JSON allows them. */
export function amountToken(amount: string, numeric: boolean): string {
  return numeric && /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(amount) ? amount : quote(amount);
}

const opening = '{"transactions":[';
const comma = 44;

const quotedNotes: readonly string[] = notes.map(quote);
