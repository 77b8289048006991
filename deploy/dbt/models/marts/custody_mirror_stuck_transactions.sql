select
    t.account_id, t.transaction_id, t.status, t.transaction_type, t.direction, t.asset_id, t.asset_name, t.network_id,
    t.amount, t.amount_text, t.vault_name, t.counterparty_name, t.counterparty_address, t.txn_hash, t.note,
    t.first_seen_at, t.status_since, o.age_hours::numeric(38, 18) as age_hours, t.is_older_than_mirror,
    now() as built_at
from {{ source('custody_mirror_reporting', 'open_transactions') }} o
join {{ ref('stg_custody_mirror__transactions') }} t using (account_id, transaction_id)
where o.age >= make_interval(hours => {{ var('custody_mirror_stuck_hours') | int }})
