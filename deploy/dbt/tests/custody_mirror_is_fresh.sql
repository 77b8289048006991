-- Fails with the resources that were not read for custody_mirror_stale_hours, or never.
select account_id, resource, last_success_at, last_failure_code
from {{ source('custody_mirror_reporting', 'data_freshness') }}
where is_mirrored and resource is not null
    and (last_success_at is null or lag_seconds > 3600 * {{ var('custody_mirror_stale_hours') }})
