select
    account_id, day, asset_id, asset_name, network_id,
    deposits,
    {{ exact('in_amount') }},
    withdrawals,
    {{ exact('out_amount') }},
    {{ exact('net_amount') }},
    missing
from {{ source('custody_mirror_reporting', 'flows_daily') }}
