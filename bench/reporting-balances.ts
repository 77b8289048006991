// The balances and prices on which the reports are measured.
import { began, benchAccount, type ReportingSize, type Step } from './reporting-size.ts';

/** Assets whose balance changes every ten days to an arbitrary figure. */
function arbitrary(size: ReportingSize): string {
  const ticks = Math.floor(1440 / size.snapshotMinutes);
  return `
        create temp table intervals as
        select a, c.valid_from, lead(c.valid_from) over (partition by a order by c.valid_from) as valid_to,
          pg_temp.pick(a * 10000 + d, 11, 2000000000)::numeric / 10000 as warm,
          pg_temp.pick(a * 10000 + d, 12, 2000000000)::numeric / 10000 as cold,
          pg_temp.pick(a * 10000 + d, 15, 20000000)::numeric / 10000 as staked
        from generate_series(0, ${size.assets - 1}) a
        cross join lateral (
          select -1 as d, ${began(size)} as valid_from
          union all
          select d, ${began(size)} + interval '1 day' * d + interval '${size.snapshotMinutes} minutes' * (1 + pg_temp.pick(a * 10000 + d, 13, ${ticks - 1}))
          from generate_series(a % 10, ${size.days - 1}, 10) d
        ) as c`;
}

/**
 * What the postings make of an opening balance. Five days before the end, a unit of one asset comes from
 * nowhere.
 */
function followed(size: ReportingSize): string {
  const ticks = Math.floor(1440 / size.snapshotMinutes);
  const lastTick = ticks * size.days;
  return `
        create temp table intervals as
        select m.a, t.at as valid_from, lead(t.at) over (partition by m.a order by m.n) as valid_to,
          1000000000 + 0.6 * sum(m.total) over (partition by m.a order by m.n) as warm,
          500000000 + 0.4 * sum(m.total) over (partition by m.a order by m.n) as cold,
          1000000 + sum(m.staked) over (partition by m.a order by m.n) as staked
        from (
          select a, n, sum(total) as total, sum(staked) as staked from (
            select substr(p.asset_id, 4)::int as a, sum(p.total_change) as total, sum(p.staked_change) as staked,
              ceil(extract(epoch from p.observed_at - ${began(size)} - interval '2 seconds') / ${size.snapshotMinutes * 60})::int as n
            from reporting.postings p where p.account_id = '${benchAccount}' group by 1, 4
            union all select a, 0, 0, 0 from generate_series(0, ${size.assets - 1}) a
            union all select 7, 1, 0, ${lastTick - 5 * ticks}
          ) as x where n between 0 and ${lastTick} group by a, n having n = 0 or sum(total) <> 0 or sum(staked) <> 0
        ) as m
        cross join lateral (select ${began(size)} + interval '${size.snapshotMinutes} minutes' * m.n as at) as t`;
}

export function balances(size: ReportingSize): Step[] {
  const ticks = Math.floor(1440 / size.snapshotMinutes);
  return [
    {
      label: 'plan of balances',
      sql: `${size.isReconciled === true ? followed(size) : arbitrary(size)};
        analyze intervals`,
    },
    {
      label: 'snapshots',
      sql: `
        insert into custody.balance_snapshots
          (account_id, vault_type, snapshot_at, asked_at, answered_at, source_timestamp, asset_count, changed_count, quarantined_count, run_id)
        select '${benchAccount}', v, t.at, t.at, t.at + interval '2 seconds', t.at, ${size.assets}, coalesce(c.changed, 0), 0, 10 + t.n
        from generate_series(0, ${ticks * size.days}) g
        cross join lateral (select g as n, ${began(size)} + interval '${size.snapshotMinutes} minutes' * g as at) as t
        left join (select valid_from, count(*) as changed from intervals group by 1) as c on c.valid_from = t.at
        cross join unnest(array['all', 'warm', 'cold']) as v
        order by g`,
    },
    {
      label: 'balances',
      sql: `
        insert into custody.balances (account_id, vault_type, asset_id, network_id, valid_from, valid_to, unchanged_since, asset_name, network_name,
          total_balance, available_balance, processing_balance, staking_balance, claimable_balance, run_id, raw)
        select '${benchAccount}', v.type, x.asset, x.network, i.valid_from, i.valid_to, i.valid_from, x.asset || ' coin', x.network || ' network',
          v.total, v.total - x.part - v.staked, x.part, v.staked, 0, 10,
          jsonb_build_object('asset_id', x.asset, 'network_id', x.network, 'balances', jsonb_build_object('total_balance', v.total::text))
        from intervals i
        cross join lateral (values ('all', i.warm + i.cold, i.staked), ('warm', i.warm, i.staked), ('cold', i.cold, 0)) as v (type, total, staked)
        cross join lateral (select pg_temp.asset(i.a) as asset, 'net-' || i.a % 20 as network, round(v.total / 50, 4) as part) as x
        order by i.valid_from`,
    },
    {
      label: 'prices',
      sql: `
        insert into custody.asset_prices (account_id, asset_id, currency, as_of, price, source, known_from)
        select '${benchAccount}', pg_temp.asset(a), 'USD', ${began(size)} + interval '1 day' * d, (1 + pg_temp.pick(a * 10000 + d, 14, 1000000))::numeric / 100,
          'bench', ${began(size)} + interval '1 day' * d
        from generate_series(0, ${size.days}) d, generate_series(0, ${size.assets - 1}) a
        order by d, a`,
    },
  ];
}
