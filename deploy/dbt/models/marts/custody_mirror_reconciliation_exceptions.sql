select
    account_id, day, asset_id, asset_name, opening_observed_at, closing_observed_at,
    {{ with_text(['opening_balance', 'inflow', 'outflow', 'fees', 'staking_rewards', 'staking_losses', 'expected_balance',
        'closing_balance', 'timing_difference', 'unexplained_difference']) }},
    is_comparable
from {{ ref('stg_custody_mirror__reconciliation_daily') }}
where is_explained is false
