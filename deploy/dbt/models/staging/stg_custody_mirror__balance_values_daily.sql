select
    account_id, day, vault_type, asset_id, network_id, currency,
    {{ rounded('price') }},
    price_as_of,
    {{ rounded('total_value') }}
from {{ source('custody_mirror_reporting', 'balance_values_daily') }}
