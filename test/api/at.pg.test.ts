// The API at a moment, against the functions of reporting that answer for a moment.
import { beforeAll, expect, test } from 'vitest';
import type { TestDatabase } from '../support/database.ts';
import { longTest } from '../support/form.ts';
import { mirrorOfJune } from '../system/dashboards/june.ts';
import { type Api, startApi } from './documented-api.ts';

let mirror: TestDatabase;
let api: Api;

beforeAll(async () => {
  mirror = await mirrorOfJune();
  api = await startApi(mirror.url, { of: 'default' });
});

const moments = [
  '2026-06-08T16:00:30Z',
  '2026-06-11T03:21:59.123456Z',
  '2026-06-14T10:00:00+02:00',
  '2026-06-19T16:00:20Z',
];

/** As JSON that PostgreSQL makes of the row, with amounts as text. */
async function expected(from: string, order: string, columns: readonly string[]): Promise<unknown[]> {
  const rows = await mirror.query<{ row: unknown }>(
    `select to_jsonb(f) as row from (select ${columns.join()} from ${from} where account_id = 'default' order by ${order}) as f`,
  );
  return rows.map(({ row }) => row);
}

test('transactions, balances, flows and fees at a moment are those of reporting', async () => {
  const cases = [
    {
      path: 'transactions?sort=transaction_id',
      from: 'transactions_at',
      order: 'transaction_id',
      columns: [
        'transaction_id',
        'status',
        'is_open',
        'amount::text as amount',
        'fee::text as fee',
        'note',
        'destination_id',
        'txn_hash',
      ],
    },
    {
      path: 'balances?',
      from: 'balances_at',
      order: 'asset_id, network_id, vault_type',
      columns: [
        'vault_type',
        'asset_id',
        'network_id',
        'total_balance::text as total_balance',
        'staking_balance::text as staking_balance',
        'is_known',
      ],
    },
    {
      path: 'flows?sort=day',
      from: 'flows_daily_at',
      order: `day, coalesce(asset_id, ''), coalesce(network_id, '')`,
      columns: [
        'day',
        'asset_id',
        'network_id',
        'deposits',
        'in_amount::text as in_amount',
        'net_amount::text as net_amount',
      ],
    },
    {
      path: 'fees?sort=day',
      from: 'fees_daily_at',
      order: `day, coalesce(fee_asset_id, ''), coalesce(asset_id, ''), coalesce(network_id, ''), coalesce(transaction_type, '')`,
      columns: ['day', 'fee_asset_id', 'asset_id', 'transactions', 'fee::text as fee'],
    },
  ];
  for (const { path, from, order, columns } of cases)
    for (const moment of moments) {
      const rows = await api.walk(`/api/v1/${path}&at=${encodeURIComponent(moment)}&limit=40`);
      const names = columns.map((column) => column.replace(/.* as /, ''));
      const found = rows.map((row) => Object.fromEntries(names.map((name) => [name, row[name]])));
      expect({ from, moment, found }).toEqual({
        from,
        moment,
        found: await expected(`reporting.${from}('${moment}')`, order, columns),
      });
    }
});

test('filters at a moment go by what was known then', async () => {
  // Not one that a reorganization took back to the status it had.
  const [changed] = await mirror.query<{ id: string; from: string; at: string }>(
    `select h.transaction_id as id, h.from_status as from, (h.observed_at - interval '1 microsecond')::text as at
     from custody.transaction_status_history as h join custody.transactions as t using (account_id, transaction_id)
     where h.sequence = 2 and t.status <> h.from_status order by h.transaction_id limit 1`,
  );
  const at = encodeURIComponent(`${changed?.at.replace(' ', 'T')}:00`);
  const then = await api.json(
    `/api/v1/transactions?at=${at}&transaction_id=${changed?.id}&status=${changed?.from}`,
  );
  expect(then.data).toHaveLength(1);
  expect(
    (await api.json(`/api/v1/transactions?transaction_id=${changed?.id}&status=${changed?.from}`)).data,
  ).toEqual([]);
});

test('vaults and the whitelist at a moment are their last states until then', async () => {
  for (const [list, kind, id] of [
    ['vaults', 'vault', 'vault_id'],
    ['whitelist', 'whitelist_entry', 'entry_id'],
  ])
    for (const moment of moments) {
      const rows = await mirror.query<{ id: string; revision: number }>(
        `select document_id as id, max(revision) as revision from custody.document_revisions
         where kind = '${kind}' and observed_at <= '${moment}' group by 1
         having (array_agg(change order by revision desc))[1] <> 'removed' order by 1`,
      );
      const found = await api.walk(`/api/v1/${list}?at=${encodeURIComponent(moment)}&limit=7`);
      expect(found.map((row) => ({ id: row[id ?? ''], revision: row['revision'] }))).toEqual(rows);
    }
});

longTest('a day is what was known at its last moment, page by page and in CSV', async () => {
  const last = await mirror.query<{ day: string; at: string }>(
    `select day::text, to_char((ends_at - interval '1 microsecond') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at
     from reporting.calendar where day in ('2026-06-09', '2026-06-11', '2026-06-13', '2026-06-18') order by day`,
  );
  expect(last).toHaveLength(4);
  for (const path of ['transactions', 'vaults', 'whitelist', 'flows', 'fees'])
    for (const { day, at } of last) {
      const rows = await api.walk(`/api/v1/${path}?at=${day}&limit=40`);
      expect(rows.length).toBeGreaterThan(0);
      expect([path, day, rows]).toEqual([path, day, await api.walk(`/api/v1/${path}?at=${at}&limit=500`)]);
      const csv = async (moment: string) => await (await api.get(`/api/v1/${path}.csv?at=${moment}`)).text();
      expect([path, day, await csv(day)]).toEqual([path, day, await csv(at)]);
    }
});

test('before the first observation all is unknown, in the future nothing is known, and both say so', async () => {
  for (const path of ['transactions', 'balances', 'vaults', 'whitelist', 'flows', 'fees']) {
    const before = await api.get(`/api/v1/${path}?at=2026-06-01T00:00:00Z`);
    expect([path, before.status, await before.json()]).toMatchObject([
      path,
      404,
      {
        code: 'moment-unknown',
        detail: expect.stringMatching(/unknown, not empty: the first observation is from 2026-06-08T/),
      },
    ]);
    const later = await api.get(`/api/v1/${path}?at=2199-01-01T00:00:00Z`);
    expect([path, later.status, await later.json()]).toMatchObject([
      path,
      400,
      { errors: [{ name: 'at', reason: expect.stringMatching(/is in the future/) }] },
    ]);
    expect((await api.get(`/api/v1/${path}.csv?at=2026-06-01T00:00:00Z`)).status).toBe(404);
  }
});

test('what does not go with a moment is refused', async () => {
  for (const [search, name] of [
    ['changed_from=2026-06-10T00:00:00Z', 'changed_from'],
    ['sort=-changed_at', 'sort'],
  ]) {
    const answer = await api.get(`/api/v1/transactions?at=2026-06-12T00:00:00Z&${search}`);
    expect([answer.status, await answer.json()]).toMatchObject([400, { errors: [{ name }] }]);
  }
});
