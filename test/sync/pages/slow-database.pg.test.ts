// A database that is slow makes a run slower and nothing else.
import pg from 'pg';
import { expect, test } from 'vitest';
import { MirrorError } from '../../../src/domain/errors.ts';
import type { Database } from '../../../src/store/postgres/database.ts';
import { snapshotBalances } from '../../../src/sync/jobs/balances.ts';
import { sweepTransactions } from '../../../src/sync/jobs/transactions-sweep.ts';
import type { JobContext } from '../../../src/sync/run/context.ts';
import { longTest } from '../../support/form.ts';
import { capturingLogger } from '../../support/loggers.ts';
import { type Mirror, openMirror } from '../../support/mirror.ts';
import { withClient } from '../../support/server.ts';
import { mirroredTransactions, trueTransactions } from '../../support/truth.ts';
import { waitFor } from '../../support/wait-for.ts';

/** With the least lease a statement may take five seconds. */
const shortLimits = ({ context }: Mirror): JobContext => ({
  ...context,
  lease: { ...context.lease, ttlMs: 10_000 },
});

async function slowDown(mirror: Mirror, secondsPerRow: number): Promise<void> {
  await withClient(mirror.url, async (client) => {
    await client.query(
      `create function public.dawdle() returns trigger language plpgsql as
       $$ begin perform pg_sleep(${secondsPerRow}); return new; end $$`,
    );
    await client.query(
      `create trigger dawdle before insert on custody.transactions for each row execute function public.dawdle()`,
    );
  });
}

/** How many rows each commit wrote, in order. */
const commitSizes = async (mirror: Mirror) =>
  (
    await mirror.query<{ rows: number }>(
      'select count(*)::int as rows from custody.transactions group by xmin order by min(xmin::text::bigint)',
    )
  ).map(({ rows }) => rows);

longTest('groups do not grow while rows are slow, no run fails, and other jobs write meanwhile', async () => {
  const mirror = await openMirror({ transactions: 320 }, { CUSTODY_PAGE_SIZE: '100' });
  await slowDown(mirror, 0.03);
  const context = shortLimits(mirror);
  const sweeping = sweepTransactions(context, { job: 'transactions' });
  await waitFor(async () => (await commitSizes(mirror)).length > 0, { what: 'the first commit' });
  expect(await snapshotBalances(context)).toMatchObject({ status: 'succeeded' });
  expect(await sweeping).toMatchObject({ status: 'succeeded', verified: true, inserted: 320 });
  expect(await mirroredTransactions(mirror)).toEqual(trueTransactions(mirror.sandbox));
  // A page each.
  const sizes = await commitSizes(mirror);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(100);
  expect(
    await mirror.query(
      `select b.finished_at < t.finished_at as wrote_meanwhile, t.records_inserted::int as inserted
       from sync.runs b, sync.runs t where b.job = 'balances' and t.job = 'transactions'`,
    ),
  ).toEqual([{ wrote_meanwhile: true, inserted: 320 }]);
});

longTest('a page that alone takes too long is committed in parts', async () => {
  const mirror = await openMirror({ transactions: 100 }, { CUSTODY_PAGE_SIZE: '200' });
  await slowDown(mirror, 0.07);
  expect(await sweepTransactions(shortLimits(mirror), { job: 'transactions' })).toMatchObject({
    status: 'succeeded',
    verified: true,
    inserted: 100,
  });
  expect(await mirroredTransactions(mirror)).toEqual(trueTransactions(mirror.sandbox));
  expect(await commitSizes(mirror)).toEqual([50, 50]);
});

test('a server that ends the whole transaction for its length gets less and less, as for that of a statement', async () => {
  const mirror = await openMirror({ transactions: 100 }, { CUSTODY_PAGE_SIZE: '200' });
  const timeout = new pg.DatabaseError('terminating connection due to transaction timeout', 0, 'error');
  const cause = Object.assign(timeout, { code: '25P04' });
  const { database } = mirror.context;
  let commits = 0;
  const ending: Database = {
    ...database,
    async transact(label, work, options) {
      commits += label === 'commit-transactions' ? 1 : 0;
      if (label === 'commit-transactions' && commits <= 3)
        throw new MirrorError('DATABASE-UNREACHABLE', 'ended the transaction', { cause });
      return await database.transact(label, work, options);
    },
  };
  const context = { ...mirror.context, database: ending };
  expect(await sweepTransactions(context, { job: 'transactions' })).toMatchObject({
    status: 'succeeded',
    verified: true,
    inserted: 100,
  });
  expect((await commitSizes(mirror))[0]).toBe(12);
});

longTest('a lock that outlasts a statement costs time and no run', async () => {
  const mirror = await openMirror({ transactions: 300 });
  const { logger, entries } = capturingLogger();
  const context = { ...shortLimits(mirror), logger };
  const sweeping = await withClient(mirror.url, async (client) => {
    await client.query('begin; lock table custody.transactions in exclusive mode');
    const swept = sweepTransactions(context, { job: 'transactions' });
    await waitFor(
      () => entries().some(({ msg }) => msg === 'commit was too much at once, retrying with less'),
      {
        what: 'a commit that waited too long',
      },
    );
    await client.query('commit');
    return await swept;
  });
  expect(sweeping).toMatchObject({ status: 'succeeded', verified: true, inserted: 300 });
  expect(await mirroredTransactions(mirror)).toEqual(trueTransactions(mirror.sandbox));
});
