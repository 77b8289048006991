import { expect, test } from 'vitest';
import { concludeMissing } from '../../../src/sync/jobs/transactions-missing.ts';
import { sweepTransactions } from '../../../src/sync/jobs/transactions-sweep.ts';
import { createKeySet } from '../../../src/sync/run/key-set.ts';
import { runJob } from '../../../src/sync/run/run-job.ts';
import { letAnHourPass } from '../../support/an-hour-later.ts';
import { sampled } from '../../support/form.ts';
import { type Mirror, openMirror } from '../../support/mirror.ts';

/** One page: a sweep of it takes half as long. */
const openSmall = () => openMirror({ transactions: 100 }, { CUSTODY_PAGE_SIZE: '200' });

const sweep = (mirror: Mirror) => sweepTransactions(mirror.context, { job: 'reconcile' });

const missing = async (mirror: Mirror) =>
  (
    await mirror.query<{ transaction_id: string }>(
      'select transaction_id from custody.transactions where missing_since is not null order by 1',
    )
  ).map((row) => row.transaction_id);

const revisions = `select changed_fields, before->>'missing_since' is null as was_shown, after->>'missing_since' is null as is_shown
  from custody.transaction_revisions where transaction_id = $1 order by revision`;

const openAnomalies = (mirror: Mirror) =>
  mirror.query('select kind, resource_id from sync.anomalies where resolved_at is null order by 1, 2');

function someIds(mirror: Mirror, count: number): string[] {
  return [...mirror.sandbox.world.transactions()]
    .slice(20, 20 + count)
    .map(({ transactionId }) => transactionId);
}

test('a transaction is marked after the second verified sweep without it, and unmarked when it shows again', async () => {
  const mirror = await openSmall();
  const { world } = mirror.sandbox;
  await sweep(mirror);
  const [id = ''] = someIds(mirror, 1);
  const record = world.transaction(id);
  world.removeTransaction(id);
  expect(await sweep(mirror)).toMatchObject({ verified: true });
  expect(await missing(mirror)).toEqual([]);
  expect(await sweep(mirror)).toMatchObject({ verified: true });
  expect(await missing(mirror)).toEqual([id]);
  expect(await openAnomalies(mirror)).toEqual([{ kind: 'missing', resource_id: id }]);
  await sweep(mirror);
  expect(await missing(mirror)).toEqual([id]);
  world.insertTransaction('head', record);
  await sweep(mirror);
  expect(await missing(mirror)).toEqual([]);
  expect(await openAnomalies(mirror)).toEqual([]);
  expect(await mirror.query(revisions, [id])).toEqual([
    { changed_fields: ['missing_since'], was_shown: true, is_shown: false },
    { changed_fields: ['missing_since'], was_shown: false, is_shown: true },
  ]);
  expect(await mirror.query(`select 1 from sync.positions`)).toEqual([]);
});

test('rows that were loaded behind the counts of the mirror are found missing, and counted', async () => {
  const mirror = await openMirror({ transactions: 60 });
  await sweep(mirror);
  await mirror.query(
    `create temporary table copied as select * from custody.transactions order by transaction_id limit 1;
     update copied set transaction_id = 'loaded';
     insert into custody.transactions select * from copied`,
  );
  for (const _ of [1, 2]) expect(await sweep(mirror)).toMatchObject({ verified: true });
  expect(await missing(mirror)).toEqual(['loaded']);
  expect(
    await mirror.query('select transactions_total, transactions_missing from custody.accounts'),
  ).toMatchObject([{ transactions_total: '61', transactions_missing: '1' }]);
});

test('a transaction that its id still answers is not missing', async () => {
  const mirror = await openSmall();
  await sweep(mirror);
  const [id = ''] = someIds(mirror, 1);
  const hide = () => mirror.sandbox.world.removeTransaction(id);
  const record = mirror.sandbox.world.transaction(id);
  hide();
  await sweep(mirror);
  // Gone from the list, answered by its id: the second sweep runs before it is back, the question comes
  // after.
  const back = mirror.sandbox.faults.add({
    kind: 'slow',
    endpoint: 'transaction',
    when: () => {
      if (mirror.sandbox.world.transaction(id) === undefined)
        mirror.sandbox.world.insertTransaction('head', record);
      return false;
    },
  });
  expect(await sweep(mirror)).toMatchObject({ verified: true });
  back();
  expect(await missing(mirror)).toEqual([]);
  expect(mirror.sandbox.requests.byEndpoint['transaction']).toBe(1);
});

