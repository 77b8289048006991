select
    account_id, transaction_id, first_seen_at, status, is_completed,
    destination_type, destination_id, destination_name, destination_address,
    asset_id, asset_name, network_id, amount, amount_text,
    case when is_whitelisted = false then 'not whitelisted' else 'unknown' end as finding,
    whitelist_reason, is_older_than_mirror, missing_since
from {{ ref('stg_custody_mirror__destination_uses') }}
where is_whitelisted is not true
