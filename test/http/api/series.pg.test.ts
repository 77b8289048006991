// The series of an asset, what balances are worth, and what explains a change: held against the snapshots and plain SQL, on twelve
// days of June 2026 in which the mirror stood still on the 13th.
import { beforeAll, expect, test } from 'vitest';
import type { Mirror } from '../../support/mirror.ts';
import { mirrorOfJune } from '../../system/dashboards/june.ts';
import { type Api, type Row, startApi } from './reading.ts';

let mirror: Mirror;
let api: Api;

beforeAll(async () => {
  mirror = await mirrorOfJune();
  api = await startApi(mirror.url, { of: 'default' });
}, 120_000);

const utc = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

test('a series holds the last observation of each step exactly, and one row for each gap', async () => {
  const path = '/api/v1/balances/assets/BTC/series';
  const all: Row[] = await api.walk(`${path}?vault_type=all&from=2026-06-07T00:00:00Z`);
  const shown = await mirror.query<Row>(
    `select ${utc('s.snapshot_at')} as observed_at, b.total_balance::text as total_balance
     from custody.balance_snapshots s left join reporting.balance_snapshots b on b.account_id = s.account_id
       and b.vault_type = s.vault_type and b.snapshot_at = s.snapshot_at and b.asset_id = 'BTC'
     where s.vault_type = 'all' order by 1`,
  );
  const observed = all.filter(({ state }) => state !== 'not observed');
  expect(observed.map(({ observed_at, total_balance }) => ({ observed_at, total_balance }))).toEqual(shown);
  // The first day begins before the mirror does; on the 13th nothing was observed.
  const gaps = all.filter(({ state }) => state === 'not observed');
  expect(gaps.map(({ gap_from, gap_to }) => [gap_from, gap_to])).toEqual([
    ['2026-06-12T16:00:00.000000Z', '2026-06-14T08:00:00.000000Z'],
  ]);
  const types = (await api.walk(`${path}?from=2026-06-18T00:00:00Z`)).map((row) => row['vault_type']);
  expect(new Set(types)).toEqual(new Set(['all', 'warm', 'cold']));
  expect((await api.get('/api/v1/balances/assets/NOTHING/series')).status).toBe(404);
});
