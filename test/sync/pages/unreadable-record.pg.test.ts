import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CustodyError } from '../../../src/domain/errors.ts';
import { syncTransactions } from '../../../src/sync/jobs/transactions.ts';
import { sweepTransactions } from '../../../src/sync/jobs/transactions-sweep.ts';
import { findUnreadable } from '../../../src/sync/pages/page-reader.ts';
import { sampled } from '../../support/form.ts';
import { openMirror } from '../../support/mirror.ts';
import { mirroredTransactions, trueTransactions } from '../../support/truth.ts';
import { createModelList } from '../walk/model-list.ts';

const fault = () =>
  new CustodyError('ERR-01', {
    kind: 'transient',
    code: 'ERR-01',
    endpoint: 'transactions',
    httpStatus: 400,
    retryAfterMs: null,
  });

describe('the record that spoils a page', () => {
  test('is found wherever it stands, in few requests', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 2, max: 200 }),
        fc.nat({ max: 400 }),
        fc.nat({ max: 199 }),
        async (limit, from, index) => {
          const poison = from + (index % limit);
          const model = createModelList({ length: 1_000 });
          let requests = 0;
          const read = async (offset: number, some: number) => {
            requests += 1;
            if (offset <= poison && poison < offset + some) throw fault();
            return model.read({ offset, limit: some });
          };
          const found = await findUnreadable(read, from, limit);
          expect(found?.offset).toBe(poison);
          expect((found?.before?.items ?? []).map((item) => item.key)).toEqual(
            Array.from({ length: poison - from }, (_, step) => `r${from + step}`),
          );
          expect(requests).toBeLessThanOrEqual(Math.ceil(Math.log2(limit)) + 4);
        },
      ),
    );
  });

  test('is not looked for where the service answers nothing', async () => {
    let requests = 0;
    const read = async () => {
      requests += 1;
      throw fault();
    };
    expect(await findUnreadable(read, 50, 200)).toBeNull();
    expect(requests).toBeLessThan(15);
  });

  test('is not there any more when everything is answered', async () => {
    const model = createModelList({ length: 1_000 });
    const read = async (offset: number, limit: number) => model.read({ offset, limit });
    expect(await findUnreadable(read, 50, 20)).toBeNull();
  });
});

test.each(sampled(['first', 'in the middle', 'last', 'two neighbours'], { every: 2 }))(
  'a sweep goes around records that spoil every page: %s',
  async (place) => {
    const mirror = await openMirror({}, { CUSTODY_RETRIES: '1', CUSTODY_RETRY_MAX_MS: '1' });
    const inOrder = [...mirror.sandbox.world.transactions()]
      .map(({ transactionId }) => transactionId)
      .reverse();
    const picked =
      { first: [0], 'in the middle': [133], last: [299], 'two neighbours': [120, 121] }[place] ?? [];
    const ids = picked.map((index) => inOrder[index] ?? '');
    const cured = mirror.sandbox.faults.add({ kind: 'poison', ids });
    const outcome = await sweepTransactions(mirror.context, { job: 'transactions' });
    expect(outcome).toMatchObject({ status: 'succeeded', verified: false });
    const expected = trueTransactions(mirror.sandbox);
    for (const id of ids) expected.delete(id);
    expect(await mirroredTransactions(mirror)).toEqual(expected);
    const open = await mirror.query<{ record_key: string; reason: string }>(
      'select record_key, reason from sync.quarantine where resolved_at is null',
    );
    expect(open).toHaveLength(ids.length);
    expect(open[0]?.reason).toContain(`position ${picked[0]}`);
    cured();
    expect(await sweepTransactions(mirror.context, { job: 'transactions' })).toMatchObject({
      verified: true,
    });
    expect(await mirroredTransactions(mirror)).toEqual(trueTransactions(mirror.sandbox));
    expect(await mirror.query('select 1 from sync.quarantine where resolved_at is null')).toEqual([]);
  },
);

test('a service that fails altogether fails the sweep, in few requests', async () => {
  const mirror = await openMirror({}, { CUSTODY_RETRIES: '1', CUSTODY_RETRY_MAX_MS: '1' });
  mirror.sandbox.faults.set('err01');
  expect(await sweepTransactions(mirror.context, { job: 'transactions' })).toMatchObject({
    status: 'failed',
    errorCode: 'ERR-01',
  });
  expect(mirror.sandbox.requests.total).toBeLessThan(60);
});

test('a limit that is refused is lowered until it is taken, and kept', async () => {
  const mirror = await openMirror({ refuseLimitAbove: 30 }, { CUSTODY_PAGE_SIZE: '1000' });
  expect(await syncTransactions(mirror.context, { full: false })).toMatchObject({
    verified: true,
    inserted: 300,
  });
  expect(Number(mirror.context.facts.known.get('transactions_limit'))).toBeLessThanOrEqual(30);
  mirror.sandbox.requests.reset();
  await syncTransactions(mirror.context, { full: false });
  expect(
    mirror.sandbox.requests
      .recent()
      .every((request) => request.status === 200 || request.query.includes('offset=300')),
  ).toBe(true);
});
