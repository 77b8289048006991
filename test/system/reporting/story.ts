// What happens to the world while it is observed: months with both changes of the clocks in several time
// zones, observed on the last microsecond of a day and on the first of the next, and everything that makes
// figures go wrong when views are wrong.
import type { NewTransaction } from '../../../packages/sandbox/src/world/world.ts';
import type { Observed } from './observed.ts';
import { isoOf, micros } from './zones.ts';

export const zones = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kathmandu',
  'America/Santiago',
  'Africa/Cairo',
  'Atlantic/Azores',
  'Australia/Lord_Howe',
] as const;

/** Moments at which a day begins somewhere, most of them beside a change of the clocks. */
export const boundaries: readonly string[] = [
  '2025-03-09T05:00:00Z', // New York: this day has 23 hours
  '2025-03-10T04:00:00Z',
  '2025-03-29T23:00:00Z', // Berlin: this day has 23 hours
  '2025-03-30T22:00:00Z',
  '2025-04-05T13:00:00Z', // Lord Howe: this day has half an hour more
  '2025-04-06T04:00:00Z', // Santiago: the day before had 25 hours
  '2025-04-24T22:00:00Z', // Cairo: midnight is skipped
  '2025-05-01T18:15:00Z', // Kathmandu
  '2025-09-07T04:00:00Z', // Santiago: midnight is skipped; nothing was observed since May
  '2025-10-25T22:00:00Z', // Berlin: this day has 25 hours
  '2025-10-26T00:00:00Z', // Azores: midnight comes twice
  '2025-10-26T23:00:00Z',
  '2025-11-02T04:00:00Z', // New York: this day has 25 hours
  '2025-11-03T05:00:00Z',
];

const huge = '1234567890123456789012345678901234567890';
const tiny = '0.000000000000000001';

/** An amount that leaves the balances without a transaction that says so. */
const lost = '4000.000000000000000007';
/** A fee that is given back to the staked balance, which is a reward for all that anybody can tell. */
const reward = '0.300000000000000001';

type More = NewTransaction & { readonly status: string };

/**
 * @param pace how much happens between two observations
 * @param length how many of the boundaries it goes through
 */
