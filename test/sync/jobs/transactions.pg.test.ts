import { describe, expect, test } from 'vitest';
import { MirrorError } from '../../../src/domain/errors.ts';
import { syncTransactions } from '../../../src/sync/jobs/transactions.ts';
import { longTest, sampled } from '../../support/form.ts';
import { type Mirror, openMirror } from '../../support/mirror.ts';
import { mirroredTransactions, trueTransactions } from '../../support/truth.ts';

const cycle = (mirror: Mirror, full = false) => syncTransactions(mirror.context, { full });

/** A mirror whose list is known to grow at its end: two sweeps, with new records between them. */
async function settledMirror(options: Parameters<typeof openMirror>[0] = {}, env = {}): Promise<Mirror> {
  const mirror = await openMirror({ transactions: 300, ...options }, env);
  const { world } = mirror.sandbox;
  expect(await cycle(mirror)).toMatchObject({ verified: true });
  const place = options.order === 'oldest-first' ? 'tail' : 'head';
  for (let added = 0; added < 3; added += 1) insert(mirror, place);
  expect(await cycle(mirror)).toMatchObject({ verified: true, inserted: 3 });
  expect(mirror.context.facts.known.get('transactions_grow_at')).toBe(place);
  expect(await mirroredTransactions(mirror)).toEqual(trueTransactions(mirror.sandbox));
  expect(world.transactionCount()).toBe(303);
  return mirror;
}

/** The list's own idea of its head is the newest record, whichever end that is on. */
function insert(mirror: Mirror, _place: 'head' | 'tail') {
  return mirror.sandbox.world.insertTransaction('head', { status: 'pending' });
}

const modes = async (mirror: Mirror) =>
  (await mirror.query<{ mode: string }>('select mode from sync.runs order by run_id')).map((run) => run.mode);

describe.each(sampled(['newest-first', 'oldest-first', 'updated-first'] as const, { every: 2, from: 1 }))(
  'a list that is %s',
  (order) => {
    test.each(
      sampled(
        [
          { pages: 'as long as asked for', cut: {} },
          { pages: 'cut shorter', cut: { maxLimit: 20 } },
        ],
        { every: 2, from: order.length },
      ),
    )('costs at most six requests when nothing changed, pages $pages', async ({ cut }) => {
      const mirror = await settledMirror({ order, ...cut });
      await quietly(mirror);
      expect((await modes(mirror)).slice(-3)).toEqual(Array(3).fill('incremental'));
    });

    test('costs at most six requests in the cycles after a change too', async () => {
      const mirror = await settledMirror({ order });
      const inserted = insert(mirror, 'head');
      expect(await cycle(mirror)).toMatchObject({ status: 'succeeded', inserted: 1 });
      await quietly(mirror);
      mirror.sandbox.world.alterTransaction(inserted.transactionId, { status: 'confirming' });
      mirror.sandbox.requests.reset();
      expect(await cycle(mirror)).toMatchObject({ status: 'succeeded', changed: 1 });
      expect(mirror.sandbox.requests.total).toBeLessThanOrEqual(6);
      await quietly(mirror);
      expect((await modes(mirror)).filter((mode) => mode === 'full')).toHaveLength(2);
      expect(await mirroredTransactions(mirror)).toEqual(trueTransactions(mirror.sandbox));
    });

    test('is brought up to date by an increment', async () => {
      const mirror = await settledMirror({ order });
      const { world } = mirror.sandbox;
      for (let added = 0; added < 70; added += 1) insert(mirror, 'head');
      const open = [...world.transactions()].filter((transaction) =>
        ['pending', 'processing', 'confirming'].includes(transaction.status),
      );
      for (const [index, transaction] of open.slice(0, 20).entries())
        world.alterTransaction(transaction.transactionId, {
          status: index % 2 === 0 ? 'confirming' : 'completed',
        });
      expect(await cycle(mirror)).toMatchObject({ status: 'succeeded', inserted: 70 });
      expect((await modes(mirror)).at(-1)).toBe('incremental');
      expect(await mirroredTransactions(mirror)).toEqual(trueTransactions(mirror.sandbox));
    });
  },
);

test('100 new and 50 changed open records cost at most twenty requests', async () => {
  const mirror = await openMirror({ transactions: 3_000 }, { CUSTODY_PAGE_SIZE: '200' });
  const { world } = mirror.sandbox;
  await cycle(mirror);
  for (let added = 0; added < 60; added += 1) insert(mirror, 'head');
  await cycle(mirror);
  for (let added = 0; added < 100; added += 1) insert(mirror, 'head');
  const open = [...world.transactions()].filter(({ status }) => status === 'pending');
  for (const [index, { transactionId }] of open.slice(0, 50).entries())
    world.alterTransaction(transactionId, {
      status: ['processing', 'confirming', 'completed', 'failed'][index % 4] ?? 'completed',
    });
  mirror.sandbox.requests.reset();
  expect(await cycle(mirror)).toMatchObject({ status: 'succeeded' });
  expect(mirror.sandbox.requests.total).toBeLessThanOrEqual(20);
  expect((await modes(mirror)).at(-1)).toBe('incremental');
  expect(await mirroredTransactions(mirror)).toEqual(trueTransactions(mirror.sandbox));
});

