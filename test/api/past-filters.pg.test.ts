// Filters at a moment go by what was known then, and find it without reading what never fitted.
import { expect, test } from 'vitest';
import { account, openStore } from '../support/store.ts';
import { startApi } from './documented-api.ts';
import { rowsReadBy } from './rows-read.ts';

const others = 20_000;
const day = (number: number) => `2026-02-0${number}T00:00:00Z`;

/**
 * Among many that never changed: `moved`, of which a revision on the second and on the fourth corrected what
 * it is about, and `settled`, which was pending until the third.
 */
async function fill(query: Awaited<ReturnType<typeof openStore>>['query']): Promise<void> {
  await query(
    `update custody.accounts set first_seen_at = '2026-01-01Z', transactions_since = '2026-01-01Z'`,
  );
  await query(
    `insert into custody.transactions (account_id, transaction_id, status, transaction_type, asset_id, source_type, source_id,
       source_address, destination_type, destination_id, destination_address, first_seen_at, status_changed_at, changed_at, content_hash, raw)
     select $1, 'other-' || i, 'completed', 'deposit', 'BTC', 'external', '', 'from-' || i, 'vault', 'vault-' || i % 10, 'to-' || i,
       t.at, t.at, t.at, '', jsonb_build_object('note', repeat('-', 800))
     from generate_series(1, $2::int) as i, lateral (select timestamptz '2026-01-01Z' + i * interval '1 minute' as at) as t
     union all
     select $1, 'moved', 'completed', 'withdraw', 'ETH', 'vault', 'vault-now', 'from-now', 'whitelist', 'entry-now', 'to-now',
       timestamptz '2026-02-01Z', timestamptz '2026-02-01Z', timestamptz '2026-02-04Z', '', jsonb '{}'
     union all
     select $1, 'settled', 'failed', 'stake', 'DOT', 'vault', 'vault-0', 'from-0', 'validator', 'v', 'to-0',
       timestamptz '2026-02-01Z', timestamptz '2026-02-03Z', timestamptz '2026-02-03Z', '', jsonb '{}'`,
    [account, others],
  );
  await query(
    `insert into custody.transaction_status_history (account_id, transaction_id, sequence, from_status, to_status, observed_at, run_id)
     select account_id, transaction_id, 1, null, case transaction_id when 'settled' then 'pending' else status end, first_seen_at, 1
     from custody.transactions
     union all select $1, 'settled', 2, 'pending', 'failed', timestamptz '2026-02-03Z', 1`,
    [account],
  );
  await query(
    `insert into custody.transaction_revisions (account_id, transaction_id, revision, observed_at, changed_fields, before, after, run_id)
     select $1, 'moved', n, v.at::timestamptz, array(select jsonb_object_keys(v.before)), v.before, v.before, 1
     from (values (1, '2026-02-02Z', $2::jsonb), (2, '2026-02-04Z', $3::jsonb)) as v (n, at, before)`,
    [
      account,
      { asset_id: 'XRP', source_id: 'vault-old', source_address: 'from-old', destination_type: 'network' },
      {
        asset_id: 'SOL',
        destination_id: 'entry-old',
        destination_address: 'to-old',
        transaction_type: 'unstake',
      },
    ],
  );
  // As autovacuum does: it takes what is new into the index of digests.
  await query(
    'vacuum analyze custody.transactions, custody.transaction_status_history, custody.transaction_revisions',
  );
}

test('what fitted at the moment is found by its later value, by an earlier one, and by its status then', async () => {
  const store = await openStore();
  await fill(store.query);
  const api = await startApi(store.url);
  const cases: readonly (readonly [filter: string, at: number, found: string | null])[] = [
    ['asset_id=XRP', 1, 'moved'],
    ['asset_id=XRP', 3, null],
    ['asset_id=SOL', 1, null],
    ['asset_id=SOL', 3, 'moved'],
    ['asset_id=ETH', 3, null],
    ['asset_id=ETH', 5, 'moved'],
    ['vault=vault-old', 1, 'moved'],
    ['vault=vault-old', 3, null],
    ['vault=vault-now', 3, 'moved'],
    ['source_address=from-old', 1, 'moved'],
    ['source_address=from-now', 1, null],
    ['source_id=vault-now', 3, 'moved'],
    ['destination_type=network', 1, 'moved'],
    ['destination_id=entry-old', 3, 'moved'],
    ['destination_address=to-now', 3, null],
    ['destination_address=to-old', 3, 'moved'],
    ['destination_address=to-old', 5, null],
    ['transaction_type=unstake', 1, 'moved'],
    ['asset_id=ETH&destination_address=to-now', 5, 'moved'],
    ['status=pending', 1, 'settled'],
    ['status=pending', 3, null],
    ['status=failed', 1, null],
    ['status=failed', 3, 'settled'],
    ['is_open=true', 1, 'settled'],
    ['is_open=true', 3, null],
    ['is_open=true&asset_id=DOT', 2, 'settled'],
  ];
  const read = await rowsReadBy(store, async () => {
    for (const [filter, at, found] of cases)
      for (const sort of ['', '&sort=transaction_id']) {
        const { data } = await api.json(`/api/v1/transactions?at=${day(at)}&${filter}${sort}`);
        expect({ filter, at, sort, found: data.map((row) => row['transaction_id']) }).toEqual({
          filter,
          at,
          sort,
          found: found === null ? [] : [found],
        });
      }
  });
  expect(read).toBeLessThan(others / 4);
});
