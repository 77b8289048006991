// Who came first, whatever the clock of the database does: told by the lease and the holder's monotonic time.
import { expect, test } from 'vitest';
import { readStatus } from '../../../src/store/job-queries/status.ts';
import { syncTransactions } from '../../../src/sync/jobs/transactions.ts';
import { sweepTransactions } from '../../../src/sync/jobs/transactions-sweep.ts';
import type { JobContext } from '../../../src/sync/run/context.ts';
import { testDatabase } from '../../support/database.ts';
import { sampled } from '../../support/form.ts';
import { openMirror } from '../../support/mirror.ts';
import { changeAll, expectInOrder, mirrorAll, openSuccession } from '../../support/takeover.ts';

const hour = 3_600_000;
const steps = [
  ['an hour', hour],
  ['a day', 24 * hour],
  ['a year', 365 * 24 * hour],
] as const;

function deferred() {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

/** As if the database had told a time that is so far ahead: the next statement tells the right one. */
function wereAhead({ clock }: Pick<JobContext, 'clock'>, ms: number): void {
  const wrong = clock.now() + ms;
  clock.follow(wrong, wrong);
}

test.each(sampled(steps, { every: 3, from: 1 }))(
  'an older answer does not overwrite a newer one after the clock was set back by %s',
  async (_, ahead) => {
    const arrived = deferred();
    const released = deferred();
    let watched = '';
    let requests = Number.NEGATIVE_INFINITY;
    const fetch: typeof globalThis.fetch = async (input, init) => {
      requests += 1;
      const mine = requests;
      const answer = await globalThis.fetch(input, init);
      const text = await answer.text();
      if (mine === 1) wereAhead(mirror.context, ahead);
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
      { fetch },
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
    expect(await older).toMatchObject({ status: 'succeeded', changed: 0 });
    const rows = await mirror.query(
      'select to_status from custody.transaction_status_history where transaction_id = $1 order by sequence',
      [transactionId],
    );
    expect(rows).toEqual([{ to_status: 'pending' }, { to_status: 'completed' }]);
  },
);

test.each(sampled(steps, { every: 3 }))(
  'processes that take over from each other go on when a clock was ahead by %s',
  async (_, ahead) => {
    const database = await testDatabase();
    const succession = await openSuccession(database, 'acme');
    const killed = () => database.query('update sync.leases set expires_at = clock_timestamp()');
    const right = await succession.takeOver('right');
    changeAll(succession, 'right');
    await mirrorAll(right);
    await expectInOrder(succession, database, 'right', 1);
    expect((await readStatus(right.database, 'acme')).problems.map(({ code }) => code)).not.toContain(
      'clock-behind',
    );

    await killed();
    const wrong = await succession.takeOver('wrong');
    wereAhead(wrong, ahead);
    changeAll(succession, 'wrong');
    await mirrorAll(wrong);
    await expectInOrder(succession, database, 'wrong', 2);

    for (const holder of ['next', 'right', 'wrong']) {
      await killed();
      const process = await succession.takeOver(holder);
      changeAll(succession, holder);
      await mirrorAll(process);
      await expectInOrder(succession, database, holder, 2 + ['next', 'right', 'wrong'].indexOf(holder) + 1);
      // What a frozen process wakes with is never written.
      for (const frozen of [right, wrong])
        expect(await sweepTransactions(frozen, { job: 'reconcile' })).toMatchObject({
          errorCode: 'LEASE-LOST',
        });
      const { problems } = await readStatus(process.database, 'acme');
      expect(problems.find(({ code }) => code === 'clock-behind')).toMatchObject({
        severity: 'warning',
        since: expect.any(String),
        problem: expect.stringMatching(
          /^The database’s clock is \d+ (minutes|hours|days) behind .* until about \d{4}-/,
        ),
      });
      expect(problems.map(({ severity }) => severity)).not.toContain('critical');
    }
  },
);
