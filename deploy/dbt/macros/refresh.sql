{# For a pre_hook: removes from an incremental mart the days that have to be built again, and names them in a temporary
   table, so that what is removed and what is built are the same days. A day that lost its last row is removed too. #}
{% macro begin_refresh(changed) %}
{% if is_incremental() %}
{# Of two builds at once, the second would not see the days that the first inserts. #}
lock table {{ this }} in share row exclusive mode;
create temporary table custody_mirror_days on commit drop as
with mark as (
    select coalesce(max(built_at), '-infinity')
        - make_interval(hours => {{ var('custody_mirror_lookback_hours') | int }}) as at
    from {{ this }}
)
select c.account_id, c.day from {{ source('custody_mirror_reporting', 'calendar') }} c, mark where c.ends_at > mark.at
union
{{ changed }};
delete from {{ this }} t
where (t.account_id, t.day) in (select d.account_id, d.day from custody_mirror_days d)
    or t.account_id not in (select a.account_id from {{ source('custody_mirror_custody', 'accounts') }} a);
{% endif %}
{% endmacro %}

{# The days on which a transaction that changed since counts now, or counted before. #}
{% macro days_of_changed_transactions() %}
select c.account_id, c.day
from mark
join {{ source('custody_mirror_custody', 'transactions') }} t on t.changed_at >= mark.at or t.missing_since >= mark.at
join {{ source('custody_mirror_custody', 'transaction_status_history') }} h
    on h.account_id = t.account_id and h.transaction_id = t.transaction_id
join {{ source('custody_mirror_reporting', 'calendar') }} c
    on c.account_id = h.account_id and h.observed_at >= c.starts_at and h.observed_at < c.ends_at
{% endmacro %}

{# The days with a fee for which another rule holds than when they were built. #}
{% macro days_of_changed_fee_rules() %}
select t.account_id, t.day from {{ this }} t
where t.fee_rules_digest is distinct from {{ custody_mirror.fee_rules_digest('t.account_id') }}
{% endmacro %}

{# One text for all rules of an account: it changes when a rule is stated, replaced or removed, whenever it is dated. #}
{% macro fee_rules_digest(account_id) -%}
(
    select md5(string_agg(concat_ws(' ', r.fee_rule_id, to_json(r.network_id), to_json(r.transaction_type), to_json(r.asset_id)), ',' order by r.fee_rule_id))
    from {{ source('custody_mirror_custody', 'fee_rules') }} r where r.account_id = {{ account_id }}
)
{%- endmacro %}

{# The days with a balance for which another price holds than when they were built. #}
{% macro days_of_changed_prices() %}
select t.account_id, t.day
from {{ this }} t
join {{ source('custody_mirror_reporting', 'calendar') }} c on c.account_id = t.account_id and c.day = t.day
left join lateral (
    select p.price, p.as_of from {{ source('custody_mirror_custody', 'asset_prices') }} p
    where p.account_id = t.account_id and p.asset_id = t.asset_id
        and p.currency = '{{ var('custody_mirror_currency') }}' and p.as_of < c.ends_at
    order by p.as_of desc limit 1
) as p on true
where (t.price_text::numeric, t.price_as_of, t.currency) is distinct from (p.price, p.as_of, '{{ var('custody_mirror_currency') }}')
{% endmacro %}

{# Of an incremental run: only the days that begin_refresh named. The first condition lets the views skip other days. #}
{% macro only_refreshed_days() %}
{% if is_incremental() %}
where s.day >= (select min(d.day) from custody_mirror_days d)
    and (s.account_id, s.day) in (select d.account_id, d.day from custody_mirror_days d)
{% endif %}
{% endmacro %}
