{{ config(
    materialized='incremental',
    incremental_strategy='append',
    on_schema_change='fail',
    pre_hook="{{ custody_mirror.begin_refresh(custody_mirror.days_of_changed_prices()) }}"
) }}
select
    s.account_id, s.day, s.vault_type, s.asset_id, s.asset_name, s.network_id, s.network_name,
    s.total_balance, s.total_balance_text, s.available_balance, s.available_balance_text,
    s.processing_balance, s.processing_balance_text, s.staking_balance, s.staking_balance_text,
    s.claimable_balance, s.claimable_balance_text,
    '{{ var('custody_mirror_currency') }}'::text as currency,
    v.price, v.price_text, v.price_as_of, v.total_value, v.total_value_text,
    s.is_known, s.observed_at,
    now() as built_at
from {{ ref('stg_custody_mirror__balances_daily') }} s
left join {{ ref('stg_custody_mirror__balance_values_daily') }} v
    on v.account_id = s.account_id and v.day = s.day and v.vault_type = s.vault_type and v.asset_id = s.asset_id
    and v.network_id is not distinct from s.network_id and v.currency = '{{ var('custody_mirror_currency') }}'
    {% if is_incremental() %} and v.day >= (select min(d.day) from custody_mirror_days d) {% endif %}
{{ only_refreshed_days() }}
