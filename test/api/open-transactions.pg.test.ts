// Open transactions are few among many, and the statistics often know of none of them.
import { expect, test } from 'vitest';
import { account, openStore } from '../support/store.ts';
import { startApi } from './documented-api.ts';
import { rowsReadBy } from './rows-read.ts';

const settled = 20_000;

test('the open transactions are found without reading the settled ones, in the order of the list and in others', async () => {
  const store = await openStore();
  await store.query(
    `insert into custody.transactions (account_id, transaction_id, status, first_seen_at, status_changed_at, changed_at, content_hash, raw)
     select $1, 'settled-' || i, 'completed', timestamptz '2026-01-01Z' + i * interval '1 minute', now(), now(), i::text, '{}'
     from generate_series(1, $2::int) as i`,
    [account, settled],
  );
  await store.query('analyze custody.transactions');
  await store.query(
    `insert into custody.transactions (account_id, transaction_id, status, first_seen_at, status_changed_at, changed_at, content_hash, raw)
     select $1, 'open-' || i, 'pending', timestamptz '2026-01-01Z' + i * interval '1 hour', now(), now(), 'open', '{}' from generate_series(1, 3) as i`,
    [account],
  );
  const api = await startApi(store.url);
  const read = await rowsReadBy(store, async () => {
    for (const order of ['', '&sort=changed_at', '&sort=transaction_id']) {
      const { data } = await api.json(`/api/v1/transactions?is_open=true&limit=2${order}`);
      expect(data.map((row) => String(row['transaction_id']).replace(/\d/, ''))).toEqual(['open-', 'open-']);
    }
  });
  expect(read).toBeLessThan(settled / 20);
});
