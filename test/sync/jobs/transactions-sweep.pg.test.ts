import { expect, test } from 'vitest';
import { sweepTransactions } from '../../../src/sync/jobs/transactions-sweep.ts';
import { sampled } from '../../support/form.ts';
import { openMirror } from '../../support/mirror.ts';
import { unfilteredRequests } from '../../support/sandbox.ts';
import { mirroredTransactions, trueTransactions } from '../../support/truth.ts';

const sweep = (mirror: Awaited<ReturnType<typeof openMirror>>) =>
  sweepTransactions(mirror.context, { job: 'transactions' });

test('a sweep mirrors every transaction and is verified', async () => {
  const mirror = await openMirror();
  const outcome = await sweep(mirror);
  expect(outcome).toMatchObject({
    status: 'succeeded',
    verified: true,
    inserted: 300,
    quarantined: 0,
    doubts: [],
    coverage: { met: 300, listLength: 300, isResumed: false },
  });
  expect(await mirroredTransactions(mirror)).toEqual(trueTransactions(mirror.sandbox));
  const [run] = await mirror.query('select status, verified, records_inserted::int, verdict from sync.runs');
  expect(run).toMatchObject({
    status: 'succeeded',
    verified: true,
    records_inserted: 300,
    verdict: { end: 'confirmed', met: 300, list_length: 300, list_shown: null, not_covered: [] },
  });
  expect(await mirror.query('select * from sync.positions')).toEqual([]);
});

test.each(sampled(['newest-first', 'oldest-first', 'updated-first'] as const, { every: 3, from: 1 }))(
  'what changes between two sweeps of a list that is %s has its history',
  async (order) => {
    const mirror = await openMirror({ order, frozen: false });
    await sweep(mirror);
    mirror.sandbox.advance(120);
    const outcome = await sweep(mirror);
    expect(outcome.verified).toBe(true);
    expect(outcome.changed).toBeGreaterThan(0);
    expect(await mirroredTransactions(mirror)).toEqual(trueTransactions(mirror.sandbox));
    const [histories] = await mirror.query<{ broken: number }>(
      `select count(*)::int as broken from (
         select h.to_status, lead(h.from_status) over (partition by transaction_id order by sequence) as next_from,
           row_number() over (partition by transaction_id order by sequence desc) as back, t.status
         from custody.transaction_status_history h join custody.transactions t using (account_id, transaction_id)
       ) as steps where (back = 1 and to_status <> status) or (next_from is not null and next_from <> to_status)`,
    );
    expect(histories).toEqual({ broken: 0 });
  },
);

test('a sweep that fails on its way is resumed at its page', async () => {
  const mirror = await openMirror(
    { transactions: 1_000 },
    { CUSTODY_RETRIES: '0', CUSTODY_MAX_CONCURRENCY: '1' },
  );
  const remove = mirror.sandbox.faults.add({
    kind: 'http500',
    endpoint: 'transactions',
    when: (request) => Number(request.query.get('offset')) > 500,
  });
  expect(await sweep(mirror)).toMatchObject({ status: 'failed', verified: null });
  const half = (await mirroredTransactions(mirror)).size;
  expect(half).toBeGreaterThan(400);
  remove();
  mirror.sandbox.requests.reset();
  const resumed = await sweep(mirror);
  expect(resumed).toMatchObject({
    status: 'succeeded',
    verified: true,
    inserted: 1_000 - half,
    coverage: { listLength: 1_000, isResumed: true },
  });
  expect(resumed.coverage?.met).toBeLessThan(1_000);
  expect(unfilteredRequests(mirror.sandbox)).toBeLessThan(20);
  expect(await mirroredTransactions(mirror)).toEqual(trueTransactions(mirror.sandbox));
  expect(await mirror.query('select * from sync.positions')).toEqual([]);
});

test('a sweep that is stopped is abandoned and resumed', async () => {
  const mirror = await openMirror({ transactions: 1_000 }, { CUSTODY_MAX_CONCURRENCY: '1' });
  mirror.sandbox.faults.add({
    kind: 'stall',
    endpoint: 'transactions',
    times: 1,
    when: (request) => Number(request.query.get('offset')) > 500,
  });
  const running = sweep(mirror);
  await expect.poll(() => mirror.sandbox.requests.running).toBe(1);
  await expect.poll(async () => (await mirroredTransactions(mirror)).size).toBeGreaterThan(400);
  mirror.stop.abort(new Error('stopped by the test'));
  expect(await running).toMatchObject({ status: 'abandoned' });
  const again = await sweepTransactions(
    { ...mirror.context, signal: new AbortController().signal },
    { job: 'transactions' },
  );
  expect(again).toMatchObject({ status: 'succeeded', verified: true });
  expect(await mirroredTransactions(mirror)).toEqual(trueTransactions(mirror.sandbox));
});

