// Keys of rows, as people read them (moments as ISO 8601 in UTC), and as entries have them.
import { sql } from 'drizzle-orm';
import { onOneLine } from '../domain/words.ts';
import { microsToIso } from '../store/values/micros.ts';
import { type Ask, asText } from './rows.ts';
import { provenTables, sealedTables } from './tables.ts';

/** `custody.… (account_id …, transaction_id …, sequence 2)`. @param key as an entry has it */
export function shownRow({ table, key }: { readonly table: string; readonly key: readonly string[] }) {
  const columns = tableOf(table)?.key ?? [];
  const shown = key.map((value, n) => `${columns[n]} ${shownValue(table, columns[n] ?? '', value)}`);
  return `${table} (${shown.join(', ')})`;
}

function tableOf(name: string) {
  return provenTables.find((each) => each.name === name);
}

/** A value of a column as people read it. */
export function shownValue(name: string, column: string, value: string): string {
  return tableOf(name)?.columns.get(column) === 'moment' ? shownMoment(value) : onOneLine(value);
}

/** From microseconds as text. Those beyond JavaScript's range stay a number. */
export function shownMoment(micros: string): string {
  return /^-?\d{1,18}$/.test(micros) ? microsToIso(Number(micros)) : onOneLine(micros);
}

/** The number of the row with a key, as an entry has it; null where there is none. */
export async function readPlace(ask: Ask, name: string, values: readonly string[]): Promise<number | null> {
  const table = sealedTables.find((each) => each.name === name);
  if (table === undefined) return null;
  const same = table.key.map((column, n) => {
    const text = asText(`h."${column}"`, table.columns.get(column));
    const value = values[n] ?? '';
    // An entry has the digest of a long text.
    const digest = `'sha256:' || encode(sha256(convert_to(${text}, 'UTF8')), 'hex')`;
    return sql`${value} in (${sql.raw(value.startsWith('sha256:') ? `${text}, ${digest}` : text)})`;
  });
  const [row] = await ask<{ place: string }>(
    'seal.place',
    sql`select h.change_id::text as place from ${sql.raw(name)} h where ${sql.join(same, sql` and `)} limit 1`,
  );
  return row === undefined ? null : Number(row.place);
}
