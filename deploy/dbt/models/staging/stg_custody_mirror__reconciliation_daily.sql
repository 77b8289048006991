select
    account_id, day, asset_id, asset_name, opening_observed_at, closing_observed_at,
    {{ exact('opening_balance') }},
    {{ exact('inflow') }},
    {{ exact('outflow') }},
    {{ exact('fees') }},
    {{ exact('staking_rewards') }},
    {{ exact('staking_losses') }},
    {{ exact('expected_balance') }},
    {{ exact('closing_balance') }},
    {{ exact('timing_difference') }},
    {{ exact('unexplained_difference') }},
    is_explained, is_comparable
from {{ source('custody_mirror_reporting', 'reconciliation_daily') }}
