// June 2025, day by day: what happens at the service, and what of it can be read. Whatever is unknown at some
// time has its window.
import { type Observed, observe } from '../observed.ts';
import { type MonthClock, openClock } from './clock.ts';
import {
  addPrices,
  answeredAt,
  expectDaemon,
  noteUnreadable,
  readBalances,
  readEmpty,
  readWhitelist,
  whileNobodyWrites,
} from './jobs.ts';
import { deposit, withdrawal } from './records.ts';

/** Moments at which everything is asked, each with what is unknown then. */
export const moments = {
  unread: '2025-06-01T06:00:00Z',
  'balances fail, whitelist denied': '2025-06-02T12:00:00Z',
  'balances read': '2025-06-03T12:00:00Z',
  'figure unreadable': '2025-06-04T12:00:00Z',
  'key unreadable': '2025-06-06T12:00:00Z',
  'stranger unreadable': '2025-06-07T12:00:00Z',
  'whitelist read': '2025-06-09T20:00:00Z',
  'odd transactions': '2025-06-10T20:00:00Z',
  'late news': '2025-06-12T20:00:00Z',
  down: '2025-06-15T12:00:00Z',
  'cold fails': '2025-06-18T12:00:00Z',
  end: '2025-06-30T12:00:00Z',
} as const;
/**
 * Between the request for balances and their answer, which tells what changed since cold vaults could be read
 * last.
 */
export const underWay = '2025-06-29T12:00:00Z';
export type Moment = keyof typeof moments;

export interface Month {
  readonly own: Observed;
  /** Reads transactions and balances alone, and holds nothing. */
  readonly empty: Observed;
  readonly clock: MonthClock;
}

type Wire = Record<string, unknown> & { balances?: Record<string, unknown> };
type Tamper = (list: Wire[]) => void;

/** What the service says of balances, changed on its way: the sandbox itself tells no nonsense. */
function tampering(now: () => Tamper): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await globalThis.fetch(input, init);
    if (!new URL(String(input)).pathname.includes('/balances') || !response.ok) return response;
    const body = (await response.json()) as { balance: Wire[] };
    now()(body.balance);
    return new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' } });
  };
}

const nothing: Tamper = () => undefined;