export async function tellStory(observed: Observed, pace: number, length = boundaries.length): Promise<void> {
  const { sandbox } = observed.mirror;
  const { world, faults } = sandbox;
  const [vault, gone] = world.vaults('warm');
  const [cold] = world.vaults('cold');
  const [, dropped] = world.whitelist();
  if (!vault || !gone || !cold || !dropped) throw new Error('the world is too small');
  const own = { id: vault.vaultId, name: vault.name };

  const insert = (
    transaction: NewTransaction & { readonly transactionId: string; readonly status: string },
  ) => {
    statuses.set(transaction.transactionId, transaction.status);
    world.insertTransaction('head', transaction);
  };
  const remove = (transactionId: string) => {
    statuses.delete(transactionId);
    world.removeTransaction(transactionId);
  };
  const deposit = (transactionId: string, assetId: string, amount: string, more: More) =>
    insert({
      transactionId,
      transactionType: 'deposit',
      ...assetOf(assetId),
      amount,
      fee: '',
      sourceType: 'external',
      sourceId: '',
      sourceName: '',
      sourceAddress: 'sender',
      destinationType: 'vault',
      destinationId: own.id,
      destinationName: own.name,
      destinationAddress: 'own',
      ...more,
    });
  const spend = (transactionId: string, assetId: string, amount: string, more: More) =>
    insert({
      transactionId,
      transactionType: 'withdraw',
      ...assetOf(assetId),
      amount,
      fee: '0.010000000000000001',
      sourceType: 'vault',
      sourceId: own.id,
      sourceName: own.name,
      sourceAddress: 'own',
      destinationType: 'whitelist',
      destinationId: world.whitelist()[0]?.whitelistId ?? '',
      destinationName: '',
      destinationAddress: 'receiver',
      ...more,
    });
  /** The statuses of the story's own transactions, which the world would otherwise move on by itself. */
  const statuses = new Map<string, string>();
  const move = (transactionId: string, status: string) => {
    statuses.set(transactionId, status);
    world.alterTransaction(transactionId, { status });
  };
  const pass = (steps: number) => {
    sandbox.advance(steps);
    for (const [id, status] of statuses)
      if (world.transaction(id)?.status !== status) world.alterTransaction(id, { status });
  };

  /** By the number of the boundary, what happens before its first observation. */
  const events: Readonly<Record<number, () => void>> = {
    0: () => {
      deposit('tiny', 'ETH', tiny, { status: 'processing' });
      deposit('huge', 'HUGE', huge, {
        status: 'completed',
        destinationId: cold.vaultId,
        destinationName: cold.name,
      });
      deposit('fails-in', 'DUST', '7.000000000000000001', { status: 'processing' });
      spend('fails-out', 'ETH', '3', { status: 'pending' });
      deposit('reversed', 'DUST', '11', { status: 'confirming' });
      deposit('gone', 'GONE', '5.5', { status: 'completed' });
      deposit('twice', 'DUST', '2', { status: 'confirming' });
    },
    1: () => {
      move('tiny', 'confirming');
      move('fails-in', 'confirming');
      move('fails-out', 'processing');
      deposit('unknown-amount', 'BLANK', '', { status: 'completed' });
      spend('unknown-fee', 'HUGE', '1', { status: 'completed', fee: '' });
      spend('airdrop', 'DUST', '1', { transactionType: 'airdrop', status: 'completed' });
    },
    2: () => {
      move('fails-out', 'confirming');
      move('tiny', 'completed');
      move('twice', 'completed');
      deposit('lost', 'LOST', lost, { status: 'completed' });
      spend('pool', 'POOL', '2', {
        transactionType: 'change pool',
        status: 'completed',
        fee: reward,
        destinationType: 'stake pool',
      });
    },
    3: () => {
      move('fails-out', 'failed');
      move('fails-in', 'failed');
      move('reversed', 'reversed');
      move('twice', 'confirming');
      world.renameVault(own.id, 'Desk "A" | two');
    },
    4: () => {
      remove('gone');
      move('twice', 'completed');
      spend('left-again', 'HUGE', '9876543210987654321098765432109876543210', { status: 'completed' });
      const entry = world.whitelist()[0];
      if (entry !== undefined)
        world.alterWhitelistEntry(entry.whitelistId, { name: 'Renamed', address: 'elsewhere' });
    },
    5: () => {
      remove('lost');
      move('reversed', 'checking');
      world.removeWhitelistEntry(dropped.whitelistId);
    },
    6: () => {
      move('left-again', 'failed');
      remove('pool');
    },
    7: () => {
      spend('stake', 'ETH', '1.25', {
        transactionType: 'stake',
        status: 'processing',
        destinationType: 'validator',
      });
      world.alterTransaction('tiny', { note: 'noted | later', networkName: 'Ethereum Mainnet' });
    },
    8: () => {
      move('stake', 'completed');
      deposit('gone', 'GONE', '5.5', { status: 'completed' });
      world.addVault({ vaultType: 'cold', name: 'New' });
    },
    9: () => {
      spend('unstake', 'ETH', '1', {
        transactionType: 'unstake',
        status: 'confirming',
        destinationType: 'validator',
      });
      move('reversed', 'completed');
      world.removeVault(gone.vaultId);
    },
    10: () => void move('unstake', 'completed'),
    11: () => {
      world.addVault({ vaultId: gone.vaultId, vaultType: gone.vaultType, name: 'Back again' });
      world.addWhitelistEntry({ whitelistId: dropped.whitelistId, assetId: dropped.assetId, name: 'Back' });
    },
    12: () => {
      deposit('claim', 'ETH', '0.5', {
        transactionType: 'claim',
        sourceType: 'network',
        status: 'confirming',
      });
    },
    13: () => void move('claim', 'completed'),
  };

  await observed.readBalances('2025-03-08T08:00:00Z');
  await observed.readTransactions('2025-03-08T09:00:00Z');
  await observed.readDocuments('2025-03-08T09:00:01Z');
  for (const [index, boundary] of boundaries.slice(0, length).entries()) {
    events[index]?.();
    pass(pace + (index % 3) * 5);
    const before = isoOf(micros(boundary) - 1n);
    if (index % 4 === 2) {
      // Balances first: what happened before shows in the transactions a day later.
      await observed.readBalances(before);
      await observed.readTransactions(before);
    } else {
      await observed.readTransactions(before);
      if (index !== 5) await observed.readBalances(before);
    }
    pass(pace);
    await observed.readTransactions(boundary);
    if (index === 6)
      faults.add({
        kind: 'http500',
        endpoint: 'balances-by-type',
        when: ({ parameter }) => parameter === 'cold',
      });
    await observed.readBalances(boundary);
    faults.clear();
    if (index % 3 === 2) await observed.readDocuments(isoOf(micros(boundary) + 1_000_000n));
  }
}

/** Assets of the catalogue keep their network; others are of none. */
function assetOf(assetId: string): NewTransaction {
  if (assetId === 'ETH') return { assetId, assetName: 'Ether', networkId: 'ETH', networkName: 'Ethereum' };
  return { assetId, assetName: assetId, networkId: '', networkName: '' };
}
