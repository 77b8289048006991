// The date filters: what the probe finds out about them, and what an increment does with a format that is known.
import { describe, expect, test } from 'vitest';
import type { DateFilter } from '../../src/sandbox/date-filters.ts';
import { dateFormats, futureMoment } from '../../src/sync/date-formats.ts';
import { sweepTransactions } from '../../src/sync/sweep-transactions.ts';
import { syncTransactions } from '../../src/sync/transactions.ts';
import { type Mirror, mirrored, openMirror, truth } from './mirror.ts';

const cycle = (mirror: Mirror) => syncTransactions(mirror.context, { full: false });
const reconcile = (mirror: Mirror) => sweepTransactions(mirror.context, { job: 'reconcile' });
const insert = (mirror: Mirror, createdAt = Date.now()) =>
  mirror.sandbox.world.insertTransaction('head', { status: 'completed', createdAt });

/** A mirror whose increments read the head of the list. */
async function incrementalMirror(dateFilter: DateFilter): Promise<Mirror> {
  // What is there at the beginning is older than a few days, however it is put back.
  let back = 3 * 24 * 3_600_000;
  const mirror = await openMirror({ dateFilter, now: () => Date.now() - back });
  back = 0;
  mirror.context.facts.learn({ fact: 'transactions_grow_at', value: 'head', evidence: 'told by the test' });
  expect(await cycle(mirror)).toMatchObject({ verified: true });
  return mirror;
}

/** One that has met a record which appeared between two readings. */
async function grownMirror(dateFilter: DateFilter): Promise<Mirror> {
  const mirror = await incrementalMirror(dateFilter);
  expect(await cycle(mirror)).toMatchObject({ verified: null });
  insert(mirror);
  expect(await cycle(mirror)).toMatchObject({ verified: null, inserted: 1 });
  return mirror;
}

const datedRequests = (mirror: Mirror) =>
  mirror.sandbox.requests.recent().filter(({ query }) => /start_date|end_date/.test(query));

async function learnedFormat(mirror: Mirror) {
  const [row] = await mirror.query<{ value: string; evidence: string }>(
    `select value, evidence from sync.learned where fact = 'transactions_date_format'`,
  );
  return row;
}

const told = (mirror: Mirror, value: string) =>
  mirror.context.facts.learn({ fact: 'transactions_date_format', value, evidence: 'told by the test' });

const modes = async (mirror: Mirror) =>
  (await mirror.query<{ mode: string }>('select mode from sync.runs order by run_id')).map((run) => run.mode);

/** Puts the runs so far two hours back, and what they mirrored a day. */
async function letTimePass(mirror: Mirror): Promise<void> {
  await mirror.query(`update sync.runs set started_at = started_at - interval '2 hours'`);
  await mirror.query(
    `update custody.transactions set first_seen_at = first_seen_at - interval '1 day',
      changed_at = changed_at - interval '1 day'`,
  );
  const { facts } = mirror.context;
  const read = Date.parse(facts.known.get('transactions_end_read_at') ?? '');
  const value = new Date(read - 2 * 3_600_000).toISOString();
  facts.learn({ fact: 'transactions_end_read_at', value, evidence: 'told by the test' });
}

