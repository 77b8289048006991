// Of what was mirrored before bounds were recorded, the upgrade claims those that a verified reading proves, and no other.
import { expect, test } from 'vitest';
import { migrate } from '../../../src/store/schema/migrate.ts';
import { knownMigrations } from '../../../src/store/schema/migrations.ts';
import { testDatabase } from '../../support/database.ts';
import { open } from '../../support/store.ts';
import { applyFirst } from './earlier.ts';

test('bounds of an earlier version are those that verified readings prove', async () => {
  const earlier = await testDatabase({ empty: true });
  await applyFirst(
    earlier,
    knownMigrations().findIndex(({ name }) => name.endsWith('withdrawals_and_days')),
  );
  const at = (hour: number, minute = 0) => `2026-03-01T${String(hour).padStart(2, '0')}:0${minute}:00Z`;
  await earlier.query(`
    insert into custody.accounts (account_id, base_url, first_seen_at, transactions_since, time_zone)
      values ('acme', 'https://custody.example', '${at(0)}', '${at(1, 5)}', 'UTC');
    insert into sync.runs (account_id, job, mode, status, verified, verdict, started_at, finished_at) values
      ('acme', 'transactions', 'full', 'succeeded', false, '{}', '${at(1)}', '${at(1, 5)}'),
      ('acme', 'vaults', 'full', 'succeeded', false, null, '${at(1)}', '${at(1, 1)}'),
      ('acme', 'reconcile', 'full', 'succeeded', true, '{"resumed": 0}', '${at(3)}', '${at(3, 5)}'),
      ('acme', 'transactions', 'full', 'succeeded', true, '{"resumed": 1}', '${at(5)}', '${at(5, 5)}'),
      ('acme', 'transactions', 'incremental', 'succeeded', null, null, '${at(6)}', '${at(6, 1)}'),
      ('acme', 'whitelist', 'full', 'succeeded', true, null, '${at(3)}', '${at(3, 1)}'),
      ('acme', 'whitelist', 'full', 'succeeded', false, null, '${at(4)}', '${at(4, 1)}'),
      ('acme', 'whitelist', 'full', 'abandoned', true, null, '${at(4)}', '${at(9, 1)}'),
      ('acme', 'whitelist', 'full', 'succeeded', true, null, '${at(6)}', '${at(6, 1)}');
    insert into custody.transactions (account_id, transaction_id, status, transaction_type, first_seen_at, status_changed_at, changed_at, content_hash, raw)
      select 'acme', t.id, 'completed', t.type, t.at, t.at, t.at, 'h', '{}' from (values
        ('before', 'withdraw', '${at(1, 1)}'::timestamptz), ('unproved', 'withdraw', '${at(2)}'), ('during', 'withdraw', '${at(3, 1)}'),
        ('proved', 'withdraw', '${at(4)}'), ('later', 'withdraw', '${at(7)}'), ('unread', 'withdraw', '${at(7)}'), ('deposit', 'deposit', '${at(7)}')
      ) as t (id, type, at);
    insert into sync.quarantine (account_id, resource, record_key, reason, raw, run_id, first_observed_at, last_observed_at, resolved_at)
      values ('acme', 'transactions', 'unread', 'odd', '{}', 1, '${at(1)}', '${at(1)}', '${at(7)}');
    insert into custody.document_revisions (account_id, kind, document_id, revision, observed_at, change, document, run_id) values
      ('acme', 'vault', 'v', 1, '${at(1)}', 'added', '{}', 2), ('acme', 'vault', 'v', 2, '${at(2)}', 'changed', '{}', 99),
      ('acme', 'whitelist_entry', 'w', 1, '${at(3)}', 'added', '{}', 6), ('acme', 'whitelist_entry', 'w', 2, '${at(6)}', 'changed', '{}', 9)`);
  await migrate(open(earlier.url));
  const hour = (column: string) => `extract(hour from ${column} at time zone 'UTC')::int`;
  expect(
    await earlier.query(
      `select transaction_id as id, ${hour('first_seen_after')} as after from custody.transactions order by 1`,
    ),
  ).toEqual([
    { id: 'before', after: null },
    { id: 'deposit', after: null },
    { id: 'during', after: null },
    { id: 'later', after: 3 },
    { id: 'proved', after: 3 },
    { id: 'unproved', after: null },
    { id: 'unread', after: null },
  ]);
  expect(
    await earlier.query(
      `select document_id as id, revision, ${hour('observed_after')} as after from custody.document_revisions order by 1, 2`,
    ),
  ).toEqual([
    { id: 'v', revision: 1, after: null },
    { id: 'v', revision: 2, after: null },
    { id: 'w', revision: 1, after: null },
    { id: 'w', revision: 2, after: 3 },
  ]);
  expect(
    await earlier.query(
      `select kind, ${hour('first_read_at')} as first, ${hour('last_read_after')} as after, ${hour('last_read_at')} as last from custody.document_readings`,
    ),
  ).toEqual([{ kind: 'whitelist_entry', first: 3, after: 6, last: 6 }]);
  expect(
    await earlier.query(
      'select * from internal.destination_totals except all select * from internal.destination_sums',
    ),
  ).toEqual([]);
});
