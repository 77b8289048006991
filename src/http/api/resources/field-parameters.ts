// The parameters by which a list is filtered by fields of a record (domain/fields.ts).
import type { FieldFilter, Fields } from '../../../domain/fields.ts';
import { byColumn } from '../../../store/reading/list/columns.ts';
import { text } from '../answer/parameter-kinds.ts';
import type { Parameter, Parameters } from '../answer/parameters.ts';

/** @param after further parameters, by the name of the one that they follow */
export function fieldParameters(
  table: Fields,
  after: Readonly<Record<string, Parameters>> = {},
): Record<string, Parameter> {
  return byColumn(table, ({ filter }) => (filter === undefined ? null : fieldParameter(filter)), after);
}

export function fieldParameter({ says, example }: FieldFilter): Parameter {
  return text(says, example);
}