describe('the probe', () => {
  test.each([
    ['iso', 'iso-ms', 0],
    ['iso-ms', 'iso-ms', 0],
    ['iso-seconds', 'iso-seconds', 1],
    ['iso-date', 'iso-date', 2],
    ['epoch-ms', 'epoch-ms', 3],
    ['epoch-s', 'epoch-s', 4],
  ] as const)('finds the format of a service that takes %s', async (dateFilter, format, rejected) => {
    const mirror = await grownMirror(dateFilter);
    expect(await reconcile(mirror)).toMatchObject({ status: 'succeeded', verified: true });
    const learned = await learnedFormat(mirror);
    expect(learned?.value).toBe(format);
    expect(learned?.evidence.match(/rejected \(TXN-03\)/g) ?? []).toHaveLength(rejected);
    expect(learned?.evidence).toContain(`${format} works (1 records that appeared last`);
    expect(datedRequests(mirror).length).toBeLessThanOrEqual(rejected + 6);

    mirror.sandbox.requests.reset();
    await reconcile(mirror);
    expect(datedRequests(mirror)).toEqual([]);
  });

  test.each([
    ['ignored', /^(\S+ ignored [^;]+(; |$)){5}$/],
    ['rejected', /^(\S+ rejected \(TXN-03\)(; |$)){5}$/],
    ['local-time', /^iso-ms misread \(no record that appeared later was shown\); iso-seconds rejected/],
    ['ms-as-seconds', /epoch-ms misread \(no record that appeared later was shown\); epoch-s rejected/],
    [
      'seconds-as-ms',
      /epoch-ms rejected .*; epoch-s misread \(records were answered to a range in the future\)/,
    ],
  ] as const)('tells that dates are %s', async (dateFilter, evidence) => {
    const mirror = await grownMirror(dateFilter);
    expect(await reconcile(mirror)).toMatchObject({ status: 'succeeded', verified: true });
    expect(await learnedFormat(mirror)).toMatchObject({
      value: 'none',
      evidence: expect.stringMatching(evidence),
    });
    expect(datedRequests(mirror).length).toBeLessThanOrEqual(12);
  });

  test('tells by records known for longer that a date is taken for an earlier one', async () => {
    const mirror = await grownMirror('seconds-as-ms');
    await mirror.query(
      `update custody.transactions set first_seen_at = first_seen_at - interval '1 day',
        first_seen_after = first_seen_after - interval '1 day', changed_at = changed_at - interval '1 day'`,
    );
    await reconcile(mirror);
    expect((await learnedFormat(mirror))?.evidence).toContain(
      'epoch-s misread (records known for longer were not left out)',
    );
  });

  test('believes no service that takes the day for the month', async () => {
    const mirror = await grownMirror('day-first');
    // The record appeared on a day whose number could be that of another month.
    const now = new Date();
    const day = new Date(
      Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCMonth() === 2 ? 4 : 3, 12),
    );
    const appeared = day < now ? day : new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 5, 12));
    const back = now.getTime() - appeared.getTime();
    await mirror.query(`update sync.runs set started_at = started_at - $1 * interval '1 millisecond'`, [
      back,
    ]);
    await reconcile(mirror);
    expect(['none', 'unproved']).toContain((await learnedFormat(mirror))?.value);
  });

  test('asks nothing and proves nothing while no record is known to have appeared', async () => {
    const mirror = await incrementalMirror('iso');
    expect(await reconcile(mirror)).toMatchObject({ verified: true });
    expect(await learnedFormat(mirror)).toMatchObject({ value: 'unproved' });
    expect(datedRequests(mirror)).toEqual([]);
    insert(mirror);
    await cycle(mirror);
    await reconcile(mirror);
    expect(await learnedFormat(mirror)).toMatchObject({ value: 'iso-ms' });
  });

  test('proves nothing where no record is older than those that appeared', async () => {
    const mirror = await openMirror({ transactions: 0 });
    mirror.context.facts.learn({ fact: 'transactions_grow_at', value: 'head', evidence: 'told by the test' });
    for (let added = 0; added < 3; added += 1) insert(mirror);
    await cycle(mirror);
    insert(mirror);
    expect(await cycle(mirror)).toMatchObject({ verified: null, inserted: 1 });
    expect(await reconcile(mirror)).toMatchObject({ verified: true });
    expect(await learnedFormat(mirror)).toMatchObject({ value: 'unproved' });
  });

  test('learns nothing from a service that fails meanwhile, and the sweep stays verified', async () => {
    const mirror = await grownMirror('iso');
    mirror.sandbox.faults.add({
      kind: 'err01',
      endpoint: 'transactions',
      when: ({ query }) => query.has('start_date') || query.has('end_date'),
    });
    expect(await reconcile(mirror)).toMatchObject({ status: 'succeeded', verified: true });
    expect(await learnedFormat(mirror)).toBeUndefined();
    expect(datedRequests(mirror).length).toBeLessThanOrEqual(12);
    mirror.sandbox.faults.clear();
    await reconcile(mirror);
    expect(await learnedFormat(mirror)).toMatchObject({ value: 'iso-ms' });
  });

  test('gives up at a fault in the midst of a format, and gets over a single one', async () => {
    const mirror = await grownMirror('iso');
    const end = mirror.sandbox.faults.add({
      kind: 'http500',
      endpoint: 'transactions',
      when: ({ query }) => query.has('end_date'),
    });
    expect(await reconcile(mirror)).toMatchObject({ status: 'succeeded', verified: true });
    expect(await learnedFormat(mirror)).toBeUndefined();
    end();
    mirror.sandbox.faults.add({
      kind: 'reset',
      endpoint: 'transactions',
      when: ({ query }) => query.has('end_date'),
      times: 1,
    });
    await reconcile(mirror);
    expect(await learnedFormat(mirror)).toMatchObject({ value: 'iso-ms' });
  });

  test('a format that answers with a fault does not hide the one that works', async () => {
    const mirror = await grownMirror('epoch-ms');
    mirror.sandbox.faults.add({
      kind: 'err01',
      endpoint: 'transactions',
      when: ({ query }) => query.get('start_date')?.endsWith('Z') === true,
    });
    await reconcile(mirror);
    expect(await learnedFormat(mirror)).toMatchObject({
      value: 'epoch-ms',
      evidence: expect.stringMatching(
        /^iso-ms failed \(ERR-01\); iso-seconds failed \(ERR-01\); iso-date rejected/,
      ),
    });
  });

  test('is stopped without taking the verdict from the sweep', async () => {
    const mirror = await grownMirror('iso');
    mirror.sandbox.faults.add({
      kind: 'stall',
      endpoint: 'transactions',
      when: ({ query }) => {
        if (query.has('start_date')) mirror.stop.abort();
        return query.has('start_date');
      },
    });
    expect(await reconcile(mirror)).toMatchObject({ status: 'succeeded', verified: true });
    expect(await learnedFormat(mirror)).toBeUndefined();
  });

  test('runs again after thirty days', async () => {
    const mirror = await grownMirror('iso');
    await reconcile(mirror);
    const value = new Date(Date.now() - 31 * 24 * 3_600_000).toISOString();
    mirror.context.facts.learn({ fact: 'transactions_date_probed_at', value, evidence: 'told by the test' });
    mirror.sandbox.requests.reset();
    await reconcile(mirror);
    expect(datedRequests(mirror).length).toBeGreaterThan(0);
    expect(await learnedFormat(mirror)).toMatchObject({ value: 'iso-ms' });
    expect(mirror.context.facts.known.get('transactions_date_probed_at')).not.toBe(value);
  });
});

