// Whatever is committed: the totals are the sums of the transactions, and reporting tells of each payment
// what the readings of the transactions and of the whitelist prove. The oracle walks through the readings and
// knows nothing of revisions, totals or ranges.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { oneRun } from '../support/cleanup.ts';
import { sized } from '../support/form.ts';
import { withClient } from '../support/server.ts';
import { account, digest, openStore, type Store } from '../support/store.ts';
import { expected, sorted } from './destination-model.ts';
import { destinations, play, type Step, steps, takes, type Wire } from './destination-past.ts';

async function shown(store: Store) {
  const rows = await store.query(
    `select account_id, destination_type, destination_id, destination_address, asset_id, network_id, uses, completed_uses,
       completed_amount, missing_uses, non_whitelisted_uses, unknown_whitelist_uses, first_used_at, first_transaction_id,
       last_used_at, last_transaction_id, whitelisted_at_first_use, whitelisted_now from reporting.destinations`,
  );
  const single = await store.query(
    'select transaction_id, is_completed, is_whitelisted from reporting.destination_uses',
  );
  return { rows: sorted(rows), single: sorted(single) };
}

/** Rows of the totals that differ from the sums of the transactions. */
const wrongTotals = (store: Store) =>
  store.query(
    `(select * from internal.destination_totals except all select * from internal.destination_sums)
     union all (select * from internal.destination_sums except all select * from internal.destination_totals)`,
  );

test('the views show for each payment what the readings prove, and the totals agree', async () => {
  await fc.assert(
    fc.asyncProperty(
      steps,
      oneRun(async (past) => {
        const store = await openStore();
        for (const [index, step] of past.entries()) {
          await play(store, step, index * takes * 2);
          expect(await wrongTotals(store)).toEqual([]);
        }
        expect(await shown(store)).toEqual(expected(past));
        const reasons = await store.query(
          `select transaction_id from reporting.destination_uses
         where (is_whitelisted is null) <> (whitelist_reason like 'unknown: %')
           or known_before_at > first_seen_after or known_after_at < first_seen_at
           or is_whitelisted and not (whitelisted_before and whitelisted_after)`,
        );
        expect(reasons).toEqual([]);
      }),
    ),
    { numRuns: sized({ short: 6, long: 60 }), endOnFailure: true },
  );
}, 240_000);

const paid: Wire = {
  id: 'a',
  type: 'withdraw',
  status: 'completed',
  amount: '1.5',
  destination: destinations[0],
  asset: 'BTC',
};

test('texts longer than an entry of an index neither break a commit nor the totals', async () => {
  const store = await openStore();
  const long = Array.from({ length: 2_000 }, (_, index) => digest(`${index}`)).join('');
  const destination = { type: long, id: `${long}'`, address: `${long}\\` };
  const past: Step[] = [
    { kind: 'whitelist', listed: [{ entry: 'long', address: `${long}\\`, asset: null }], whole: true },
    { kind: 'page', records: [paid], verified: true },
    { kind: 'page', records: [{ ...paid, id: 'b', destination, asset: long }], verified: true },
    { kind: 'whitelist', listed: [{ entry: 'long', address: `${long}\\`, asset: null }], whole: true },
  ];
  for (const [index, step] of past.entries()) await play(store, step, index * takes * 2);
  expect(await shown(store)).toEqual(expected(past));
  expect(
    await store.query('select count(*)::int from reporting.destination_uses where is_whitelisted'),
  ).toEqual([{ count: 1 }]);
});

test('what turns out to have gone elsewhere is taken out of the sums, however many withdrawals they hold', async () => {
  const store = await openStore();
  const many = 5_000;
  // The first, the last and the one with the earliest bound are three.
  await store.query(
    `insert into custody.transactions (account_id, transaction_id, status, transaction_type, amount, destination_type, destination_address,
       first_seen_after, first_seen_at, status_changed_at, changed_at, content_hash, raw)
     select $1, 't' || i, 'completed', 'withdraw', 1, 'network', 'one', t.at - i % 7 * interval '1 day', t.at, t.at, t.at, '', '{}'
     from generate_series(1, $2::int) as i, lateral (select timestamptz '2026-01-01Z' + i * interval '1 minute' as at) as t`,
    [account, many],
  );
  await store.query('vacuum analyze custody.transactions');
  const read = await withClient(store.url, async (client) => {
    const soFar = async () => {
      const { rows } = await client.query<{ read: number }>(
        `select (seq_tup_read + idx_tup_fetch)::float8 as read from pg_stat_xact_user_tables where relid = 'custody.transactions'::regclass`,
      );
      return rows[0]?.read ?? 0;
    };
    await client.query('begin');
    const before = await soFar();
    await client.query(
      `update custody.transactions set destination_address = 'two', status = 'failed'
       where account_id = $1 and transaction_id in ('t1', 't2', 't6', $2)`,
      [account, `t${many}`],
    );
    const after = await soFar();
    await client.query('commit');
    return after - before;
  });
  expect(read).toBeLessThan(many / 50);
  expect(await wrongTotals(store)).toEqual([]);
  await store.query(
    `update custody.transactions set transaction_type = 'deposit' where destination_address = 'one'`,
  );
  expect(await wrongTotals(store)).toEqual([]);
  expect(
    await store.query('select uses::int, completed_uses::int as completed from internal.destination_totals'),
  ).toEqual([{ uses: 4, completed: 0 }]);
});
