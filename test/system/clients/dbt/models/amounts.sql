{{ config(materialized='incremental', unique_key='transaction_id') }}
select transaction_id, status, amount, first_seen_at from {{ source('reporting', 'transactions') }}
{% if is_incremental() %} where first_seen_at > (select max(first_seen_at) from {{ this }}) {% endif %}