test('a new record among known ones is found by the sweep, and the end is unlearned', async () => {
  const mirror = await settledMirror();
  mirror.sandbox.world.insertTransaction('tail', { status: 'completed' });
  await cycle(mirror);
  await cycle(mirror, true);
  expect(await mirroredTransactions(mirror)).toEqual(trueTransactions(mirror.sandbox));
  expect(mirror.context.facts.known.get('transactions_grow_at')).not.toBe('head');
});

test('open transactions are read by id where the service ignores the filter by status', async () => {
  const mirror = await settledMirror({ cut: { ignoredFilters: ['status'] } });
  const pending = [...mirror.sandbox.world.transactions()].find(({ status }) => status === 'pending');
  mirror.sandbox.world.alterTransaction(pending?.transactionId ?? '', { status: 'failed' });
  const { known } = mirror.context.facts;
  for (let seen = 1; seen <= 3; seen += 1) {
    await cycle(mirror);
    expect(await mirroredTransactions(mirror)).toEqual(trueTransactions(mirror.sandbox));
    expect(known.get('status_filter')).toBe(seen < 3 ? undefined : 'ignored');
  }
  // What was learned holds until the filter was found to work in as many runs.
  await cycle(mirror);
  expect(known.get('status_filter')).toBe('ignored');
});

test('one open transaction that cannot be read does not stop the others', async () => {
  const mirror = await settledMirror();
  const [first, second] = [...mirror.sandbox.world.transactions()].filter(
    ({ status }) => status === 'pending',
  );
  const ids = [first?.transactionId ?? '', second?.transactionId ?? ''];
  for (const id of ids) mirror.sandbox.world.alterTransaction(id, { status: 'completed' });
  mirror.sandbox.faults.add({
    kind: 'http500',
    endpoint: 'transaction',
    when: ({ parameter }) => parameter === ids[0],
  });
  expect(await cycle(mirror)).toMatchObject({ status: 'succeeded' });
  const held = await mirroredTransactions(mirror);
  expect(held.get(ids[1] ?? '')?.['status']).toBe('completed');
});

test('a list that shrank under the increment is swept', async () => {
  const mirror = await settledMirror({ order: 'oldest-first' });
  const { world } = mirror.sandbox;
  for (const { transactionId } of [...world.transactions()].slice(0, 100))
    world.removeTransaction(transactionId);
  for (let added = 0; added < 5; added += 1) insert(mirror, 'tail');
  expect(await cycle(mirror)).toMatchObject({ status: 'succeeded' });
  const held = await mirroredTransactions(mirror);
  for (const [id, transaction] of trueTransactions(mirror.sandbox)) expect(held.get(id)).toEqual(transaction);
});

test('a page of new records that cannot be decoded does not hide those behind it', async () => {
  const mirror = await settledMirror();
  for (let added = 0; added < 53; added += 1)
    mirror.sandbox.world.insertTransaction('head', {
      status: 'completed',
      ...(added < 3 ? {} : { amount: 'NaN' }),
    });
  expect(await cycle(mirror)).toMatchObject({ status: 'succeeded', inserted: 3 });
  expect((await modes(mirror)).at(-1)).toBe('incremental');
});

test('a record that can never be decoded does not keep increments away', async () => {
  const mirror = await openMirror({ transactions: 300 });
  const { world } = mirror.sandbox;
  world.insertTransaction('tail', { amount: 'NaN', status: 'completed' });
  expect(await cycle(mirror)).toMatchObject({ status: 'succeeded', verified: false });
  for (let added = 0; added < 3; added += 1) insert(mirror, 'head');
  await cycle(mirror);
  insert(mirror, 'head');
  expect(await cycle(mirror)).toMatchObject({ status: 'succeeded', inserted: 1 });
  expect((await modes(mirror)).at(-1)).toBe('incremental');
});

test.each(sampled([{}, { maxLimit: 20 }], { every: 2 }))(
  'an account in which nothing happens is looked at from both ends, and not swept again and again: %o',
  async (cut) => {
    for (const order of sampled(['newest-first', 'oldest-first'] as const, { every: 2, from: 1 })) {
      const mirror = await openMirror({ transactions: 450, order, ...cut });
      await cycle(mirror);
      for (let idle = 0; idle < 3; idle += 1) {
        mirror.sandbox.requests.reset();
        expect(await cycle(mirror)).toMatchObject({ status: 'succeeded', inserted: 0, changed: 0 });
        expect(mirror.sandbox.requests.total).toBeLessThanOrEqual(6);
      }
      expect(await modes(mirror)).toEqual(['full', 'incremental', 'incremental', 'incremental']);

      // The first records that appear are mirrored at once, and swept for; the third shows at which end.
      for (let round = 0; round < 3; round += 1) {
        insert(mirror, 'head');
        expect(await cycle(mirror)).toMatchObject({ verified: true, inserted: 1 });
      }
      const place = order === 'oldest-first' ? 'tail' : 'head';
      expect(mirror.context.facts.known.get('transactions_grow_at')).toBe(place);
      insert(mirror, 'head');
      expect(await cycle(mirror)).toMatchObject({ verified: null, inserted: 1 });
      expect(await mirroredTransactions(mirror)).toEqual(trueTransactions(mirror.sandbox));
    }
  },
);

