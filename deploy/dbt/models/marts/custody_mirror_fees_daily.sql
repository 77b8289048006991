{{ config(
    materialized='incremental',
    incremental_strategy='append',
    on_schema_change='fail',
    pre_hook="{{ custody_mirror.begin_refresh(custody_mirror.days_of_changed_transactions() ~ ' union ' ~ custody_mirror.days_of_changed_fee_rules()) }}"
) }}
select
    s.account_id, s.day, s.fee_asset_id, s.fee_asset_is_assumed, s.asset_id, s.asset_name, s.network_id, s.transaction_type,
    s.transactions, s.fee, s.fee_text, s.missing,
    {{ fee_rules_digest('s.account_id') }} as fee_rules_digest,
    now() as built_at
from {{ ref('stg_custody_mirror__fees_daily') }} s
{{ only_refreshed_days() }}
