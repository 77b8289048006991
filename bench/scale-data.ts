// The mirror of `bench:scale`: as many transactions as wished, a million for each three years, so that a
// month holds the same whatever the size. A transaction has one status and one row of history, and is
// settled; the rest is as in the other benches. The open ones are those of the service that was mirrored
// before (scale-cycles.ts).
import type pg from 'pg';
import { buildAround, keptCounts, vacuumAsAutovacuum } from './reporting-data.ts';
import { began, benchAccount, millionInThreeYears, type ReportingSize, type Step } from './reporting-size.ts';

export function scaleSize(transactions: number): ReportingSize {
  const { days, transactions: usual } = millionInThreeYears;
  return {
    ...millionInThreeYears,
    transactions,
    days: Math.max(400, Math.round((days * transactions) / usual)),
  };
}

/** Builds the mirror as it is after a nightly maintenance. */
export async function buildScaleData(
  client: pg.Client,
  size: ReportingSize,
  signal: AbortSignal,
): Promise<void> {
  await buildAround(client, size, transactions(size), (label, seconds) => {
    signal.throwIfAborted();
    if (seconds > 5) console.log(`  built ${label} in ${seconds.toFixed(0)} s`);
  });
  await client.query(keptCounts);
  await vacuumAsAutovacuum(client);
}

/**
 * The rows come in the order of time. Their indexes are made when all are there, which takes a fraction of
 * the time.
 */
function transactions(size: ReportingSize): readonly Step[] {
  const tables = ['custody.transactions', 'custody.transaction_status_history'];
  return [
    {
      label: 'indexes aside',
      sql: `
        create temp table aside as select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
          from pg_index i where i.indrelid = any('{${tables}}'::regclass[])
          and not exists (select from pg_constraint c where c.conindid = i.indexrelid);
        do $$ declare one record; begin for one in select * from aside loop execute 'drop index ' || one.name; end loop; end $$;
        set session_replication_role = replica`,
    },
    { label: 'transactions', sql: records(size) },
    {
      label: 'status history',
      sql: `
        insert into custody.transaction_status_history
          (account_id, transaction_id, sequence, from_status, to_status, observed_at, source_timestamp, run_id, observed_after)
        select t.account_id, t.transaction_id, 1, null, t.status, t.first_seen_at, t.source_timestamp, 10, t.first_seen_after
        from custody.transactions t where not exists (select from custody.transaction_status_history h
          where h.account_id = t.account_id and h.transaction_id = t.transaction_id)
        order by t.first_seen_at`,
    },
    {
      label: 'indexes',
      sql: `
        set session_replication_role = origin; set maintenance_work_mem = '512MB';
        do $$ declare one record; begin for one in select * from aside loop execute one.definition; end loop; end $$;
        reset maintenance_work_mem`,
    },
  ];
}

function records(size: ReportingSize): string {
  const half = Math.ceil(size.whitelistEntries / 2);
  return `
    insert into custody.transactions (account_id, transaction_id, status, transaction_type, asset_id, asset_name, network_id,
      network_name, amount, fee, source_type, source_id, source_name, source_address, destination_type, destination_id,
      destination_name, destination_address, destination_memo, txn_hash, blockexplorer_link, note, source_timestamp,
      first_seen_at, first_seen_after, status_changed_at, changed_at, content_hash, raw)
    select '${benchAccount}', md5('transaction' || g), case when g % 20 = 0 then 'failed' else 'completed' end,
      x.type, x.asset, x.asset || ' coin', 'net-' || g % 20, 'net', (1 + pg_temp.pick(g, 6, 2000000000))::numeric / 10000,
      case when x.type <> 'deposit' then 0.001 end, case when x.type = 'deposit' then 'external' else 'vault' end,
      case when x.type = 'deposit' then '' else x.vault end, '', x.address, case when x.type = 'withdraw' then 'whitelist' else 'vault' end,
      case when x.type = 'withdraw' then 'entry-' || pg_temp.pick(g, 4, ${half}) else x.vault end, '',
      case when x.type = 'withdraw' then '0x' || md5('entry' || pg_temp.pick(g, 4, ${half})) else '0x' || md5('own' || pg_temp.pick(g, 9, 500)) end,
      '', x.hash, '', '', t.at, t.at, t.at - interval '30 seconds', t.at, t.at, md5('content' || g),
      jsonb_build_object('transaction_id', md5('transaction' || g), 'status', 'completed', 'transaction',
        jsonb_build_object('transaction_type', x.type, 'asset_id', x.asset, 'txn_hash', x.hash,
          'source', jsonb_build_object('source_address', x.address), 'note', repeat('-', 300)))
    from generate_series(1, ${size.transactions}) as g
    cross join lateral (select ${began(size)} + interval '10 minutes'
      + (interval '${size.days} days' - interval '11 minutes') * (g::float8 / ${size.transactions}) as at) as t
    cross join lateral (select case g % 4 when 0 then 'deposit' when 1 then 'withdraw' else 'rebalance' end as type,
      pg_temp.asset(pg_temp.pick(g, 5, ${size.assets})) as asset, 'vault-' || pg_temp.pick(g, 8, 12) as vault,
      '0x' || md5('other' || pg_temp.pick(g, 10, 5000)) as address, '0x' || md5('hash' || g) || md5('tail' || g) as hash) as x`;
}
