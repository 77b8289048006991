select
    account_id, transaction_id, status, is_open, transaction_type, direction, asset_id, asset_name, network_id, network_name,
    {{ exact('amount') }},
    {{ exact('fee') }},
    fee_asset_id, fee_asset_is_assumed, vault_id, vault_name, vault_type,
    counterparty_type, counterparty_id, counterparty_name, counterparty_address,
    source_type, source_id, source_name, source_address,
    destination_type, destination_id, destination_name, destination_address, destination_memo,
    txn_hash, note, first_seen_after, first_seen_at, status_since, settled_at, is_older_than_mirror, missing_since, changed_at
from {{ source('custody_mirror_reporting', 'transactions') }}
