// The accounts, how fresh and complete their mirror is, and what it found besides the records.
import { sql } from 'drizzle-orm';
import { anomalies as anomaliesTable, quarantine as quarantineTable } from '../../../drizzle/findings.ts';
import { runs as runsTable } from '../../../drizzle/runs.ts';
import { resources } from '../../domain/jobs.ts';
import type { Tx } from '../postgres/transaction.ts';
import { tableColumns } from './list/columns.ts';
import { list, listing, period } from './list/listing.ts';
import { choice, flag, text } from './list/parameter-kinds.ts';
import { readOne, readPage } from './list/read-page.ts';

const resource = { resource: choice(resources, 'Only this resource.') };
const resolved = { resolved: flag('Only resolved, or only open ones. Default: both.') };
const isResolved = { resolved: { column: 'resolved_at', is: 'not null' } } as const;

/** The accounts that a reader may see: `account` is their names as a JSON array, or `null` for all. */
export const accounts = list({
  id: 'listAccounts',
  path: '/v1/accounts',
  summary: 'The accounts that you can read',
  row: 'Account',
  isOverAccounts: true,
  view: 'custody.accounts',
  columns: `
    account_id! base_url! time_zone! first_seen_at! transactions_since transactions_total!
    transactions_missing!`,
  from: ({ account }) => ({
    item: sql`custody.accounts as v`,
    where: sql`(${account}::jsonb = 'null' or ${account}::jsonb ? v.account_id)`,
  }),
  filters: { account_id: text('Only this account.', 'default') },
  orders: { account_id: ['account_id'] },
});

export const freshness = list({
  id: 'listFreshness',
  path: '/v1/freshness',
  summary: 'How fresh and how complete each resource is',
  row: 'Freshness',
  view: 'reporting.data_freshness',
  columns: `
    resource! is_mirrored! last_success_at lag_seconds last_verified_at complete_since is_failing!
    last_failure_at last_failure_code last_failure_message open_anomalies! quarantined_records!`,
  kinds: { lag_seconds: 'integer' },
  filters: resource,
  orders: { resource: ['resource'] },
});

export const health = listing({
  name: 'health',
  view: 'reporting.sync_health',
  columns: `
    health! last_success_at last_verified_sweep_at complete_since mirrored_since! time_zone! writer
    writer_lease_until open_anomalies quarantined_records runs_24h! failed_runs_24h! requests_24h!
    rate_limited_24h! status_changes_24h!`,
  orders: { mirrored_since: ['mirrored_since'] },
});

export const problems = listing({
  name: 'problems',
  view: 'reporting.health_problems',
  columns: 'rank! code! severity! subject! since problem! fix!',
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

export const runs = list({
  id: 'listRuns',
  path: '/v1/runs',
  summary: 'Runs of the jobs, what they did, and their verdicts',
  row: 'Run',
  view: 'sync.runs',
  columns: tableColumns(runsTable, 'open_transactions_read'),
  filters: {
    job: text('Only runs of this job.', 'transactions'),
    status: choice(['succeeded', 'failed', 'running', 'abandoned'], 'Only runs with this status.'),
    verified: flag('Only sweeps that were verified, or that were not.'),
    ...period('started', 'runs that began'),
  },
  orders: { run_id: ['run_id'] },
  defaultOrder: '-run_id',
});

export const quarantine = list({
  id: 'listQuarantine',
  path: '/v1/quarantine',
  summary: 'Unreadable records, with their text and the reason',
  row: 'QuarantinedRecord',
  view: 'sync.quarantine',
  columns: tableColumns(quarantineTable, 'record_key'),
  filters: { ...resource, ...resolved },
  conditions: isResolved,
  orders: { quarantine_id: ['quarantine_id'] },
  defaultOrder: '-quarantine_id',
});

export const anomalies = list({
  id: 'listAnomalies',
  path: '/v1/anomalies',
  summary: 'Anomalies in the data of the service',
  row: 'Anomaly',
  view: 'sync.anomalies',
  columns: tableColumns(anomaliesTable),
  filters: { kind: text('Only this kind.', 'unknown-status'), ...resource, ...resolved },
  conditions: isResolved,
  orders: { anomaly_id: ['anomaly_id'] },
  defaultOrder: '-anomaly_id',
});

export const facts = list({
  id: 'listFacts',
  path: '/v1/facts',
  summary: 'Facts learned about the service',
  row: 'Fact',
  view: 'sync.learned',
  columns: 'fact! value! evidence! updated_at!',
  orders: { fact: ['fact'] },
});
