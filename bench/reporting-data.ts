// Builds the data on which the reports are measured: a mirror that has run for years, made by set-based
// statements. It depends on the size only, keeps all constraints, and is written in the order of time, so
// that the tables lie on disk as in reality.
import type pg from 'pg';
import { balances } from './reporting-balances.ts';
import { began, benchAccount, type ReportingSize, type Step } from './reporting-size.ts';
import { planTransactions, transactions } from './reporting-transactions.ts';

/** Number of transactions of the last day. They are written last, as after a nightly maintenance. */
function lastDay({ transactions, days }: ReportingSize): number {
  return Math.ceil(transactions / days);
}

/**
 * Builds everything except the transactions of the last day. The session of the client keeps the plan of the
 * transactions.
 */
export async function buildReportingData(
  client: pg.Client,
  size: ReportingSize,
  onStep: (label: string, seconds: number) => void = () => undefined,
): Promise<void> {
  const history = transactions(`i <= ${size.transactions - lastDay(size)}`);
  await buildAround(client, size, [...planTransactions(size), ...history], onStep);
}

/** Builds the rest of a mirror before and after the steps that build its transactions. */
export async function buildAround(
  client: pg.Client,
  size: ReportingSize,
  transactionSteps: readonly Step[],
  onStep: (label: string, seconds: number) => void,
): Promise<void> {
  const steps = [...beginning(size), ...documents(size), ...transactionSteps, ...balances(size), ...runs()];
  for (const { label, sql } of steps) {
    const startedAt = performance.now();
    await client.query(sql);
    onStep(label, (performance.now() - startedAt) / 1000);
  }
}

/** Sets the counts that a mirror updates with every commit. */
export const keptCounts = `update custody.accounts a set transactions_total = c.total, transactions_missing = c.missing
  from (select account_id, count(*) as total, count(missing_since) as missing from custody.transactions group by 1) c
  where c.account_id = a.account_id`;

/** Builds a mirror that stands still since the last day, as it is after a nightly maintenance. */
export async function buildStandingMirror(
  client: pg.Client,
  size: ReportingSize,
  signal: AbortSignal,
): Promise<void> {
  await buildReportingData(client, size, () => signal.throwIfAborted());
  await client.query(keptCounts);
  await vacuumAsAutovacuum(client);
}

/** Builds the transactions of the last day, in the session that built the rest. */
export async function buildLastDay(client: pg.Client, size: ReportingSize): Promise<void> {
  for (const { sql } of transactions(`i > ${size.transactions - lastDay(size)}`)) await client.query(sql);
  await client.query(keptCounts);
}

/**
 * Vacuums and analyses the tables that autovacuum would: those with more than a few rows, and those that ask
 * for it. Smaller ones have no statistics, as in a real mirror.
 */
