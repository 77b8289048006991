// Services whose list of transactions ends before its end: a sweep says so, and never calls itself verified.
import { expect, test, vi } from 'vitest';
import type { ListCut } from '../../../packages/sandbox/src/http/list-cut.ts';
import { transactionStatuses } from '../../../src/domain/fields.ts';
import { syncTransactions } from '../../../src/sync/jobs/transactions.ts';
import { sweepTransactions } from '../../../src/sync/jobs/transactions-sweep.ts';
import { longTest, sampled, sized } from '../../support/form.ts';
import { type Mirror, openMirror } from '../../support/mirror.ts';
import { mirroredTransactions, trueTransactions } from '../../support/truth.ts';

vi.setConfig({ testTimeout: 180_000 });

const sweep = (mirror: Mirror, job: 'transactions' | 'reconcile' = 'transactions') =>
  sweepTransactions(mirror.context, { job });

const some = 300;

const cut = (options: ListCut, more: Parameters<typeof openMirror>[0] = {}) =>
  openMirror({ transactions: some, frozen: true, cut: options, ...more });

/** How long the lists are whose costs count. */
const many = sized({ short: 600, long: 3_000 });
const fewPages = { CUSTODY_PAGE_SIZE: String(many / 30) };

const everyFilter = [
  'status',
  'transactionType',
  'from',
  'to',
  'assetId',
  'networkId',
  'sourceId',
  'destinationId',
] as const;

test.each(
  sampled(
    [
      { order: 'newest-first', ignored: ['status', 'transactionType'] },
      { order: 'newest-first', ignored: [] },
      { order: 'oldest-first', ignored: [] },
      { order: 'by-asset', ignored: [] },
    ] as const,
    { every: 4 },
  ),
)(
  'an honest list that is $order and ignores $ignored is verified, at a bounded cost',
  async ({ order, ignored }) => {
    const mirror = await openMirror(
      { transactions: many, order, frozen: true, cut: { ignoredFilters: ignored } },
      fewPages,
    );
    expect(await sweep(mirror)).toMatchObject({ verified: true, inserted: many });
    mirror.sandbox.requests.reset();
    expect(await sweep(mirror)).toMatchObject({ verified: true });
    const plain = mirror.sandbox.requests.total;
    mirror.sandbox.requests.reset();
    expect(await sweep(mirror, 'reconcile')).toMatchObject({ verified: true });
    expect(mirror.sandbox.requests.total - plain).toBeLessThanOrEqual(50);
    expect(
      [...mirror.context.facts.known.keys()].filter((fact) => fact.startsWith('transactions_cut')),
    ).toEqual([]);
  },
);

const cuts = [
  {
    name: 'a window that ends with an error',
    options: { window: 200, windowEnd: 'error' },
    order: 'by-asset',
  },
  { name: 'a window that ends with nothing', options: { window: 200 }, order: 'newest-first' },
  {
    name: 'a window that ends with its last page again',
    options: { window: 200, windowEnd: 'last-page' },
    order: 'oldest-first',
  },
  { name: 'the last days only', options: { days: 3 }, order: 'by-asset' },
  {
    name: 'rejected transactions only if asked for',
    options: { hiddenStatuses: ['rejected'] },
    order: 'newest-first',
  },
] as const satisfies readonly { name: string; options: ListCut; order: string }[];

test.each(sampled(cuts, { every: 2 }))(
  '$name: the list is known to be cut, and read in parts',
  async ({ options, order }) => {
    const mirror = await cut(options, { order });
    expect(await sweep(mirror)).toMatchObject({
      ...{ status: 'succeeded', verified: true, doubts: [] },
      coverage: { met: some, listLength: some },
    });
    expect(await mirroredTransactions(mirror)).toEqual(trueTransactions(mirror.sandbox));
    expect(await mirror.query("select evidence from sync.learned where fact = 'transactions_cut'")).toEqual([
      {
        evidence: expect.stringMatching(/the list ended at \d+, and .* shows? records that it does not hold/),
      },
    ]);
  },
);

const working = [
  { name: 'status and type are ignored', options: { ignoredFilters: ['status', 'transactionType'] } },
  { name: 'dates are ignored', options: { ignoredFilters: ['from', 'to'] } },
  { name: 'dates are days', options: { dates: 'day' } },
  { name: 'dates have no milliseconds', options: { dates: 'seconds' } },
] satisfies { name: string; options: ListCut }[];

