select
    account_id, transaction_id, first_seen_after, first_seen_at, status, is_completed,
    destination_type, destination_id, destination_name, destination_address,
    asset_id, asset_name, network_id,
    {{ exact('amount') }},
    is_whitelisted, whitelist_reason, known_before_at, known_after_at, is_older_than_mirror, missing_since
from {{ source('custody_mirror_reporting', 'destination_uses') }}
