// Random services that keep back parts of their list, some of whose filters do nothing, while transactions
// arrive, settle and leave: verified implies that the mirror holds every transaction that stayed. One filter
// works that tells transactions apart: without it, no reading could show what is kept back.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ListCut } from '../../../packages/sandbox/src/http/list-cut.ts';
import { createRandom } from '../../../packages/sandbox/src/values/random.ts';
import { sweepTransactions } from '../../../src/sync/jobs/transactions-sweep.ts';
import { oneRun } from '../../support/cleanup.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { sized } from '../../support/form.ts';
import { openMirror } from '../../support/mirror.ts';
import { mirroredTransactions, trueTransactions } from '../../support/truth.ts';

/** A thousand take half an hour: SERVICES=1000. */
const numRuns = sized({ short: 2, long: 60 }, 'SERVICES');
/** Services that are read side by side. */
const atOnce = 4;
const seed = sized({ short: 1, long: Date.now() % 1_000_000 }, 'SERVICES_SEED');

const filters = { status: ['status'], type: ['transactionType'], dates: ['from', 'to'] } as const;
type Filter = keyof typeof filters;

const service = fc
  .record({
    seed: fc.integer({ min: 0, max: 1_000_000 }),
    transactions: fc.integer({ min: 20, max: 160 }),
    order: fc.constantFrom('newest-first', 'oldest-first', 'by-time', 'by-asset'),
    window: fc.option(fc.integer({ min: 25, max: 120 }), { nil: undefined }),
    windowEnd: fc.constantFrom('empty', 'error', 'last-page'),
    days: fc.option(fc.integer({ min: 2, max: 40 }), { nil: undefined, freq: 1 }),
    isHiding: fc.boolean(),
    dates: fc.option(fc.constantFrom('milliseconds', 'seconds', 'day'), { nil: undefined }),
    ignored: fc.subarray<Filter>(['status', 'type', 'dates'], { maxLength: 2 }),
    changesEvery: fc.constantFrom(0, 0.02, 0.2),
  })
  .map(({ days, isHiding, ignored, ...rest }) => ({
    ...rest,
    ignored,
    days: ignored.includes('dates') ? undefined : days,
    isHiding: isHiding && !ignored.includes('status'),
  }));
type Service = typeof service extends fc.Arbitrary<infer Drawn> ? Drawn : never;

test(`verified means mirrored, for ${numRuns} random services from seed ${seed}`, {
  timeout: numRuns * 60_000,
}, async () => {
  const database = await testDatabase();
  const count = { services: 0, sweeps: 0, verified: 0 };
  const check = oneRun((drawn: Service) => checkService(drawn, database, count));
  // A service waits for its answers most of the time.
  await Promise.all(
    Array.from({ length: Math.min(atOnce, numRuns) }, (_, lane) =>
      fc.assert(fc.asyncProperty(service, check), {
        numRuns: Math.ceil((numRuns - lane) / atOnce),
        seed: seed + lane,
      }),
    ),
  );
  const { sweeps, verified } = count;
  process.stdout.write(`${verified} of ${sweeps} sweeps were verified, seed ${seed}\n`);
  // Some two of three are. Of few services chance decides how many.
  expect(verified).toBeGreaterThan(numRuns < 50 ? 0 : sweeps / 3);
});

/** Reads a service twice while it changes; it is an account of its own in the database. */
async function checkService(
  drawn: Service,
  database: TestDatabase,
  count: { services: number; sweeps: number; verified: number },
): Promise<void> {
  count.services += 1;
  const account = `service-${count.services}`;
  const { window, windowEnd, days, dates, ignored } = drawn;
  const cut: ListCut = {
    ...{ window, windowEnd, days, ignoredFilters: ignored.flatMap((one) => filters[one]) },
    ...(drawn.isHiding && { hiddenStatuses: ['rejected', 'cancelled'] }),
    ...(dates !== undefined && { dates }),
  };
  const { order, transactions } = drawn;
  const mirror = await openMirror(
    { seed: drawn.seed, transactions, order, cut, frozen: true },
    { CUSTODY_ACCOUNT: account, CUSTODY_PAGE_SIZE: '20' },
    {},
    database,
  );
  const { world } = mirror.sandbox;
  const isTellingApart = () => {
    const held = [...world.transactions()];
    const differs = (one: 'status' | 'transactionType') => new Set(held.map((each) => each[one])).size > 1;
    return (
      !ignored.includes('dates') ||
      (!ignored.includes('status') && differs('status')) ||
      (!ignored.includes('type') && differs('transactionType'))
    );
  };
  const random = createRandom(drawn.seed, 'changes');
  const change = () => {
    const held = [...world.transactions()];
    const { transactionId, status } = random.pick(held);
    const kind = random.pick(['arrives', 'settles', 'leaves']);
    if (kind === 'arrives')
      world.insertTransaction('head', { status: random.pick(['pending', 'completed']) });
    else if (kind === 'leaves' && held.length > 10) world.removeTransaction(transactionId);
    else if (status === 'pending') world.alterTransaction(transactionId, { status: 'completed' });
  };
  mirror.sandbox.faults.add({
    kind: 'err01',
    when: () => {
      if (random.chance(drawn.changesEvery)) change();
      return false;
    },
  });
  for (const job of ['transactions', 'reconcile'] as const) {
    const before = trueTransactions(mirror.sandbox);
    const outcome = await sweepTransactions(mirror.context, { job });
    expect(outcome.status).toBe('succeeded');
    count.sweeps += 1;
    if (outcome.verified !== true) continue;
    count.verified += 1;
    if (!isTellingApart()) continue;
    const held = await mirroredTransactions(mirror, account);
    const after = trueTransactions(mirror.sandbox);
    if (drawn.changesEvery === 0) expect(held, job).toEqual(after);
    else
      expect(
        [...before.keys()].filter((id) => after.has(id) && !held.has(id)),
        job,
      ).toEqual([]);
  }
}