export async function vacuumAsAutovacuum(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c
     where c.relnamespace in ('custody'::regnamespace, 'sync'::regnamespace) and c.relkind = 'r'
       and (pg_relation_size(c.oid) > 2 * 8192 or 'autovacuum_analyze_threshold=0' = any(c.reloptions))`,
  );
  for (const { name } of rows) await client.query(`vacuum (analyze) ${name}`);
}

function beginning(size: ReportingSize): Step[] {
  return [
    {
      label: 'account',
      sql: `
        create function pg_temp.pick(i bigint, salt bigint, n int) returns int language sql immutable
          return ((hashint8extended(i, salt) & 2147483647) % n)::int;
        create function pg_temp.asset(a int) returns text language sql immutable
          return 'AST' || lpad(a::text, 3, '0');
        insert into custody.accounts (account_id, base_url, first_seen_at, time_zone, transactions_since)
        values ('${benchAccount}', 'https://custody.example', ${began(size)}, 'Europe/Zurich', ${began(size)} + interval '8 minutes')
        on conflict (account_id) do update set first_seen_at = excluded.first_seen_at, time_zone = excluded.time_zone,
          transactions_since = excluded.transactions_since;
        insert into sync.leases (account_id, holder, token, acquired_at, expires_at)
        values ('${benchAccount}', 'bench', 1, now(), '-infinity') on conflict (account_id) do nothing`,
    },
  ];
}

function documents(size: ReportingSize): Step[] {
  const half = Math.ceil(size.whitelistEntries / 2);
  return [
    {
      label: 'vaults and whitelist',
      sql: `
        insert into custody.vaults (account_id, vault_id, vault_type, name, document, first_seen_at, changed_at, content_hash)
        select '${benchAccount}', 'vault-' || v, case when v % 3 = 0 then 'cold' else 'warm' end, 'Vault ' || v,
          jsonb_build_object('vault_id', 'vault-' || v), ${began(size)}, ${began(size)}, md5('v' || v)
        from generate_series(0, 11) v;
        insert into custody.document_revisions
          (account_id, kind, document_id, revision, observed_at, change, document, run_id, name, vault_type)
        select account_id, 'vault', vault_id, 1, first_seen_at, 'added', document, 2, name, vault_type from custody.vaults;

        create temp table entries as
        select e, 'entry-' || e as entry_id, 'Counterparty ' || e as name, '0x' || md5('entry' || e) as address,
          pg_temp.asset(pg_temp.pick(e, 1, ${size.assets})) as asset_id,
          ${began(size)} + interval '6 minutes' +
            case when e < ${half} then interval '0' else interval '1 day' * (${size.days}.0 * (e - ${half}) / ${half}) end as added_at,
          -- One in twenty is removed in the end, and every other of those comes back.
          case when e % 20 = 7 then ${began(size)} + interval '1 day' * (${size.days} * 0.8) end as removed_at,
          case when e % 40 = 7 then ${began(size)} + interval '1 day' * (${size.days} * 0.9) end as restored_at
        from generate_series(0, ${size.whitelistEntries - 1}) e;
        update entries set removed_at = null, restored_at = null where removed_at <= added_at;
        insert into custody.document_revisions
          (account_id, kind, document_id, revision, observed_at, observed_after, change, document, run_id, name, address, asset_id, network_id)
        select '${benchAccount}', 'whitelist_entry', e.entry_id, row_number() over (partition by e.e order by s.at), s.at,
          case when e.e >= ${half} or s.at <> e.added_at then s.at - interval '15 minutes' end, s.change,
          jsonb_build_object('id', e.entry_id, 'address', e.address, 'label', s.name),
          case when e.e < ${half} and s.at = e.added_at then 3 else 4 + dense_rank() over (order by s.at) end,
          s.name, e.address, e.asset_id, 'net-' || e.e % 20
        from entries e
        cross join lateral (values ('added', e.added_at, e.name), ('changed', e.added_at + interval '30 days', e.name || ' Ltd'),
          ('removed', e.removed_at, e.name), ('restored', e.restored_at, e.name)) as s (change, at, name)
        where s.at <= now() order by s.at;
        insert into custody.document_readings (account_id, kind, first_read_at, last_read_after, last_read_at)
        values ('${benchAccount}', 'whitelist_entry', ${began(size)} + interval '6 minutes', now() - interval '1 minute', now());
        insert into custody.whitelist_entries
          (account_id, entry_id, name, address, asset_id, network_id, document, first_seen_at, changed_at, missing_since, content_hash)
        select distinct on (r.document_id) r.account_id, r.document_id, r.name, r.address, r.asset_id, r.network_id, r.document,
          min(r.observed_at) over (partition by r.document_id), r.observed_at,
          case when r.change = 'removed' then r.observed_at end, md5(r.document::text)
        from custody.document_revisions r where r.kind = 'whitelist_entry' order by r.document_id, r.revision desc`,
    },
  ];
}

/** The runs of thirty days, which is how long runs are kept, and their anomalies. */
function runs(): Step[] {
  return [
    {
      label: 'runs',
      sql: `
        insert into sync.runs (account_id, job, mode, status, started_at, finished_at, requests, records_read, verified, error_code, error_message)
        select '${benchAccount}', j.job, j.mode, f.status, f.at, f.at + interval '2 seconds', 3, 200,
          case when f.status = 'succeeded' then j.verified end,
          case when f.status = 'failed' then 'ERR-01' end, case when f.status = 'failed' then 'the service failed' end
        from (values ('transactions', 'incremental', interval '30 seconds', null), ('balances', 'full', interval '5 minutes', true),
          ('vaults', 'full', interval '15 minutes', true), ('whitelist', 'full', interval '15 minutes', true),
          ('reconcile', 'full', interval '1 day', true), ('maintenance', 'full', interval '1 day', null)) as j (job, mode, every, verified)
        cross join lateral generate_series(now() - interval '30 days', now() - interval '1 minute', j.every) as t (at)
        -- What failed, failed long ago: the search for the last failure has far to go.
        cross join lateral (select t.at, case when t.at < now() - interval '29 days' and j.job in ('transactions', 'balances')
          and extract(epoch from t.at)::bigint % 7 = 0 then 'failed' else 'succeeded' end as status) as f
        order by f.at;
        insert into sync.anomalies (account_id, kind, resource, resource_id, details, first_observed_at, last_observed_at, occurrences, resolved_at)
        select '${benchAccount}', 'balance-parts-differ', 'balances', 'AST' || n, '{}', now(), now(), 1, case when n > 3 then now() end
        from generate_series(1, 500) n`,
    },
  ];
}