test('an unverified sweep between two verified ones restarts the count', async () => {
  const mirror = await openSmall();
  await sweep(mirror);
  const [id = ''] = someIds(mirror, 1);
  mirror.sandbox.world.removeTransaction(id);
  await sweep(mirror);
  const other = mirror.sandbox.world.insertTransaction('head', { amount: 'NaN' });
  expect(await sweep(mirror)).toMatchObject({ verified: false });
  mirror.sandbox.world.removeTransaction(other.transactionId);
  await sweep(mirror);
  expect(await missing(mirror)).toEqual([]);
  await sweep(mirror);
  expect(await missing(mirror)).toEqual([id]);
});

test('more than a twentieth at once is not believed, and said', async () => {
  const mirror = await openSmall();
  await sweep(mirror);
  const ids = someIds(mirror, 6);
  const records = ids.map((id) => mirror.sandbox.world.transaction(id));
  for (const id of ids) mirror.sandbox.world.removeTransaction(id);
  await sweep(mirror);
  await sweep(mirror);
  await sweep(mirror);
  expect(await missing(mirror)).toEqual([]);
  expect(await openAnomalies(mirror)).toMatchObject([{ kind: 'too-many-missing' }]);
  expect(await mirror.query(`select details from sync.anomalies`)).toMatchObject([
    { details: { absent: 6, mirrored: 100 } },
  ]);
  for (const record of records) mirror.sandbox.world.insertTransaction('head', record);
  await sweep(mirror);
  expect(await openAnomalies(mirror)).toEqual([]);
});

test.each(
  sampled(
    [
      { of: 12, removed: 1, marked: true },
      { of: 12, removed: 3, marked: true },
      { of: 12, removed: 4, marked: false },
      { of: 2, removed: 1, marked: true },
      { of: 2, removed: 2, marked: false },
      { of: 1, removed: 1, marked: true },
      { of: 100, removed: 5, marked: true },
    ],
    { every: 4, from: 2 },
  ),
)('of an account of $of, $removed removed: marked $marked', async ({ of, removed, marked }) => {
  const mirror = await openMirror({ transactions: 0 });
  const { world } = mirror.sandbox;
  const ids = Array.from({ length: of }, () => world.insertTransaction('head', {}).transactionId);
  await sweep(mirror);
  const gone = ids.slice(0, removed);
  for (const id of gone) world.removeTransaction(id);
  // An empty list is believed an hour after the first time.
  for (let sweeps = 0; sweeps < 4; sweeps += 1) {
    await sweep(mirror);
    letAnHourPass(mirror.context);
  }
  expect(await missing(mirror)).toEqual(marked ? gone.sort() : []);
  expect((await openAnomalies(mirror)).map(({ kind }) => kind)).toEqual(
    marked ? gone.map(() => 'missing') : ['too-many-missing'],
  );
});

test.each(sampled([{ kept: 100 }, { kept: 3 }], { every: 2 }))(
  'absent transactions that their ids still answer keep no other waiting, $kept kept',
  async ({ kept }) => {
    const mirror = await openMirror();
    await sweep(mirror);
    const ids = someIds(mirror, 7).sort();
    const [gone = ''] = ids.slice(-1);
    mirror.sandbox.world.removeTransaction(gone);
    const conclude = () =>
      runJob(mirror.context, { job: 'reconcile', mode: 'full' }, async (run) => {
        const seen = createKeySet();
        for (const { transactionId } of mirror.sandbox.world.transactions())
          if (!ids.includes(transactionId)) seen.add(transactionId);
        await concludeMissing(run, seen, { asked: 2, kept });
        return null;
      });
    // The first keeps them in mind, or some of them; then two are asked at a time.
    for (let sweeps = 0; sweeps < 5; sweeps += 1)
      expect(await conclude()).toMatchObject({ status: 'succeeded' });
    expect(await missing(mirror)).toEqual([gone]);
  },
);
