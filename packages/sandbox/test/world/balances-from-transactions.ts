/**
 * A second bookkeeper: balances computed from plain transactions with rules written down here again, so that
 * the sandbox's own ledger is checked by something that shares no code with it.
 */
import type { TransactionRecord } from '../../src/world/records.ts';
import type { World } from '../../src/world/world.ts';

export interface Sums {
  total: bigint;
  available: bigint;
  processing: bigint;
  staking: bigint;
  claimable: bigint;
}

/** Decimal text as units of 10^-18. */
export function units(text: string): bigint {
  const [whole = '0', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(18, '0'));
}

/** Balances by `vaultType asset`, for warm, cold and all. */
export function bookkeep(world: Pick<World, 'transactions' | 'vaultType'>): Map<string, Sums> {
  const books = new Map<string, Sums>();
  const at = (type: string, asset: string): Sums => {
    const key = `${type} ${asset}`;
    const sums = books.get(key) ?? { total: 0n, available: 0n, processing: 0n, staking: 0n, claimable: 0n };
    books.set(key, sums);
    return sums;
  };
  const add = (vault: string, asset: string, part: Exclude<keyof Sums, 'total'>, delta: bigint): void => {
    for (const type of [world.vaultType(vault) ?? '?', 'all']) {
      at(type, asset)[part] += delta;
      at(type, asset).total += delta;
    }
  };
  for (const record of world.transactions()) book(record, add);
  return books;
}

function book(
  record: TransactionRecord,
  add: (vault: string, asset: string, part: Exclude<keyof Sums, 'total'>, delta: bigint) => void,
): void {
  const { assetId, sourceId, destinationId, status } = record;
  const amount = units(record.amount);
  const fee = units(record.fee === '' ? '0' : record.fee);
  const open = ['pending', 'processing', 'confirming'].includes(status);
  const done = status === 'completed';
  const from = (part: Exclude<keyof Sums, 'total'>, delta: bigint): void =>
    add(sourceId, assetId, part, delta);
  const to = (part: Exclude<keyof Sums, 'total'>, delta: bigint): void =>
    add(destinationId, assetId, part, delta);
  switch (record.transactionType) {
    case 'deposit':
      to('available', done ? amount : 0n);
      if (open && status !== 'pending') to('processing', amount);
      break;
    case 'withdraw':
    case 'rebalance':
    case 'stake':
      from('available', open || done ? -amount - fee : status === 'failed' ? -fee : 0n);
      from('processing', open ? amount + fee : 0n);
      if (record.transactionType === 'stake' && done) from('staking', amount);
      if (record.transactionType === 'rebalance') to('available', done ? amount : 0n);
      break;
    case 'unstake':
      from('staking', open || done ? -amount : 0n);
      from('processing', open ? amount : 0n);
      from('claimable', done ? amount - fee : 0n);
      break;
    case 'change pool':
      from('staking', open ? -amount : done ? -fee : 0n);
      from('processing', open ? amount : 0n);
      break;
    case 'claim':
      to('claimable', open || done ? -amount : 0n);
      to('processing', open ? amount : 0n);
      to('available', done ? amount - fee : 0n);
      break;
    default:
      throw new Error(`no rule for ${record.transactionType}`);
  }
}
