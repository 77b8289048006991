// The transactions on which the reports are measured, with their status history and revisions.
import { began, benchAccount, type ReportingSize, type Step } from './reporting-size.ts';

/** A row for each transaction: its type, its statuses, and when each is seen. */
export function planTransactions(size: ReportingSize): Step[] {
  const backlog = Math.floor(size.transactions / 50);
  const half = Math.ceil(size.whitelistEntries / 2);
  return [
    {
      label: 'plan',
      sql: `
        create temp table planned as
        select p.i, md5('transaction' || p.i)::uuid::text as transaction_id, p.first_seen_at, t.type, u.statuses,
          interval '30 seconds' * (1 + pg_temp.pick(p.i, 2, 100)) as pace,
          case when t.type = 'withdraw' and pg_temp.pick(p.i, 3, 100) < 97
            then pg_temp.pick(p.i, 4, ${half} + floor(${half} * p.progress)::int) end as entry,
          pg_temp.pick(p.i, 5, ${size.assets}) as asset,
          (1 + pg_temp.pick(p.i, 6, 2000000000))::numeric / 10000 as amount
        from generate_series(1, ${size.transactions}) g
        cross join lateral (select greatest(0, g - ${backlog})::numeric / ${size.transactions - backlog} as progress) as q
        cross join lateral (select g as i, q.progress,
          case when g <= ${backlog} then ${began(size)} + interval '2 minutes' + interval '5 minutes' * g / ${backlog}
            else ${began(size)} + interval '10 minutes' + (interval '${size.days} days' - interval '11 minutes') * q.progress::float8
          end as first_seen_at) as p
        cross join lateral (select pg_temp.pick(g, 7, 100) as n, pg_temp.pick(g, 1, 100) as s) as r
        cross join lateral (select case when r.n < 45 then 'deposit' when r.n < 75 then 'withdraw' when r.n < 90 then 'rebalance'
          when r.n < 94 then 'stake' when r.n < 96 then 'unstake' when r.n < 99 then 'claim' else 'change pool' end as type) as t
        cross join lateral (select case when g <= ${backlog} then array['completed']
          when r.s < 74 then array['pending', 'confirming', 'completed']
          when r.s < 77 then array['pending', 'processing', 'failed']
          when r.s < 80 then array['pending', 'processing', 'rejected']
          when r.s < 85 then array['pending', 'completed']
          when r.s < 88 then array['pending', 'cancelled']
          else array['pending', 'processing', 'confirming', 'completed'] end as statuses) as u;
        analyze planned`,
    },
  ];
}

/** SQL of the moment when a status was first seen. */
const seenAt = `p.first_seen_at + p.pace * ((s.n - 1) * (s.n - 1))`;

/** @param which a condition on the plan, such as `i <= 100` */
export function transactions(which: string): readonly Step[] {
  return [records(which), statusHistory(which), revisions(which)];
}