test.each(sampled(working, { every: 4 }))(
  'a list that was cut is read by the filters that work: $name',
  async ({ options }) => {
    const mirror = await cut({ window: 250, ...options });
    expect(await sweep(mirror)).toMatchObject({ verified: true, coverage: { met: some } });
    expect(await mirroredTransactions(mirror)).toEqual(trueTransactions(mirror.sandbox));
  },
);

test('what no working filter makes short enough is a doubt, and nothing in it is missing', async () => {
  const mirror = await cut({ window: 10, ignoredFilters: ['from', 'to'] }, { transactions: 60 });
  expect(await sweep(mirror)).toMatchObject({ verified: false, doubts: ['list-cut'] });
  expect(await sweep(mirror, 'reconcile')).toMatchObject({ verified: false, doubts: ['list-cut'] });
  expect(await mirror.query('select from custody.transactions where missing_since is not null')).toEqual([]);
});

// With status and type alone, 123 of 300 are read.
test.each(
  sampled([{ ignored: ['from', 'to'] }, { ignored: ['from', 'to', 'assetId', 'sourceId'] }] as const, {
    every: 2,
    from: 1,
  }),
)(
  'a combination of type and status that is longer than the window is split further, where $ignored are ignored',
  async ({ ignored }) => {
    const mirror = await cut({ window: 30, ignoredFilters: ignored }, { transactions: 300 });
    // More transactions may exist, of assets and vaults that no record has named.
    expect(await sweep(mirror)).toMatchObject({ verified: false, doubts: ['list-cut'] });
    expect((await mirroredTransactions(mirror)).size).toBeGreaterThan(270);
  },
);

test.each(sampled(['newest-first', 'oldest-first'] as const, { every: 2 }))(
  'between sweeps, an increment finds what is new in a list that is %s and was cut',
  async (order) => {
    const mirror = await cut({ window: 200 }, { order });
    expect(await sweep(mirror)).toMatchObject({ verified: true });
    for (let round = 0; round < 2; round += 1) {
      for (let added = 0; added < 3; added += 1)
        mirror.sandbox.world.insertTransaction('head', { status: 'completed' });
      expect(await syncTransactions(mirror.context, { full: false })).toMatchObject({
        status: 'succeeded',
        inserted: 3,
      });
      expect(await mirroredTransactions(mirror)).toEqual(trueTransactions(mirror.sandbox));
    }
    mirror.sandbox.requests.reset();
    expect(await syncTransactions(mirror.context, { full: false })).toMatchObject({ status: 'succeeded' });
    expect(mirror.sandbox.requests.total).toBeLessThanOrEqual(40);
  },
);

for (const { windowEnd, order } of [
  { windowEnd: 'empty', order: 'newest-first' },
  { windowEnd: 'error', order: 'oldest-first' },
  { windowEnd: 'last-page', order: 'by-asset' },
] as const)
  longTest(
    `${many} transactions behind a window of ${many / 6} (${windowEnd}, ${order}), and what they cost`,
    async () => {
      const open = (options: ListCut) =>
        openMirror({ transactions: many, frozen: true, order, cut: options }, fewPages);
      const [plain, mirror] = [await open({}), await open({ window: many / 6, windowEnd })];
      const uncut = await sweep(plain);
      const outcome = await sweep(mirror);
      expect(outcome).toMatchObject({ verified: true, coverage: { met: many } });
      expect(await mirroredTransactions(mirror)).toEqual(trueTransactions(mirror.sandbox));
      expect(outcome.requests).toBeLessThanOrEqual(3.5 * uncut.requests);
    },
  );

longTest(
  '60,000 transactions behind a window of 10,000, at the cost of 3.5 uncut sweeps',
  async () => {
    const open = (options: ListCut) =>
      openMirror({ transactions: 60_000, frozen: true, cut: options }, { CUSTODY_PAGE_SIZE: '200' });
    const uncut = await sweep(await open({}));
    const mirror = await open({ window: 10_000, windowEnd: 'last-page' });
    const outcome = await sweep(mirror);
    expect(outcome).toMatchObject({ verified: true, coverage: { met: 60_000 } });
    expect(await mirroredTransactions(mirror)).toEqual(trueTransactions(mirror.sandbox));
    expect(outcome.requests).toBeLessThanOrEqual(3.5 * uncut.requests);
  },
  900_000,
);