test.each(sampled(['newest-first', 'oldest-first', 'updated-first'] as const, { every: 2, from: 1 }))(
  'more than a page at once, before anything is known of the growing end, shows that end and nothing else (%s)',
  async (order) => {
    const mirror = await openMirror({ transactions: 300, order });
    await cycle(mirror);
    for (let added = 0; added < 120; added += 1)
      mirror.sandbox.world.insertTransaction('head', { status: 'completed' });
    expect(await cycle(mirror)).toMatchObject({ status: 'succeeded', inserted: 120 });
    const place = order === 'oldest-first' ? 'tail' : 'head';
    expect(mirror.context.facts.known.get('transactions_grow_at')).toBe(place);
    await quietly(mirror);
  },
);

longTest('a known end stays known when an increment gives way because far too many are new', async () => {
  const mirror = await settledMirror();
  for (let added = 0; added < 1_200; added += 1) insert(mirror, 'head');
  expect(await cycle(mirror)).toMatchObject({ status: 'succeeded', inserted: 1_200 });
  expect((await modes(mirror)).at(-1)).toBe('full');
  expect(mirror.context.facts.known.get('transactions_grow_at')).toBe('head');
});

test('a record that was removed or changed while nothing is known of the growing end leads to a sweep', async () => {
  const mirror = await openMirror({ transactions: 450 });
  const { world } = mirror.sandbox;
  await cycle(mirror);
  const ids = [...world.transactions()].map(({ transactionId }) => transactionId);
  world.removeTransaction(ids[200] ?? '');
  expect((await cycle(mirror)).verified).toBe(true);
  world.alterTransaction(ids[2] ?? '', { note: 'changed near an end' });
  world.alterTransaction(ids[447] ?? '', { note: 'and near the other' });
  expect(await cycle(mirror)).toMatchObject({ verified: true });
});

test('a quiet account is not swept again for records that cannot be decoded, or were removed without a verified sweep', async () => {
  const mirror = await openMirror({ transactions: 450 });
  const { world } = mirror.sandbox;
  for (const place of ['head', 'tail'] as const)
    world.insertTransaction(place, { amount: 'NaN', status: 'completed' });
  const [, , removed] = [...world.transactions()];
  expect(await cycle(mirror)).toMatchObject({ verified: false, doubts: ['undecodable'] });
  await quietly(mirror);
  world.removeTransaction(removed?.transactionId ?? '');
  expect(await cycle(mirror)).toMatchObject({ verified: false, doubts: ['undecodable'] });
  await quietly(mirror);
  expect(await modes(mirror)).toEqual([
    'full',
    ...Array(3).fill('incremental'),
    ...['incremental', 'full'],
    ...Array(3).fill('incremental'),
  ]);
});

async function quietly(mirror: Mirror) {
  for (let idle = 0; idle < 3; idle += 1) {
    mirror.sandbox.requests.reset();
    expect(await cycle(mirror)).toMatchObject({ status: 'succeeded', inserted: 0, changed: 0 });
    expect(mirror.sandbox.requests.total).toBeLessThanOrEqual(6);
  }
}

test.each(sampled(['transactions.count', 'runs.whole-sweep', 'positions.read'], { every: 3 }))(
  'a fault of the database while an increment looks for what it can rest on (%s) leaves a failed run',
  async (unit) => {
    const mirror = await settledMirror();
    const { database, metrics } = mirror.context;
    const faulty: typeof database = {
      ...database,
      transact(label, work, options) {
        if (label === unit)
          throw new MirrorError('DATABASE-REFUSED', 'canceling statement due to statement timeout');
        return database.transact(label, work, options);
      },
    };
    const outcome = await syncTransactions({ ...mirror.context, database: faulty }, { full: false });
    expect(outcome).toMatchObject({ status: 'failed', errorCode: 'DATABASE-REFUSED' });
    expect(
      await mirror.query('select status, error_code from sync.runs order by run_id desc limit 1'),
    ).toEqual([{ status: 'failed', error_code: 'DATABASE-REFUSED' }]);
    const counted = (await metrics.runs.get()).values.find(({ labels }) => labels['status'] === 'failed');
    expect(counted?.value).toBe(1);
  },
);
