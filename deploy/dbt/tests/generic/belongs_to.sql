{# Fails with the rows that have no row in another model: relationships, for a key of several columns. #}
{% test belongs_to(model, to, columns) %}
select {{ columns | join(', ') }} from {{ model }}
except
select {{ columns | join(', ') }} from {{ to }}
{% endtest %}
