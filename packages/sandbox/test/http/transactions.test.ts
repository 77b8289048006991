import { expect, test } from 'vitest';
import { errorOf, idsOf, serve } from '../../../../test/support/served-sandbox.ts';

test('the limits by default are 50 for balances, and those that are chosen; a clamp is silent', async () => {
  const clamped = await serve({ transactions: 450, maxLimit: 100, defaultLimit: { others: 10 } });
  expect(clamped.sandbox.world.balances('all').length).toBeGreaterThan(20);
  expect(idsOf(await clamped.get('/transactions?limit=400'))).toHaveLength(100);
  expect((await clamped.get('/balances')).json.balance).toHaveLength(10);
});

test('start_date and end_date take ISO dates and date-times, of the time of creation', async () => {
  const { sandbox, get } = await serve({ transactions: 600 });
  const truth = [...sandbox.world.transactions()].reverse();
  const from = new Date(truth[400]?.createdAt ?? 0).toISOString();
  const to = new Date(truth[100]?.createdAt ?? 0).toISOString();
  const between = (low: string, high: string): string[] =>
    truth
      .filter((record) => record.createdAt >= Date.parse(low) && record.createdAt <= Date.parse(high))
      .map((record) => record.transactionId);
  expect(idsOf(await get(`/transactions?limit=1000&start_date=${from}&end_date=${to}`))).toEqual(
    between(from, to),
  );
  const day = from.slice(0, 10);
  const wholeDay = between(`${day}T00:00:00.000Z`, `${day}T23:59:59.999Z`);
  expect(idsOf(await get(`/transactions?limit=1000&start_date=${day}&end_date=${day}`))).toEqual(wholeDay);
});

test('changepool is no type unless its quirk is on, and a parameter that is not known is ignored or refused', async () => {
  const { get } = await serve();
  expect(errorOf(await get('/transactions?transaction_type=changepool'))).toBe('400 TXN-00');
  expect((await get('/transactions?surprise=1')).status).toBe(200);
  const strict = await serve({ unknownParameters: 'refused' });
  expect(errorOf(await strict.get('/transactions?surprise=1'))).toBe('400 ERR-00');
});

test('one transaction by id, under the spellings that are switched on; the other is a plain 404', async () => {
  const { sandbox } = await serve();
  const [record] = [...sandbox.world.transactions()];
  const id = record?.transactionId ?? '';
  for (const [byIdPath, served, other] of [
    ['plural', 'transactions', 'transaction'],
    ['singular', 'transaction', 'transactions'],
  ] as const) {
    const one = await serve({ byIdPath });
    expect((await one.get(`/${served}/${id}`)).status).toBe(200);
    const missing = await one.get(`/${other}/${id}`);
    expect([missing.status, missing.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
  }
});

test('a window ends the list, filtered or not: with nothing, an error, or the last page again', async () => {
  const { sandbox, get } = await serve({ transactions: 300, cut: { window: 100 } });
  const newestFirst = [...sandbox.world.transactions()].reverse().map((record) => record.transactionId);
  expect(idsOf(await get('/transactions?limit=60&offset=60'))).toEqual(newestFirst.slice(60, 100));
  expect(errorOf(await get('/transactions?limit=60&offset=100'))).toBe('400 TXN-02');
  expect(idsOf(await get('/transactions?limit=300&status=completed'))).toHaveLength(100);

  const strict = await serve({ transactions: 300, cut: { window: 100, windowEnd: 'error' } });
  expect(errorOf(await strict.get('/transactions?limit=60&offset=60'))).toBe('400 ERR-00');
  expect(idsOf(await strict.get('/transactions?limit=40&offset=60'))).toEqual(newestFirst.slice(60, 100));

  const repeating = await serve({ transactions: 300, cut: { window: 100, windowEnd: 'last-page' } });
  for (const offset of [60, 500])
    expect(idsOf(await repeating.get(`/transactions?limit=60&offset=${offset}`))).toEqual(
      newestFirst.slice(40, 100),
    );
});

test('old and hidden transactions show only where they are asked for, and a filter may do nothing', async () => {
  const cut = { days: 2, hiddenStatuses: ['rejected'], ignoredFilters: ['assetId'] } as const;
  const { sandbox, get } = await serve({
    transactions: 300,
    frozen: true,
    cut: { ...cut, ignoredFilters: [...cut.ignoredFilters] },
  });
  const all = [...sandbox.world.transactions()];
  const rejected = all.filter(({ status }) => status === 'rejected');
  const old = '1970-01-01T00:00:00Z';
  expect(idsOf(await get(`/transactions?limit=300&start_date=${old}`))).toHaveLength(300 - rejected.length);
  expect(idsOf(await get(`/transactions?limit=300&status=rejected&start_date=${old}`))).toHaveLength(
    rejected.length,
  );
  const recent = idsOf(await get('/transactions?limit=300'));
  expect(recent.length).toBeGreaterThan(0);
  expect(recent.length).toBeLessThan(100);
  expect(idsOf(await get('/transactions?limit=300&asset_id=BTC'))).toEqual(recent);
  const strict = await serve({ cut: { dates: 'day' } });
  expect(errorOf(await strict.get(`/transactions?start_date=${old}`))).toBe('400 TXN-03');
  expect((await strict.get('/transactions?start_date=1970-01-01')).status).toBe(200);
});
