// The condition that a text column of transactions equals a value, found by the index of digests
// (drizzle/transactions.ts).
import { getTableColumns, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { type FilterColumn, filterKey, filterKeys, transactions } from '../../../../drizzle/transactions.ts';
import { inlinedLiteral } from '../../postgres/inlined-literal.ts';
import { valueFor } from './columns.ts';

interface Equal {
  readonly account: string;
  readonly column: FilterColumn;
  readonly value: string;
}

/**
 * The digest finds the rows, and the text decides. It is compared by the function of the operator `=`,
 * because the planner would count a second condition of known selectivity once more, and expect too few rows.
 *
 * @param columns of the table or view that is read
 */
export function digestFilter(columns: Record<FilterColumn | 'accountId', SQLWrapper>): (equal: Equal) => SQL {
  const keys = filterKeys(columns);
  return ({ account, column, value }) => {
    const given = valueFor(getTableColumns(transactions)[column].name, value);
    const key = filterKey(sql`${inlinedLiteral(account)}::text`, column, sql`${given}::text`);
    return sql`${keys} @> array[${key}] and texteq(${columns[column]}, ${given})`;
  };
}

/** A vault is the source or the destination. */
export function ofVault(
  columns: Record<FilterColumn | 'accountId', SQLWrapper>,
  account: string,
  id: string,
): SQL {
  const keys = (['sourceId', 'destinationId'] as const).map((column) =>
    filterKey(sql`${account}::text`, column, sql`${id}::text`),
  );
  return sql`${filterKeys(columns)} && array[${sql.join(keys, sql`, `)}]
    and (texteq(${columns.sourceId}, ${id}) or texteq(${columns.destinationId}, ${id}))`;
}
