// The model's records as the service writes them (docs/custody-service.md 2.1 to 2.5) and as the mirror is to
// hold them: two spellings of the same values, written side by side without the program's own decoding.
import type { ModelRecord } from './list-model.ts';

const amounts = ['1.5', '0.000000000000000000001', '123456789012345678901234567890.10'];
const fees = ['', '0', '0.10'];
const notes = ['', 'payout "Q3"', 'naïve ₿ \\ {x}'];
const hashes = ['', '0xabc', '0xdef'];
const names = ['Treasury', 'Operations', ''];

const pick = (values: readonly string[], index: number): string => values[index % values.length] ?? '';

/** The record as JSON for an answer, with the time of retrieval. */
export function toWire({ id, status, values }: ModelRecord, timestamp: string): object {
  return {
    transaction_id: id,
    timestamp,
    transaction: {
      transaction_type: 'withdraw',
      asset_id: 'ETH',
      asset_name: 'Ether',
      network_id: 'ethereum',
      network_name: 'Ethereum',
      amount: pick(amounts, values.amount),
      fee: pick(fees, values.fee),
      source: {
        source_type: 'vault',
        source_id: 'v1',
        source_name: pick(names, values.sourceName),
        source_address: '0x01',
      },
      destination: {
        destination_type: 'whitelist',
        destination_id: 'w1',
        destination_name: 'Supplier',
        destination_address: '0x02',
        memo: '',
      },
      txn_hash: pick(hashes, values.txnHash),
      blockexplorer_link: '',
      note: pick(notes, values.note),
      ...(values.unknown === 0 ? {} : { x_model_extra: values.unknown }),
    },
    status,
  };
}

/** Columns of custody.transactions that follow from the record alone. */
export function toRow(record: ModelRecord): Readonly<Record<string, unknown>> {
  const { id, status, values } = record;
  const fee = pick(fees, values.fee);
  return {
    transaction_id: id,
    status,
    transaction_type: 'withdraw',
    asset_id: 'ETH',
    asset_name: 'Ether',
    network_id: 'ethereum',
    network_name: 'Ethereum',
    amount: pick(amounts, values.amount),
    fee: fee === '' ? null : fee,
    source_type: 'vault',
    source_id: 'v1',
    source_name: pick(names, values.sourceName),
    source_address: '0x01',
    destination_type: 'whitelist',
    destination_id: 'w1',
    destination_name: 'Supplier',
    destination_address: '0x02',
    destination_memo: '',
    txn_hash: pick(hashes, values.txnHash),
    blockexplorer_link: '',
    note: pick(notes, values.note),
  };
}

/** What a revision from one content to the next must say: `changed_fields`, `before` and `after`. */
export function revisionBetween(was: ModelRecord, is: ModelRecord) {
  const fields: [string, unknown, unknown][] = [];
  const rowBefore = toRow(was);
  const rowAfter = toRow(is);
  for (const name of ['amount', 'fee', 'source_name', 'txn_hash', 'note'])
    if (rowBefore[name] !== rowAfter[name]) fields.push([name, rowBefore[name], rowAfter[name]]);
  const unknown = (record: ModelRecord) => (record.values.unknown === 0 ? undefined : record.values.unknown);
  if (unknown(was) !== unknown(is)) fields.push(['raw.transaction.x_model_extra', unknown(was), unknown(is)]);
  const defined = (side: 1 | 2) =>
    Object.fromEntries(
      fields.filter((field) => field[side] !== undefined).map((field) => [field[0], field[side]]),
    );
  return { changedFields: fields.map(([name]) => name), before: defined(1), after: defined(2) };
}

/** Whether two contents are the same to whoever reads the answers. */
export function sameContent(a: ModelRecord, b: ModelRecord): boolean {
  return a === b || (a.id === b.id && JSON.stringify(toWire(a, '')) === JSON.stringify(toWire(b, '')));
}
