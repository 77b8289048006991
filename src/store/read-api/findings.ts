// The accounts, how fresh and complete their mirror is, and what it found besides the records.
import { sql } from 'drizzle-orm';
import { anomalies as anomaliesTable, quarantine as quarantineTable } from '../../../drizzle/findings.ts';
import { runs as runsTable } from '../../../drizzle/runs.ts';
import type { Tx } from '../postgres/transaction.ts';
import { tableColumns } from './list/columns.ts';
import { equal, listOf, period } from './list/list-of.ts';
import { readOne, readPage } from './list/read-page.ts';

/** The accounts that a reader may see: `account` is their names as a JSON array, or `null` for all. */
export const accounts = listOf({
  name: 'accounts',
  describedBy: 'custody.accounts',
  columns: {
    account_id: 'text!',
    base_url: 'text!',
    time_zone: 'text!',
    first_seen_at: 'moment!',
    transactions_since: 'moment',
    transactions_total: 'integer!',
    transactions_missing: 'integer!',
  },
  from: ({ account }) => ({
    item: sql`custody.accounts as v`,
    where: sql`(${account}::jsonb = 'null' or ${account}::jsonb ? v.account_id)`,
  }),
  filters: { account_id: { column: 'account_id', is: '=' } },
  orders: { account_id: ['account_id'] },
});

export const freshness = listOf({
  name: 'freshness',
  describedBy: 'reporting.data_freshness',
  columns: {
    resource: 'text!',
    is_mirrored: 'boolean!',
    last_success_at: 'moment',
    lag_seconds: 'integer',
    last_verified_at: 'moment',
    complete_since: 'moment',
    is_failing: 'boolean!',
    last_failure_at: 'moment',
    last_failure_code: 'text',
    last_failure_message: 'text',
    open_anomalies: 'integer!',
    quarantined_records: 'integer!',
  },
  filters: { resource: { column: 'resource', is: '=' } },
  orders: { resource: ['resource'] },
});

export const health = listOf({
  name: 'health',
  describedBy: 'reporting.sync_health',
  columns: {
    health: 'text!',
    last_success_at: 'moment',
    last_verified_sweep_at: 'moment',
    complete_since: 'moment',
    mirrored_since: 'moment!',
    time_zone: 'text!',
    writer: 'text',
    writer_lease_until: 'moment',
    open_anomalies: 'integer',
    quarantined_records: 'integer',
    runs_24h: 'integer!',
    failed_runs_24h: 'integer!',
    requests_24h: 'integer!',
    rate_limited_24h: 'integer!',
    status_changes_24h: 'integer!',
  },
  filters: {},
  orders: { mirrored_since: ['mirrored_since'] },
});

export const problems = listOf({
  name: 'problems',
  describedBy: 'reporting.health_problems',
  columns: {
    rank: 'integer!',
    code: 'text!',
    severity: 'text!',
    subject: 'text!',
    since: 'moment',
    problem: 'text!',
    fix: 'text!',
  },
  filters: {},
  orders: { rank: ['rank', 'subject', 'code'] },
});

/** Health with its problems as a JSON object; null for an account that is not mirrored. */
export async function readHealth(tx: Tx, account: string): Promise<string | null> {
  const asked = { account, at: null, filters: {} };
  const row = await readOne(tx, health, { ...asked, order: health.defaultOrder });
  if (row === null) return null;
  const found = await readPage(tx, problems, { ...asked, order: 'rank' }, { limit: 500, from: null });
  return `${row.slice(0, -1)},"problems":[${found.rows.join()}]}`;
}

export const runs = listOf({
  name: 'runs',
  describedBy: 'sync.runs',
  columns: tableColumns(runsTable, 'open_transactions_read'),
  filters: {
    ...equal('job', 'status', 'verified'),
    ...period('started'),
  },
  orders: { run_id: ['run_id'] },
  defaultOrder: '-run_id',
});

export const quarantine = listOf({
  name: 'quarantine',
  describedBy: 'sync.quarantine',
  columns: tableColumns(quarantineTable, 'record_key'),
  filters: {
    ...equal('resource'),
    resolved: { column: 'resolved_at', is: 'not null' },
  },
  orders: { quarantine_id: ['quarantine_id'] },
  defaultOrder: '-quarantine_id',
});

export const anomalies = listOf({
  name: 'anomalies',
  describedBy: 'sync.anomalies',
  columns: tableColumns(anomaliesTable),
  filters: {
    ...equal('kind', 'resource'),
    resolved: { column: 'resolved_at', is: 'not null' },
  },
  orders: { anomaly_id: ['anomaly_id'] },
  defaultOrder: '-anomaly_id',
});

export const facts = listOf({
  name: 'facts',
  describedBy: 'sync.learned',
  columns: { fact: 'text!', value: 'text!', evidence: 'text!', updated_at: 'moment!' },
  filters: {},
  orders: { fact: ['fact'] },
});
