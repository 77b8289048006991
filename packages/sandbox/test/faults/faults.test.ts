import { expect, test } from 'vitest';
import { errorOf, idsOf, serve } from '../../../../test/support/served-sandbox.ts';
import type { FaultKind } from '../../src/faults/fault-kinds.ts';
import { faultKinds, parseFaults } from '../../src/faults/fault-kinds.ts';

test.each<[FaultKind, string]>([
  ['err01', '400 ERR-01'],
  ['err02', '401 ERR-02'],
  ['err03', '429 ERR-03'],
  ['err03-date', '429 ERR-03'],
  ['err03-bare', '429 ERR-03'],
  ['falseempty', '400 TXN-02'],
])('%s is answered as %s', async (kind, expected) => {
  const now = Date.UTC(2026, 0, 1);
  const { sandbox, get } = await serve({ now: () => now });
  sandbox.faults.set([{ kind, retryAfter: 7 }]);
  const answer = await get('/transactions');
  expect(errorOf(answer)).toBe(expected);
  const retryAfter = { err03: '7', 'err03-date': 'Thu, 01 Jan 2026 00:00:07 GMT' };
  expect(answer.headers.get('retry-after')).toBe(
    Object.entries(retryAfter).find(([name]) => name === kind)?.[1] ?? null,
  );
});

test('repeatpage ignores offset, limitignored ignores limit', async () => {
  const { sandbox, get } = await serve({ transactions: 500 });
  const first = idsOf(await get('/transactions?limit=10'));
  sandbox.faults.set('repeatpage@transactions/offset');
  expect(idsOf(await get('/transactions?limit=10&offset=50'))).toEqual(first);
  sandbox.faults.set('limitignored');
  expect(idsOf(await get('/transactions?limit=10'))).toHaveLength(200);
});

test('poison fails every page with the record, by offset and by id, and no other', async () => {
  const { sandbox, get } = await serve({ transactions: 100 });
  const ids = idsOf(await get('/transactions'));
  sandbox.faults.set(`poison=${ids[37]}`);
  expect(errorOf(await get('/transactions'))).toBe('400 ERR-01');
  expect(errorOf(await get('/transactions?limit=1&offset=37'))).toBe('400 ERR-01');
  expect(errorOf(await get(`/transactions/${ids[37]}`))).toBe('400 ERR-01');
  expect(idsOf(await get('/transactions?limit=37'))).toEqual(ids.slice(0, 37));
  expect(idsOf(await get('/transactions?offset=38'))).toEqual(ids.slice(38));
  expect(sandbox.faults.counts()).toEqual({ poison: 3 });
});

test('rules know endpoint, phase, times and a condition, and can be taken out again', async () => {
  const { sandbox, get } = await serve({ transactions: 500 });
  sandbox.faults.set([
    { kind: 'http500', endpoint: 'balances' },
    { kind: 'http502', phase: 'offset', times: 2 },
    { kind: 'http503', phase: 'byid' },
  ]);
  const remove = sandbox.faults.add({ kind: 'err01', when: ({ query }) => query.get('status') === 'failed' });
  const statuses = async (...paths: string[]): Promise<number[]> => {
    const found: number[] = [];
    for (const path of paths) found.push((await get(path)).status);
    return found;
  };
  const offset = '/transactions?offset=5';
  expect(await statuses('/balances', '/balances/warm', offset, offset, offset)).toEqual([
    500, 200, 502, 502, 200,
  ]);
  expect(await statuses('/transactions/x', '/vaults/y', '/vaults')).toEqual([503, 503, 200]);
  expect(errorOf(await get('/transactions?status=failed'))).toBe('400 ERR-01');
  remove();
  expect((await get('/transactions?status=failed')).status).toBe(200);
  sandbox.faults.clear();
  expect(await statuses('/balances', '/vaults')).toEqual([200, 200]);
});

test('a rate strikes about that share of the requests, the same ones for the same seed', async () => {
  const strikes = async (seed: number): Promise<string> => {
    const { get } = await serve({ seed, faults: 'err01=0.3', transactions: 10 });
    let text = '';
    for (let i = 0; i < 100; i += 1) text += (await get('/transactions?limit=1')).status === 400 ? 'x' : '.';
    return text;
  };
  const once = await strikes(9);
  expect(once.replaceAll('.', '').length).toBeGreaterThan(15);
  expect(once.replaceAll('.', '').length).toBeLessThan(45);
  expect(await strikes(9)).toBe(once);
});

test('faults are read from text, and a bad item is named with the kinds there are', () => {
  expect(
    parseFaults('err01=0.2, reset@balances=0.05,falseempty@transactions/offset=1x2,stall,poison=a+b'),
  ).toEqual([
    { kind: 'err01', rate: 0.2 },
    { kind: 'reset', endpoint: 'balances', rate: 0.05 },
    { kind: 'falseempty', endpoint: 'transactions', phase: 'offset', rate: 1, times: 2 },
    { kind: 'stall', rate: 1 },
    { kind: 'poison', ids: ['a', 'b'] },
  ]);
  expect(parseFaults('')).toEqual([]);
  for (const bad of [
    'err1=0.2',
    'err01=2',
    'err01=',
    'err01=-1',
    'err01@nowhere=1',
    'err01/middle=1',
    'poison',
  ]) {
    expect(() => parseFaults(`reset=0.1,${bad}`), bad).toThrow(`"${bad}"`);
  }
  expect(() => parseFaults('oops=1')).toThrow(faultKinds.join(', '));
});
