{# Fails with the rows whose amounts do not fit numeric(38,18) or would be rounded, and logs the first twenty. OFFSET 0
   has each amount computed once: a view within a view would be computed again wherever the amount stands. #}
{% test fits_numeric(model, columns, key) %}
{% set rows %}
select {{ key | join(', ') }}, v.amount_column, v.amount_text
from (select * from {{ model }} offset 0) m
cross join lateral (
    values {% for column in columns %}('{{ column }}', m.{{ column }}, m.{{ column }}_text){{ ', ' if not loop.last }}{% endfor %}
) as v (amount_column, fitting, amount_text)
where v.fitting is null and v.amount_text is not null
{% endset %}
{% if execute and flags.WHICH in ('build', 'test') %}
{% for row in run_query(rows ~ ' limit 20').rows %}
{{ log('Does not fit numeric(38,18): ' ~ tojson(row.values() | map('string') | list), info=true) }}
{% endfor %}
{% endif %}
{{ rows }}
{% endtest %}