// Measured: 550 requests, 74 where nothing is cut.
longTest(
  'where dates do nothing, 6,000 transactions behind a window of 1,000 are read by asset, network and vault, within 600 requests',
  async () => {
    const total = 6_000;
    const mirror = await openMirror(
      { transactions: total, order: 'by-asset', cut: { ignoredFilters: ['from', 'to'], window: 1_000 } },
      { CUSTODY_PAGE_SIZE: '200' },
    );
    const outcome = await sweep(mirror);
    expect(outcome).toMatchObject({ verified: false, doubts: ['list-cut'] });
    expect((await mirroredTransactions(mirror)).size).toBeGreaterThan(total * 0.9);
    expect(outcome.requests).toBeLessThanOrEqual(600);
  },
  900_000,
);

test.each(sampled(['empty', 'error', 'last-page'] as const, { every: 3 }))(
  'a window of 1,000 (%s) whose filters do nothing is named',
  async (windowEnd) => {
    const mirror = await cut(
      { window: 1_000, windowEnd, ignoredFilters: [...everyFilter] },
      { transactions: 1_100 },
    );
    expect(await sweep(mirror)).toMatchObject({
      verified: false,
      doubts: ['filters-ignored'],
      coverage: { met: 1_000 },
    });
    expect((await mirroredTransactions(mirror)).size).toBe(1_000);
  },
);

test('a record that a filter shows first because it has just arrived is no doubt', async () => {
  const mirror = await openMirror({ transactions: 300, frozen: true, order: 'by-asset' });
  let requests = 0;
  mirror.sandbox.faults.add({
    kind: 'err01',
    when: ({ query }) => {
      requests += 1;
      if (query.has('status') || query.has('transaction_type'))
        mirror.sandbox.world.insertTransaction('head', { status: 'completed' });
      return false;
    },
  });
  expect(await sweep(mirror)).toMatchObject({ verified: true, doubts: [] });
  expect(requests).toBeLessThan(120);
  expect(await mirroredTransactions(mirror)).toBeDefined();
});

/** A transaction arrives when the date of long ago is first asked for. @returns whether it has */
function arriveDuringExamination({ sandbox }: Mirror): () => boolean {
  let hasArrived = false;
  sandbox.faults.add({
    kind: 'err01',
    when: ({ query }) => {
      if (!hasArrived && query.get('start_date')?.startsWith('1970')) {
        sandbox.world.insertTransaction('head', { status: 'completed' });
        hasArrived = true;
      }
      return false;
    },
  });
  return () => hasArrived;
}

// Where status and type do nothing, only ranges of dates contradict: under the date of long ago a list that was
// cut ends where the list does.
test.each(
  sampled(
    [
      { what: 'in a list that was cut', window: 200, learned: 'at 200' },
      { what: 'in an honest list', window: undefined, learned: undefined },
    ],
    { every: 2 },
  ),
)(
  'a record that has just arrived does not end the examination by dates: $what',
  async ({ window, learned }) => {
    const mirror = await cut({ window, ignoredFilters: ['status', 'transactionType'] });
    const hasArrived = arriveDuringExamination(mirror);
    expect(await sweep(mirror)).toMatchObject({ verified: true, doubts: [] });
    expect(hasArrived()).toBe(true);
    expect(mirror.context.facts.known.get('transactions_cut')).toBe(learned);
    expect(await mirroredTransactions(mirror)).toEqual(trueTransactions(mirror.sandbox));
  },
);

// The head of this list holds no transaction that is open: an answer to an open status shows none of it.
test.each(sampled(['oldest-first', 'by-asset'] as const, { every: 2 }))(
  'filters that are ignored are known as such, whatever the first page of a list that is %s holds',
  async (order) => {
    const mirror = await cut({ ignoredFilters: ['status', 'transactionType'] }, { order });
    arriveDuringExamination(mirror);
    expect(await sweep(mirror)).toMatchObject({ verified: true, doubts: [] });
    expect(mirror.context.facts.known.has('transactions_cut')).toBe(false);
    const asked = mirror.sandbox.requests.recent().filter(({ query }) => /status|_type/.test(query));
    // Three for a status; its ends for the type that most of the head is of, and one for the next. What arrives
    // in the middle of a list by asset is explained by a second sweep alone, which is examined too.
    expect(asked.length).toBeLessThanOrEqual(order === 'by-asset' ? 30 : 15);
  },
);

