// Services that keep balances back from /balances: an asset that a transaction names is asked for by itself.
import { expect, test } from 'vitest';
import type { ListCut } from '../../../packages/sandbox/src/http/list-cut.ts';
import { snapshotBalances } from '../../../src/sync/jobs/balances.ts';
import { sweepTransactions } from '../../../src/sync/jobs/transactions-sweep.ts';
import { type Mirror, openMirror } from '../../support/mirror.ts';

const cutTo = async (cut: ListCut) => {
  const mirror = await openMirror(
    { transactions: 100, frozen: true, cut, paging: { 'balances-by-type': 'supported' } },
    { CUSTODY_RETRIES: '0', CUSTODY_PAGE_SIZE: '200' },
  );
  await sweepTransactions(mirror.context, { job: 'transactions' });
  return mirror;
};

const tick = ({ context }: Mirror) => snapshotBalances(context);

async function held({ query }: Mirror): Promise<Set<string>> {
  const rows = await query(`select vault_type, asset_id, network_id, total_balance::text as total
    from custody.balances where valid_to is null`);
  return new Set(
    rows.map((row) => `${row['vault_type']} ${row['asset_id']} ${row['network_id']} ${row['total']}`),
  );
}

/** What the service holds of assets that transactions name, and of those that its lists show. */
async function reachable({ sandbox, query }: Mirror, shown: number): Promise<Set<string>> {
  const rows = await query('select distinct asset_id from custody.transactions');
  const named = new Set(rows.map((row) => row['asset_id']));
  return new Set(
    (['all', 'warm', 'cold'] as const).flatMap((type) =>
      sandbox.world
        .balances(type)
        .filter((balance, place) => place < shown || named.has(balance.assetId))
        .map((balance) => `${type} ${balance.assetId} ${balance.networkId} ${balance.total}`),
    ),
  );
}

const assetsAsked = ({ sandbox }: Mirror) =>
  sandbox.requests.recent().filter(({ query }) => query.includes('asset_id=')).length;

test('assets that the list of balances keeps back are mirrored, and it is not verified', async () => {
  const mirror = await cutTo({ balances: 5 });
  expect(await tick(mirror)).toMatchObject({ status: 'succeeded', verified: false, doubts: ['list-cut'] });
  expect(await held(mirror)).toEqual(await reachable(mirror, 5));
  expect(mirror.sandbox.world.balances('all').length).toBeGreaterThan(5);
  const before = await held(mirror);
  expect(await tick(mirror)).toMatchObject({ verified: false, changed: 0 });
  expect(await held(mirror)).toEqual(before);
});

test('an asset whose balance cannot be read leaves no gap: the snapshot is not written', async () => {
  const mirror = await cutTo({ balances: 5 });
  await tick(mirror);
  const before = await held(mirror);
  mirror.sandbox.faults.add({
    kind: 'http500',
    endpoint: 'balances',
    when: ({ query }) => query.has('asset_id'),
  });
  expect(await tick(mirror)).toMatchObject({ status: 'failed' });
  expect(await held(mirror)).toEqual(before);
});

const failing = (
  mirror: Mirror,
  isAsked: (query: URLSearchParams) => boolean,
  times = Number.POSITIVE_INFINITY,
) => {
  let left = times;
  mirror.sandbox.faults.add({
    kind: 'http500',
    endpoint: 'balances',
    when: ({ query }) => isAsked(query) && left-- > 0,
  });
};

test('where the list of all vaults fails, lists by type keep what it kept back', async () => {
  const mirror = await cutTo({ balances: 5 });
  await tick(mirror);
  const before = await held(mirror);
  failing(mirror, (query) => !query.has('asset_id'));
  expect(await tick(mirror)).toMatchObject({ status: 'failed' });
  expect(await held(mirror)).toEqual(before);
});

test('what was found is not forgotten where the list cannot be read again', async () => {
  const mirror = await cutTo({ balances: 5 });
  let lists = 0;
  failing(mirror, (query) => !query.has('asset_id') && query.get('offset') === '0' && ++lists > 2, 100);
  await tick(mirror);
  mirror.sandbox.faults.clear();
  expect(await tick(mirror)).toMatchObject({ verified: false, doubts: ['list-cut'] });
});

/** No asset that is asked for by itself is held. */
const gone = {
  kind: 'falseempty',
  endpoint: 'balances',
  when: ({ query }: { query: URLSearchParams }) => query.has('asset_id'),
} as const;

test('kept-back assets that hold nothing for a while are no evidence that the list is whole', async () => {
  const cut: ListCut = { balances: 5 };
  const mirror = await cutTo(cut);
  await tick(mirror);
  const known = mirror.context.facts.known.get('balances_cut');
  for (let round = 0; round < 3; round += 1) {
    mirror.sandbox.faults.add(gone);
    expect(await tick(mirror)).toMatchObject({ verified: false });
    mirror.sandbox.faults.clear();
  }
  expect(mirror.context.facts.known.get('balances_cut')).toBe(known);
});

test('two examinations in a row that find all kept-back assets sold end the doubt', async () => {
  const mirror = await cutTo({ balances: 5 });
  await tick(mirror);
  const { facts } = mirror.context;
  mirror.sandbox.faults.add(gone);
  for (let day = 0; day < 2; day += 1) {
    expect(facts.known.has('balances_cut')).toBe(true);
    const value = '2020-01-01T00:00:00.000Z';
    facts.learn({ fact: 'balances_examined', value, evidence: 'more than a day ago' });
    expect(await tick(mirror)).toMatchObject({ verified: false });
    expect(await tick(mirror)).toMatchObject({ verified: day === 1 });
  }
  expect(facts.known.has('balances_cut')).toBe(false);
});

test('two ticks in which the list holds everything again end the doubt', async () => {
  const cut: ListCut = { balances: 5 };
  const mirror = await cutTo(cut);
  await tick(mirror);
  cut.balances = undefined;
  expect(await tick(mirror)).toMatchObject({ verified: false });
  await tick(mirror);
  expect(await tick(mirror)).toMatchObject({ verified: true, doubts: [] });
  expect(mirror.context.facts.known.has('balances_cut')).toBe(false);
});

test('an honest list is asked about at most 20 assets a day', async () => {
  const mirror = await cutTo({});
  mirror.sandbox.requests.reset();
  for (const _ of [1, 2]) expect(await tick(mirror)).toMatchObject({ verified: true });
  expect(assetsAsked(mirror)).toBeLessThanOrEqual(20);
});
