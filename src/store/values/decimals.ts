// Amounts out of the database, exact: numeric columns as decimal text.
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { type Decimal, parseDecimal } from '../../domain/decimal.ts';

/** Selects a `numeric` as a decimal; null stays null. */
export function selectDecimal(column: SQLWrapper): SQL<Decimal | null> {
  return sql`${column}`.mapWith((text: string) => parseDecimal(text)?.value ?? null);
}
