{{ config(
    materialized='incremental',
    incremental_strategy='append',
    on_schema_change='fail',
    pre_hook="{{ custody_mirror.begin_refresh(custody_mirror.days_of_changed_transactions()) }}"
) }}
select
    s.account_id, s.day, s.asset_id, s.asset_name, s.network_id,
    s.deposits, s.in_amount, s.in_amount_text, s.withdrawals, s.out_amount, s.out_amount_text,
    s.net_amount, s.net_amount_text, s.missing,
    now() as built_at
from {{ ref('stg_custody_mirror__flows_daily') }} s
{{ only_refreshed_days() }}