function records(which: string): Step {
  return {
    label: 'transactions',
    sql: `
        insert into custody.transactions (account_id, transaction_id, status, transaction_type, asset_id, asset_name, network_id,
          network_name, amount, fee, source_type, source_id, source_name, source_address, destination_type, destination_id,
          destination_name, destination_address, destination_memo, txn_hash, blockexplorer_link, note, source_timestamp,
          first_seen_at, first_seen_after, status_changed_at, changed_at, content_hash, raw)
        select '${benchAccount}', p.transaction_id, l.status, p.type, a.id, a.id || ' coin', a.network, a.network || ' network',
          p.amount, f.fee, s.type, s.id, s.name, s.address, d.type, d.id, d.name, d.address, '', h.hash, 'https://explorer.example/tx/' || h.hash, '',
          l.at, p.first_seen_at, case when cardinality(p.statuses) > 1 then p.first_seen_at - interval '30 seconds' end, l.at, l.at, md5('content' || p.i) || md5('hash' || p.i),
          jsonb_build_object('transaction_id', p.transaction_id, 'status', l.status, 'timestamp', l.at, 'transaction',
            jsonb_build_object('transaction_type', p.type, 'asset_id', a.id, 'asset_name', a.id || ' coin', 'network_id', a.network,
              'network_name', a.network || ' network', 'amount', p.amount::text, 'fee', f.fee::text, 'txn_hash', h.hash,
              'blockexplorer_link', 'https://explorer.example/tx/' || h.hash, 'note', '',
              'source', jsonb_build_object('source_type', s.type, 'source_id', s.id, 'source_name', s.name, 'source_address', s.address),
              'destination', jsonb_build_object('destination_type', d.type, 'destination_id', d.id, 'destination_name', d.name,
                'destination_address', d.address, 'memo', '')))
        from planned p
        left join entries e on e.e = p.entry
        cross join lateral (select s.status, ${seenAt} as at from unnest(p.statuses) with ordinality as s (status, n)
          where ${seenAt} <= now() order by s.n desc limit 1) as l
        cross join lateral (select coalesce(e.asset_id, pg_temp.asset(p.asset)) as id,
          'net-' || coalesce(e.e, p.asset) % 20 as network) as a
        cross join lateral (select case when p.type = 'deposit' then null else round(p.amount / 10000, 6) end as fee) as f
        cross join lateral (select '0x' || md5('hash' || p.i) || md5('tail' || p.i) as hash) as h
        cross join lateral (select 'vault-' || pg_temp.pick(p.i, 8, 12) as vault, '0x' || md5('own' || pg_temp.pick(p.i, 9, 500)) as own,
          '0x' || md5('other' || pg_temp.pick(p.i, 10, 5000)) as other) as w
        cross join lateral (select * from (values
          ('deposit', 'external', '', '', w.other), ('claim', 'network', 'net-1', 'Network', w.other)
          ) as x (kind, type, id, name, address) where x.kind = p.type
          union all select p.type, 'vault', w.vault, initcap(replace(w.vault, '-', ' ')), w.own where p.type not in ('deposit', 'claim')
          ) as s (kind, type, id, name, address)
        cross join lateral (select case when p.type in ('stake', 'change pool') then 'stake pool' when p.type <> 'withdraw' then 'vault'
            when p.entry is null then 'network' else 'whitelist' end as type,
          case when p.type in ('stake', 'change pool') then 'pool-' || p.asset % 9 when p.type <> 'withdraw' then w.vault
            else coalesce(e.entry_id, '') end as id,
          case when p.type = 'withdraw' then coalesce(e.name, '') else '' end as name,
          case when p.type = 'withdraw' then coalesce(e.address, w.other) else w.own end as address) as d
        where ${which} order by p.i`,
  };
}

function statusHistory(which: string): Step {
  return {
    label: 'status history',
    sql: `
        insert into custody.transaction_status_history
          (account_id, transaction_id, sequence, from_status, to_status, observed_at, source_timestamp, run_id, observed_after)
        select '${benchAccount}', p.transaction_id, s.n, p.statuses[s.n - 1], s.status, ${seenAt}, ${seenAt},
          10 + p.i, case when s.n > 1 or cardinality(p.statuses) > 1 then ${seenAt} - interval '30 seconds' end
        from planned p cross join lateral unnest(p.statuses) with ordinality as s (status, n)
        where ${which} and ${seenAt} <= now()
        order by ${seenAt}`,
  };
}

function revisions(which: string): Step {
  return {
    label: 'revisions',
    sql: `
        insert into custody.transaction_revisions
          (account_id, transaction_id, revision, observed_at, changed_fields, before, after, run_id)
        select '${benchAccount}', p.transaction_id, 1, ${seenAt}, array['blockexplorer_link', 'txn_hash'],
          jsonb_build_object('blockexplorer_link', '', 'txn_hash', ''), jsonb_build_object('blockexplorer_link', 'https://explorer.example/tx/', 'txn_hash', '0x'), 10 + p.i
        from planned p cross join lateral (select 2 as n) as s
        where ${which} and p.i % 3 = 0 and cardinality(p.statuses) > 1 and ${seenAt} <= now()
        order by ${seenAt}`,
  };
}