longTest('nor do so many that only a second sweep explains them', async () => {
  const mirror = await openMirror(
    { transactions: some, frozen: true, cut: { ignoredFilters: ['status', 'transactionType'] } },
    { CUSTODY_PAGE_SIZE: '50' },
  );
  let arrived = 0;
  mirror.sandbox.faults.add({
    kind: 'err01',
    when: ({ query }) => {
      // More than the pages of the head in which arrivals are looked for. Each page shows every status.
      for (; arrived < 160 && query.get('start_date')?.startsWith('1970'); arrived += 1)
        mirror.sandbox.world.insertTransaction('head', {
          status: transactionStatuses[arrived % transactionStatuses.length] ?? 'completed',
        });
      return false;
    },
  });
  expect(await sweep(mirror)).toMatchObject({ verified: true, doubts: [] });
  expect(arrived).toBe(160);
  expect(mirror.context.facts.known.has('transactions_cut')).toBe(false);
  expect(await mirroredTransactions(mirror)).toEqual(trueTransactions(mirror.sandbox));
});

test('where the service shows its whole list again, two reconciles that agree forget that it was cut', async () => {
  const options: ListCut = { window: 200 };
  const mirror = await cut(options);
  const facts = () => [...mirror.context.facts.known.keys()].filter((name) => /_cut|_newest/.test(name));
  expect(await sweep(mirror, 'reconcile')).toMatchObject({ verified: true });
  expect(mirror.context.facts.known.get('transactions_cut')).toBe('at 200');
  options.window = undefined;
  expect(await sweep(mirror, 'reconcile')).toMatchObject({ verified: true });
  expect(facts()).toContain('transactions_cut');
  expect(await sweep(mirror, 'reconcile')).toMatchObject({ verified: true });
  expect(facts()).toEqual([]);
  expect(await mirroredTransactions(mirror)).toEqual(trueTransactions(mirror.sandbox));
});

longTest(
  'a reconcile that was resumed, or could not hear a filter, is no evidence that the list is whole again',
  async () => {
    const options: ListCut = { window: 200 };
    const mirror = await openMirror(
      { transactions: 600, frozen: true, cut: options },
      { CUSTODY_RETRIES: '0', CUSTODY_MAX_CONCURRENCY: '1' },
    );
    await sweep(mirror, 'reconcile');
    options.window = undefined;
    const { faults } = mirror.sandbox;
    const isNoted = () => mirror.context.facts.known.has('transactions_cut:evidence');
    const beyond = (query: URLSearchParams) => Number(query.get('offset')) > 400;
    const mend = faults.add({ kind: 'http500', when: ({ query }) => beyond(query) });
    expect(await sweep(mirror, 'reconcile')).toMatchObject({ status: 'failed' });
    mend();
    const resumed = await sweep(mirror, 'reconcile');
    expect(resumed).toMatchObject({ status: 'succeeded' });
    expect(isNoted()).toBe(false);
    const hear = faults.add({ kind: 'http500', when: ({ query }) => query.get('status') === 'rejected' });
    expect(await sweep(mirror, 'reconcile')).toMatchObject({ verified: false, doubts: ['list-cut'] });
    expect(isNoted()).toBe(false);
    hear();
    await sweep(mirror, 'reconcile');
    expect(isNoted()).toBe(true);
  },
);

longTest(
  'a list exactly as long as its proven window is read in parts, and the window stays known',
  async () => {
    const mirror = await cut({ window: 201, windowEnd: 'error' }, { transactions: 600 });
    await sweep(mirror);
    for (const { transactionId } of [...mirror.sandbox.world.transactions()].slice(201))
      mirror.sandbox.world.removeTransaction(transactionId);
    expect(await sweep(mirror, 'reconcile')).toMatchObject({ verified: true });
    expect(mirror.context.facts.known.get('transactions_window')).toBe('201');
    expect(mirror.context.facts.known.get('transactions_cut')).toBe('at 201');
  },
);

const interruptions = [
  { when: 'the filters are asked', isAgain: false, job: 'transactions', isStopped: false },
  { when: 'the filters are asked', isAgain: false, job: 'transactions', isStopped: true },
  { when: 'the list is read once more', isAgain: true, job: 'transactions', isStopped: false },
  { when: 'the list is read once more', isAgain: true, job: 'transactions', isStopped: true },
  {
    when: 'a reconcile reads it once more, after a sweep that was interrupted',
    isAgain: true,
    job: 'reconcile',
    isStopped: false,
  },
] as const;

