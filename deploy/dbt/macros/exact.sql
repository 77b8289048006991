{# An amount as numeric(38,18), which every warehouse and BI tool holds, and its exact text. An amount that does not fit,
   or that would be rounded, is null in the first; the test fits_numeric names it. #}
{% macro exact(column) -%}
(case when abs({{ column }}) < 1e20 and {{ column }} = round({{ column }}, 18) then {{ column }} end)::numeric(38, 18) as {{ column }},
    {{ column }}::text as {{ column }}_text
{%- endmacro %}

{# A value or a price, rounded to 18 places, and its exact text: a product has more decimal places than its factors. #}
{% macro rounded(column) -%}
(case when abs(round({{ column }}, 18)) < 1e20 then {{ column }} end)::numeric(38, 18) as {{ column }},
    {{ column }}::text as {{ column }}_text
{%- endmacro %}

{# The columns that exact() or rounded() made. #}
{% macro with_text(columns) -%}
{% for column in columns %}{{ column }}, {{ column }}_text{{ ', ' if not loop.last }}{% endfor %}
{%- endmacro %}
