select
    account_id, day, fee_asset_id, fee_asset_is_assumed, asset_id, asset_name, network_id, transaction_type,
    transactions,
    {{ exact('fee') }},
    missing
from {{ source('custody_mirror_reporting', 'fees_daily') }}
