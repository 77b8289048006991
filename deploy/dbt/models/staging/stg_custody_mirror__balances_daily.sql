select
    account_id, day, vault_type, asset_id, asset_name, network_id, network_name,
    {{ exact('total_balance') }},
    {{ exact('available_balance') }},
    {{ exact('processing_balance') }},
    {{ exact('staking_balance') }},
    {{ exact('claimable_balance') }},
    unchanged_since, observed_at, is_known, ends_at
from {{ source('custody_mirror_reporting', 'balances_daily') }}
