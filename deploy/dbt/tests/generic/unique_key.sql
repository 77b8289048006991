{# Fails with the keys that several rows have. Nulls count as equal. #}
{% test unique_key(model, columns) %}
select {{ columns | join(', ') }}, count(*) from {{ model }} group by {{ columns | join(', ') }} having count(*) > 1
{% endtest %}
