// A clock that is set back while answers are on their way: whichever is committed last, the later answer
// counts.
import { expect, test } from 'vitest';
import { createClock } from '../../../src/base/clock.ts';
import { snapshotBalances } from '../../../src/sync/jobs/balances.ts';
import { syncTransactions } from '../../../src/sync/jobs/transactions.ts';
import { sweepTransactions } from '../../../src/sync/jobs/transactions-sweep.ts';
import { runJob } from '../../../src/sync/run/run-job.ts';
import { capturingLogger } from '../../support/loggers.ts';
import { openMirror } from '../../support/mirror.ts';

const anHour = 3_600_000;

function deferred() {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

test('an older answer does not overwrite a newer one after the clock was set back', async () => {
  let ahead = 0;
  const clock = createClock(() => performance.now() + ahead);
  const arrived = deferred();
  const released = deferred();
  let watched = '';
  let requests = Number.NEGATIVE_INFINITY;
  const fetch: typeof globalThis.fetch = async (input, init) => {
    requests += 1;
    const mine = requests;
    const answer = await globalThis.fetch(input, init);
    const text = await answer.text();
    // From here on the process is an hour ahead of the database, and the next run finds out.
    if (mine === 1) ahead = anHour;
    if (mine > 1 && text.includes(watched)) {
      requests = Number.NEGATIVE_INFINITY;
      arrived.resolve();
      await released.promise;
    }
    return new Response(text, { status: answer.status, headers: answer.headers });
  };
  const mirror = await openMirror(
    { transactions: 80 },
    { CUSTODY_PAGE_SIZE: '20', CUSTODY_TIMEOUT_MS: '60000', CUSTODY_MAX_CONCURRENCY: '4' },
    { fetch, clock },
  );
  const { world } = mirror.sandbox;
  // Far from the head, which is read twice.
  const { transactionId } = world.insertTransaction('tail', { status: 'pending' });
  watched = transactionId;
  await sweepTransactions(mirror.context, { job: 'transactions' });

  requests = 0;
  const older = sweepTransactions(mirror.context, { job: 'reconcile' });
  await arrived.promise;
  world.alterTransaction(transactionId, { status: 'completed' });
  const newer = await syncTransactions(mirror.context, { full: true });
  expect(newer).toMatchObject({ changed: 1 });
  released.resolve();
  expect(await older).toMatchObject({ status: 'failed', errorCode: 'CLOCK-SET-BACK' });
  const rows = await mirror.query(
    'select to_status from custody.transaction_status_history where transaction_id = $1 order by sequence',
    [transactionId],
  );
  expect(rows).toEqual([{ to_status: 'pending' }, { to_status: 'completed' }]);
});

test('a moment of a wrong clock does not date what is read later to tomorrow, while a run is open', async () => {
  let ahead = 0;
  const clock = createClock(() => performance.now() + ahead);
  const { logger, entries } = capturingLogger();
  const mirror = await openMirror({ transactions: 20 }, {}, { clock });
  const context = { ...mirror.context, logger };
  const ended = deferred();
  const began = deferred();
  const long = runJob(context, { job: 'maintenance', mode: 'full' }, async (run) => {
    began.resolve();
    await ended.promise;
    await run.database.transact('late', (tx) => tx.run('late', (db) => db.execute('select 1')));
    return null;
  });
  await began.promise;
  ahead = 24 * anHour;
  clock.now();
  const now = Date.now();
  expect(await sweepTransactions(context, { job: 'transactions' })).toMatchObject({ status: 'succeeded' });
  expect(await snapshotBalances(context)).toMatchObject({ status: 'succeeded' });
  const late = `select count(*)::int as count from custody.transactions where changed_at > clock_timestamp() + interval '1 second'`;
  expect(await mirror.query(late)).toEqual([{ count: 0 }]);
  expect(Math.abs(clock.now() - now)).toBeLessThan(anHour);
  ended.resolve();
  expect(await long).toMatchObject({ status: 'failed', errorCode: 'CLOCK-SET-BACK' });
  expect(entries().filter(({ msg }) => String(msg).startsWith('clock was set back'))).toMatchObject([
    { level: 'warn', set_back_ms: expect.any(Number) },
  ]);
});
