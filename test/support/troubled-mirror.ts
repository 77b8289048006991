// A mirror that has something of everything to tell: records in quarantine, anomalies, and a sweep that was
// not verified.
import { snapshotBalances } from '../../src/sync/jobs/balances.ts';
import { mirrorVaults, mirrorWhitelist } from '../../src/sync/jobs/documents.ts';
import { syncTransactions } from '../../src/sync/jobs/transactions.ts';
import { type Mirror, openMirror } from './mirror.ts';

/** Text that a service could send to take over a page. */
const hostileRecord = '{"id": "<script>alert(1)</script>\u202e",\n\t"note": "=1+1\u0007"}';

/** Of vaults and transactions by turns: 32 records in quarantine, two of which are resolved. */
export async function openTroubledMirror(): Promise<Mirror> {
  const mirror = await openMirror({ transactions: 40 });
  await syncTransactions(mirror.context, { full: true });
  await snapshotBalances(mirror.context);
  await mirrorVaults(mirror.context);
  await mirrorWhitelist(mirror.context);
  await mirror.query(
    `insert into sync.quarantine (account_id, resource, record_key, reason, raw, run_id, first_observed_at, last_observed_at, resolved_at)
     select 'default', case when i % 2 = 0 then 'vaults' else 'transactions' end, i::text, 'status is no text <b>', $1 || i, 1,
       timestamptz '2026-06-01Z' + i * interval '1 hour', now(), case when i > 30 then now() end from generate_series(1, 32) i`,
    [hostileRecord],
  );
  await mirror.query(
    `insert into sync.anomalies (account_id, kind, resource, resource_id, details, first_observed_at, last_observed_at)
     values ('default', 'missing', 'transactions', 'tx/1?<i>', '{"seen": "<script>"}', now(), now()),
       ('default', 'unknown-value', 'vaults', '', '{}', now(), now())`,
  );
  await mirror.query(
    `insert into sync.runs (account_id, job, mode, status, started_at, finished_at, verified, verdict)
     values ('default', 'reconcile', 'full', 'succeeded', timestamptz '2026-01-02 03:04:05Z', timestamptz '2026-01-02 03:05:05Z', false,
       '{"met": 3, "list_length": 5, "list_shown": null, "resumed": 0, "doubt_codes": ["count-short"], "doubts": ["the list holds more records than the sweep read"]}')`,
  );
  return mirror;
}
