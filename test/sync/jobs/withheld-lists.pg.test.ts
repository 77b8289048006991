// Services whose list ends early and whose filters have ways of their own: a sweep reads what they keep back,
// or does not call itself verified.
import { expect, test, vi } from 'vitest';
import type { ListCut } from '../../../packages/sandbox/src/http/list-cut.ts';
import { sweepTransactions } from '../../../src/sync/jobs/transactions-sweep.ts';
import { letAnHourPass } from '../../support/an-hour-later.ts';
import { type Mirror, openMirror } from '../../support/mirror.ts';
import { mirroredTransactions, trueTransactions } from '../../support/truth.ts';

vi.setConfig({ testTimeout: 60_000 });

const sweep = (mirror: Mirror, job: 'transactions' | 'reconcile' = 'transactions') =>
  sweepTransactions(mirror.context, { job });

const cut = (options: ListCut, more: Parameters<typeof openMirror>[0] = {}) =>
  openMirror({ transactions: 300, frozen: true, cut: options, ...more }, { CUSTODY_RETRIES: '0' });

/** The service reads its queries as this leaves them. */
function readQueriesAs({ sandbox }: Mirror, rewrite: (query: URLSearchParams) => void): void {
  const when = ({ query }: { query: URLSearchParams }) => {
    rewrite(query);
    return false;
  };
  sandbox.faults.add({ kind: 'err01', endpoint: 'transactions', when });
}

async function expectAll(mirror: Mirror): Promise<void> {
  expect(await sweep(mirror)).toMatchObject({ status: 'succeeded', verified: true });
  expect(await mirroredTransactions(mirror)).toEqual(trueTransactions(mirror.sandbox));
}

test('a service that refuses offsets above one of its own, whatever the limit, is read in parts', async () => {
  const mirror = await openMirror({ transactions: 600, frozen: true }, { CUSTODY_PAGE_SIZE: '50' });
  readQueriesAs(mirror, (query) => {
    if (Number(query.get('offset')) > 200) query.set('offset', 'refused');
  });
  await expectAll(mirror);
});

test('a list whose default range of dates shows nothing is not an empty account', async () => {
  const mirror = await cut({ days: 0 });
  expect(await sweep(mirror)).toMatchObject({ verified: false, doubts: ['empty-once'] });
  letAnHourPass(mirror.context);
  await expectAll(mirror);
  await expectAll(mirror);
});

test('the first moment of 1970, which a program may take for no date, is not asked for', async () => {
  const mirror = await cut({ days: 3 });
  readQueriesAs(mirror, (query) => {
    if (Date.parse(query.get('start_date') ?? '') === 0) query.delete('start_date');
  });
  await expectAll(mirror);
});

test.each(['fails', 'is refused'] as const)(
  'a type whose filter %s is no witness: ranges of dates show what the list lacks',
  async (how) => {
    const mirror = await cut({ window: 200, ignoredFilters: ['status'] });
    for (const [place, { transactionId }] of [...mirror.sandbox.world.transactions()].entries())
      mirror.sandbox.world.alterTransaction(transactionId, {
        transactionType: place >= 280 ? 'withdraw' : 'deposit',
      });
    const isDeposit = (query: URLSearchParams) => query.get('transaction_type') === 'deposit';
    if (how === 'fails')
      mirror.sandbox.faults.add({ kind: 'http500', when: ({ query }) => isDeposit(query) });
    else
      readQueriesAs(mirror, (query) => {
        if (isDeposit(query)) query.set('transaction_type', 'refused');
      });
    expect(await sweep(mirror)).toMatchObject({ verified: false, doubts: ['list-cut'] });
    expect((await mirroredTransactions(mirror)).size).toBe(300);
  },
);

test('a status that the service ignores leaves the others to be asked for', async () => {
  const mirror = await cut({ hiddenStatuses: ['rejected'] });
  readQueriesAs(mirror, (query) => {
    if (query.get('status') === 'confirming') query.delete('status');
  });
  await expectAll(mirror);
});

test('a range that begins in the future may be refused', async () => {
  const mirror = await cut({ days: 3 });
  readQueriesAs(mirror, (query) => {
    const start = query.get('start_date') ?? '';
    if (start > '2100' && !query.has('end_date')) query.set('start_date', 'refused');
  });
  await expectAll(mirror);
});

test('a service that refuses long ranges of dates is asked in those that it accepts', async () => {
  const mirror = await cut({ days: 7 });
  readQueriesAs(mirror, (query) => {
    const at = (name: string) => Date.parse(query.get(name) ?? '');
    const to = Number.isNaN(at('end_date')) ? mirror.context.clock.now() : at('end_date');
    if (to - at('start_date') > 7 * 86_400_000) query.set('start_date', 'refused');
  });
  expect(await sweep(mirror)).toMatchObject({ verified: false, doubts: ['list-cut'] });
});

test('a service that ends a range after some days where no end is given is asked with an end', async () => {
  const mirror = await cut({ days: 3 });
  readQueriesAs(mirror, (query) => {
    const start = Date.parse(query.get('start_date') ?? '');
    if (!Number.isNaN(start) && !query.has('end_date'))
      query.set('end_date', new Date(start + 3 * 86_400_000).toISOString());
  });
  expect(await sweep(mirror)).toMatchObject({ verified: false, doubts: ['list-cut'] });
});