test('a sweep that loses its way says how much of the list it met', async () => {
  const mirror = await openMirror({ transactions: 400 }, { CUSTODY_MAX_CONCURRENCY: '1' });
  mirror.sandbox.faults.add({
    kind: 'falseempty',
    endpoint: 'transactions',
    when: ({ query }) => Number(query.get('offset')) > 200,
  });
  expect(await sweep(mirror)).toMatchObject({
    status: 'succeeded',
    verified: false,
    doubts: ['end-cut'],
    coverage: { met: 250, listLength: null, listShown: 250, isResumed: false },
  });
  const [run] = await mirror.query('select verdict from sync.runs');
  expect(run?.['verdict']).toMatchObject({
    met: 250,
    list_length: null,
    doubt_codes: ['end-cut'],
    not_covered: ['what stands behind the last place read'],
  });
});

test('a clamp of the page size is noticed and kept', async () => {
  const mirror = await openMirror({ maxLimit: 20 });
  expect(await sweep(mirror)).toMatchObject({ verified: true, inserted: 300 });
  expect(
    await mirror.query(`select fact, value from sync.learned where fact = 'transactions_page_cap'`),
  ).toEqual([{ fact: 'transactions_page_cap', value: '20' }]);
});

test('records that cannot be decoded leave the sweep unverified, and their neighbours mirrored', async () => {
  const mirror = await openMirror({ quirks: { 'nan-amount': 0.05 } });
  const outcome = await sweep(mirror);
  expect(outcome).toMatchObject({ status: 'succeeded', verified: false });
  expect(outcome.doubts.join()).toBe('undecodable');
  const [open] = await mirror.query<{ count: number }>('select count(*)::int from sync.quarantine');
  expect(open?.count).toBeGreaterThan(0);
  expect(outcome.quarantined).toBe(open?.count);
  expect((await mirroredTransactions(mirror)).size + (open?.count ?? 0)).toBe(300);
});

test('what a whole sweep no longer meets leaves the quarantine, also where it had no id', async () => {
  const options = { seed: 3, quirks: { 'missing-id': 0.02, 'string-record': 0.02 } };
  const mirror = await openMirror(options);
  const open = async () => {
    const [row] = await mirror.query(
      'select count(*)::int as open from sync.quarantine where resolved_at is null',
    );
    return row?.['open'];
  };
  const unreadable = [...mirror.sandbox.world.transactions()]
    .map(({ transactionId }) => transactionId)
    .filter((id) => mirror.sandbox.quirks.of(id).length > 0);
  expect(unreadable.length).toBeGreaterThan(2);
  await sweep(mirror);
  await sweep(mirror);
  expect(await open()).toBe(unreadable.length);
  const [kept, ...gone] = unreadable;
  for (const id of gone) mirror.sandbox.world.removeTransaction(id);
  expect(kept).toBeDefined();
  const outcome = await sweep(mirror);
  expect(outcome).toMatchObject({ status: 'succeeded', verified: false, quarantined: expect.any(Number) });
  expect(await open()).toBe(1);
});

test('a record without an id is one record in quarantine, although a field of it is another at every request', async () => {
  let requests = 0;
  const fetch: typeof globalThis.fetch = async (url, init) => {
    const response = await globalThis.fetch(url, init);
    requests += 1;
    const body: { transactions?: { transaction_id?: string }[] } = JSON.parse(await response.text());
    const transactions = body.transactions?.map((record) =>
      record.transaction_id === undefined ? { ...record, request_id: `request ${requests}` } : record,
    );
    return new Response(JSON.stringify({ ...body, transactions }), response);
  };
  const mirror = await openMirror({ seed: 3, quirks: { 'missing-id': 0.02 } }, {}, { fetch });
  const nameless = [...mirror.sandbox.world.transactions()].filter(
    ({ transactionId }) => mirror.sandbox.quirks.of(transactionId).length > 0,
  );
  expect(nameless.length).toBeGreaterThan(1);
  for (let sweeps = 0; sweeps < 3; sweeps += 1) {
    expect(await sweep(mirror)).toMatchObject({ status: 'succeeded' });
    const [rows] = await mirror.query(
      'select count(*)::int, count(distinct raw)::int as texts from sync.quarantine',
    );
    expect(rows).toEqual({ count: nameless.length, texts: nameless.length });
  }
});
