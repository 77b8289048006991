{# Fails with the rows of closed days in which an incremental mart and its view differ. A correction that arrives between
   building and testing shows here once; if a row stays, build with --full-refresh. #}
{% test equals_view(model, view, columns) %}
{% set listed = columns | join(', ') %}
with closed as (
    select c.account_id, c.day from {{ source('custody_mirror_reporting', 'calendar') }} c
    where c.ends_at <= (select max(built_at) from {{ model }})
),
mart as (select {{ listed }} from {{ model }} join closed using (account_id, day)),
expected as (select {{ listed }} from {{ view }} join closed using (account_id, day))
(select 'not in reporting' as problem, * from (select * from mart except all select * from expected) as m)
union all
(select 'not in the mart', * from (select * from expected except all select * from mart) as e)
{% endtest %}
