// Keys of rows, as people read them (moments as ISO 8601 in UTC), and as entries have them.
import { onOneLine } from '../domain/words.ts';
import { microsToIso } from '../store/values/micros.ts';
import { provenTables } from './tables.ts';

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