export async function playMonth(atEach: (moment: Moment, month: Month) => Promise<void>): Promise<void> {
  let tamper = nothing;
  const small = { seed: 3, transactions: 0, whitelistEntries: 0 };
  const own = await observe(
    '2025-06-01T00:00:00Z',
    { ...small, quirks: { 'nan-amount': ['unreadable'] } },
    { client: { fetch: tampering(() => tamper) }, unreadable: ['unreadable'] },
  );
  const empty = await observe('2025-06-01T00:00:00Z', small, {
    account: 'empty',
    database: own.mirror,
    env: { CUSTODY_RESOURCES: 'transactions,balances' },
  });
  const clock = await openClock(own.mirror);
  const month: Month = { own, empty, clock };
  const { world, faults } = own.mirror.sandbox;
  const [warm, cold] = [world.vaults('warm')[0], world.vaults('cold')[0]];
  if (warm === undefined || cold === undefined) throw new Error('the world has no vaults');
  await expectDaemon(own, ['transactions', 'balances', 'vaults', 'whitelist']);
  await expectDaemon(empty, ['transactions', 'balances']);

  const ask = async (moment: Moment) => {
    await clock.set(moments[moment]);
    await atEach(moment, month);
  };
  const balances = (iso: string) => readBalances(own, iso);
  /** Everything that a daemon reads all the time, just before it is asked. */
  const both = async (iso: string) => {
    await own.readTransactions(iso.replace(':00Z', ':01Z'));
    await balances(iso.replace(':00Z', ':02Z'));
    await readEmpty(empty, iso.replace(':00Z', ':03Z'));
  };
  const insert = (record: Parameters<typeof world.insertTransaction>[1]) =>
    world.insertTransaction('head', record);

  insert(deposit('old-btc', 'BTC', '10', warm));
  insert(deposit('old-btc-cold', 'BTC', '5', cold));
  insert(deposit('old-eth', 'ETH', '40', warm));
  insert(deposit('old-sol', 'SOL', '900', warm));
  insert(deposit('old-usdc', 'USDC', '1000', warm));
  insert(withdrawal('open', 'ETH', '2', warm, { status: 'pending' }));
  await ask('unread');

  faults.set([
    { kind: 'http500', endpoint: 'balances' },
    { kind: 'http500', endpoint: 'balances-by-type' },
    { kind: 'err02', endpoint: 'whitelist' },
  ]);
  await readWhitelist(own, '2025-06-02T11:50:00Z', 'failed');
  await both('2025-06-02T11:55:00Z');
  await ask('balances fail, whitelist denied');

  faults.set([{ kind: 'err02', endpoint: 'whitelist' }]);
  await addPrices(own);
  await both('2025-06-02T20:00:00Z');
  insert(withdrawal('unlisted', 'USDC', '100', warm));
  await readWhitelist(own, '2025-06-03T11:50:00Z', 'failed');
  await both('2025-06-03T11:55:00Z');
  await ask('balances read');

  tamper = (list) => {
    for (const one of list)
      if (one['asset_id'] === 'BTC') one.balances = { ...one.balances, total_balance: 'n/a' };
  };
  await both('2025-06-04T11:55:00Z');
  noteUnreadable(own, { named: ['BTC'] });
  await ask('figure unreadable');
  tamper = nothing;
  await both('2025-06-05T11:55:00Z');

  tamper = (list) => {
    for (const one of list) if (one['asset_id'] === 'SOL') delete one['asset_id'];
  };
  await both('2025-06-06T11:55:00Z');
  noteUnreadable(own, { named: [], gone: ['SOL'] });
  await ask('key unreadable');

  tamper = (list) => void list.push({ balances: { total_balance: '7' } });
  await both('2025-06-07T11:55:00Z');
  noteUnreadable(own, { named: [], gone: [] });
  await ask('stranger unreadable');
  tamper = nothing;
  await both('2025-06-08T11:55:00Z');

  faults.clear();
  // An empty list is believed when it was seen twice, an hour apart.
  await readWhitelist(own, '2025-06-09T08:00:00Z', 'succeeded', false);
  await readWhitelist(own, '2025-06-09T09:00:00Z', 'succeeded');
  await own.readTransactions('2025-06-09T09:01:00Z');
  insert(withdrawal('while-empty', 'USDC', '10', warm, { destinationId: 'w0' }));
  await own.readTransactions('2025-06-09T10:00:00Z');
  await readWhitelist(own, '2025-06-09T12:00:00Z', 'succeeded');
  await own.readTransactions('2025-06-09T12:01:00Z');
  world.addWhitelistEntry({ whitelistId: 'w1', assetId: 'USDC' });
  insert(withdrawal('just-listed', 'USDC', '20', warm, { destinationId: 'w1' }));
  await own.readTransactions('2025-06-09T13:00:00Z');
  await readWhitelist(own, '2025-06-09T15:00:00Z', 'succeeded');
  await own.readTransactions('2025-06-09T15:01:00Z');
  insert(withdrawal('while-listed', 'USDC', '30', warm, { destinationId: 'w1' }));
  await own.readTransactions('2025-06-09T16:00:00Z');
  await readWhitelist(own, '2025-06-09T17:00:00Z', 'succeeded');
  // Listed, paid and removed between two readings, none of which shows the entry.
  world.addWhitelistEntry({ whitelistId: 'w2', assetId: 'USDC' });
  insert(withdrawal('passing', 'USDC', '40', warm, { destinationId: 'w2' }));
  world.removeWhitelistEntry('w2');
  await both('2025-06-09T19:50:00Z');
  await readWhitelist(own, '2025-06-09T19:55:00Z', 'succeeded');
  await ask('whitelist read');

  await both('2025-06-10T10:00:00Z');
  insert(deposit('no-amount', 'USDC', '', warm));
  insert(deposit('on-hold', 'ETH', '3', warm, { status: 'on hold' }));
  insert(deposit('unreadable', 'ETH', '4', warm));
  insert(deposit('corrected', 'BTC', '1', warm));
  insert(deposit('vanishing', 'ETH', '0.5', warm));
  await both('2025-06-10T19:50:00Z');
  await readWhitelist(own, '2025-06-10T19:55:00Z', 'succeeded');
  await ask('odd transactions');

  world.removeTransaction('unreadable');
  world.alterTransaction('corrected', { amount: '1.5' });
  world.removeTransaction('vanishing');
  await both('2025-06-12T10:00:00Z');
  await both('2025-06-12T19:50:00Z');
  await readWhitelist(own, '2025-06-12T19:55:00Z', 'succeeded');
  await ask('late news');

  insert(deposit('meanwhile', 'SOL', '100', warm));
  world.alterTransaction('open', { status: 'completed' });
  await whileNobodyWrites(own, () => ask('down'));

  await both('2025-06-17T11:55:00Z');
  faults.set([
    { kind: 'http500', endpoint: 'balances-by-type', when: ({ parameter }) => parameter === 'cold' },
  ]);
  insert(deposit('to-cold', 'BTC', '2', cold));
  await both('2025-06-18T11:55:00Z');
  await readWhitelist(own, '2025-06-18T11:56:00Z', 'succeeded');
  await ask('cold fails');

  faults.clear();
  await both('2025-06-29T11:55:00Z');
  await answeredAt(own, '2025-06-29T12:05:00Z');
  await expectDaemon(own, ['transactions', 'balances', 'whitelist']);
  await both('2025-06-30T11:50:00Z');
  await readWhitelist(own, '2025-06-30T11:55:00Z', 'succeeded');
  await ask('end');
}
