-- Warns with the problems of the mirror: figures may be incomplete.
{{ config(severity='warn') }}
select account_id, code, severity, subject, since, problem, fix
from {{ source('custody_mirror_reporting', 'health_problems') }}
where severity in ('critical', 'warning')