// In the short form one that fails, and one that is stopped.
test.each(sampled<(typeof interruptions)[number]>(interruptions, { every: 3 }))(
  'what was mirrored before a failure (or a stop: $isStopped) while $when still contradicts the list',
  async ({ isAgain, job, isStopped }) => {
    const service = { transactions: some, frozen: true, cut: { hiddenStatuses: ['rejected'] } };
    const mirror = await openMirror(service, { CUSTODY_PAGE_SIZE: '20' });
    if (job === 'reconcile') {
      const when = ({ query }: { query: URLSearchParams }) => Number(query.get('offset')) >= 100;
      const mend = mirror.sandbox.faults.add({ kind: 'err01', when });
      expect(await sweep(mirror)).toMatchObject({ status: 'failed' });
      mend();
    }
    const stop = new AbortController();
    let isExamined = false;
    const mend = mirror.sandbox.faults.add({
      kind: 'err01',
      when: ({ query }) => {
        isExamined ||= query.has('transaction_type');
        const isPlain = [...query.keys()].every((name) => ['offset', 'limit'].includes(name));
        const isDue = isExamined && (!isAgain || (isPlain && Number(query.get('offset')) >= 120));
        if (isDue && isStopped) stop.abort();
        return isDue;
      },
    });
    const interrupted = await sweepTransactions({ ...mirror.context, signal: stop.signal }, { job });
    expect(interrupted).toMatchObject({ status: isStopped ? 'abandoned' : 'failed' });
    expect((await mirroredTransactions(mirror)).size).toBe(300);
    mend();
    expect(await sweep(mirror)).toMatchObject({ verified: true });
    expect(mirror.context.facts.known.get('transactions_cut')).toMatch(/^at /);
  },
);

test('what an interrupted examination mirrored still contradicts a later sweep that was resumed', async () => {
  const service = { transactions: some, frozen: true, cut: { hiddenStatuses: ['rejected'] } };
  const mirror = await openMirror(service, { CUSTODY_PAGE_SIZE: '20' });
  const failing = async (when: (query: URLSearchParams) => boolean) => {
    const mend = mirror.sandbox.faults.add({ kind: 'err01', when: ({ query }) => when(query) });
    expect(await sweep(mirror)).toMatchObject({ status: 'failed' });
    mend();
  };
  let isExamined = false;
  await failing((query) => {
    isExamined ||= query.has('transaction_type');
    return isExamined;
  });
  expect((await mirroredTransactions(mirror)).size).toBe(some);
  await failing((query) => Number(query.get('offset')) >= 100);
  // It cannot judge what it met, and reads the list in parts; the next sweep judges.
  expect(await sweep(mirror)).toMatchObject({ verified: true, coverage: { met: some } });
  expect(await sweep(mirror)).toMatchObject({ verified: true, coverage: { met: some } });
  expect(mirror.context.facts.known.get('transactions_cut')).toMatch(/^at /);
  expect(mirror.context.facts.known.has('transactions_suspect')).toBe(false);
});

longTest('a service that refuses everything for a while has no window', async () => {
  const options: ListCut = { windowEnd: 'error' };
  const mirror = await cut(options, { transactions: 600 });
  const when = ({ query }: { query: URLSearchParams }) => {
    if (Number(query.get('offset')) > 300) options.window = 0;
    return false;
  };
  mirror.sandbox.faults.add({ kind: 'err01', when });
  expect(await sweep(mirror)).toMatchObject({ status: 'failed' });
  expect(mirror.context.facts.known.has('transactions_window')).toBe(false);
});

test('a record in quarantine does not switch the examination off, and counts once', async () => {
  const mirror = await cut({ window: 200 }, { quirks: { 'nan-amount': 0.01 } });
  const quarantined = [...mirror.sandbox.world.transactions()].filter(({ transactionId }) =>
    mirror.sandbox.quirks.has('nan-amount', transactionId),
  ).length;
  expect(quarantined).toBeGreaterThan(0);
  expect(await sweep(mirror)).toMatchObject({
    doubts: ['undecodable'],
    coverage: { met: some },
    quarantined,
  });
});

test('transactions that leave the list but not their ids are a doubt', async () => {
  const options: ListCut = {};
  const mirror = await cut(options, { transactions: 100 });
  expect(await sweep(mirror)).toMatchObject({ verified: true });
  options.hiddenStatuses = ['rejected'];
  expect(await sweep(mirror)).toMatchObject({ verified: true });
  expect(await sweep(mirror)).toMatchObject({ verified: true });
  expect(await sweep(mirror)).toMatchObject({ verified: false, doubts: ['list-cut'] });
  expect(await mirror.query('select from custody.transactions where missing_since is not null')).toEqual([]);
});