describe('an increment', () => {
  test('asks for no dates while its readings follow each other', async () => {
    const mirror = await incrementalMirror('iso');
    told(mirror, 'iso-ms');
    await cycle(mirror);
    mirror.sandbox.requests.reset();
    await cycle(mirror);
    expect(datedRequests(mirror)).toEqual([]);
    expect(mirror.sandbox.requests.total).toBeLessThanOrEqual(6);
  });

  test('asks for no dates after a pause while no format is known', async () => {
    const mirror = await incrementalMirror('iso');
    await letTimePass(mirror);
    await cycle(mirror);
    expect(datedRequests(mirror)).toEqual([]);
  });

  test('reads one list more after a pause, and finds what appeared elsewhere', async () => {
    const mirror = await incrementalMirror('iso');
    told(mirror, 'iso-ms');
    await letTimePass(mirror);
    insert(mirror);
    mirror.sandbox.world.insertTransaction('tail', { status: 'completed', createdAt: Date.now() });
    mirror.sandbox.requests.reset();
    expect(await cycle(mirror)).toMatchObject({ status: 'succeeded', verified: true });
    expect((await modes(mirror)).slice(-2)).toEqual(['incremental', 'full']);
    expect(datedRequests(mirror)).toHaveLength(1);
    expect(mirror.context.facts.known.get('transactions_grow_at')).toBe('among');
    expect(mirror.context.facts.known.get('transactions_date_format')).toBe('iso-ms');
    expect(await mirrored(mirror)).toEqual(truth(mirror.sandbox));
  });

  test('stays an increment after a pause when everything appeared at the growing end', async () => {
    const mirror = await incrementalMirror('iso');
    told(mirror, 'iso-ms');
    await letTimePass(mirror);
    insert(mirror);
    insert(mirror);
    mirror.sandbox.requests.reset();
    expect(await cycle(mirror)).toMatchObject({ status: 'succeeded', verified: null, inserted: 2 });
    expect(datedRequests(mirror)).toHaveLength(1);
    expect(mirror.sandbox.requests.total).toBeLessThanOrEqual(20);
    expect(mirror.context.facts.known.get('transactions_grow_at')).toBe('head');
    expect(mirror.context.facts.known.get('transactions_date_format')).toBe('iso-ms');
    expect(await mirrored(mirror)).toEqual(truth(mirror.sandbox));
  });

  test.each([
    ['ignored', 'iso-ms', 'iso-ms showed records known for longer than was asked for'],
    ['rejected', 'iso-ms', 'iso-ms was refused with TXN-03'],
    ['local-time', 'iso-ms', 'none of 1 records that had appeared since was shown'],
    ['seconds-as-ms', 'epoch-s', 'epoch-s showed records known for longer than was asked for'],
  ] as const)('takes a format back when dates turn out to be %s', async (dateFilter, format, evidence) => {
    const mirror = await incrementalMirror(dateFilter);
    told(mirror, format);
    await letTimePass(mirror);
    insert(mirror);
    expect(await cycle(mirror)).toMatchObject({ status: 'succeeded', verified: null, inserted: 1 });
    expect(await learnedFormat(mirror)).toEqual({ value: 'contradicted', evidence });
    expect(mirror.context.facts.known.get('transactions_grow_at')).toBe('head');
    expect(await mirrored(mirror)).toEqual(truth(mirror.sandbox));

    await reconcile(mirror);
    expect(await learnedFormat(mirror)).toMatchObject({ value: 'none' });
  });

  test('does without the list when it cannot be read', async () => {
    const mirror = await incrementalMirror('iso');
    told(mirror, 'iso-ms');
    await letTimePass(mirror);
    insert(mirror);
    mirror.sandbox.faults.add({
      kind: 'http503',
      endpoint: 'transactions',
      when: ({ query }) => query.has('start_date'),
    });
    expect(await cycle(mirror)).toMatchObject({ status: 'succeeded', verified: null, inserted: 1 });
    expect(mirror.context.facts.known.get('transactions_date_format')).toBe('iso-ms');
  });
});

test('each format writes a moment as it is named', () => {
  const at = Date.UTC(2026, 0, 31, 23, 59, 58, 987) + 0.5;
  expect(dateFormats.map(({ name, write }) => [name, write(at)])).toEqual([
    ['iso-ms', '2026-01-31T23:59:58.987Z'],
    ['iso-seconds', '2026-01-31T23:59:58Z'],
    ['iso-date', '2026-01-31'],
    ['epoch-ms', '1769903998987'],
    ['epoch-s', '1769903998'],
  ]);
});

test('the moment in the future is past when its day is taken for its month, wherever the calendar allows it', () => {
  const day = 24 * 3_600_000;
  let told = 0;
  for (let now = Date.UTC(2026, 0, 1, 12); now < Date.UTC(2028, 0, 1); now += day) {
    const at = futureMoment(now);
    expect(at).toBeGreaterThan(now + 2 * day);
    const [, year, month, date] = /^(\d+)-(\d+)-(\d+)/.exec(new Date(at).toISOString()) ?? [];
    if (Date.parse(`${year}-${date}-${month}`) < now) told += 1;
  }
  expect(told).toBeGreaterThan(600);
});
