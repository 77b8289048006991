// Keys of rows, as people write and read them (moments as ISO 8601 in UTC), and as entries have them.
import { sql } from 'drizzle-orm';
import { MirrorError } from '../domain/errors.ts';
import { onOneLine } from '../domain/words.ts';
import { microsToIso } from '../store/values/micros.ts';
import { type Ask, asText } from './rows.ts';
import { intervalTables, presentTables, sealedTables } from './tables.ts';

/**
 * @returns the table, and its key without account_id
 * @throws MirrorError `CONFIGURATION` when they name no row that can be sealed by itself
 */
export function rowOfArguments([name = '', ...values]: readonly string[]) {
  const fault = (why: string) => new MirrorError('CONFIGURATION', `--row: ${why}`);
  const table = sealedTables.find((each) => each.name === name || each.name === `custody.${name}`);
  if (table === undefined)
    throw fault(`the first word must be one of ${sealedTables.map((each) => each.name).join(', ')}`);
  const [, ...columns] = table.key;
  if (values.length !== columns.length)
    throw fault(`a row of ${table.name} is named by ${columns.join(' ')}`);
  const key = values.map((value, n) => {
    const column = columns[n] ?? '';
    if (table.columns.get(column) !== 'moment') return value;
    const micros = microsOf(value);
    if (micros === null)
      throw fault(
        `${column} must be a moment in UTC with all its digits, such as 2027-06-30T18:00:00.123456Z`,
      );
    return micros;
  });
  return { table: table.name, key };
}

function microsOf(text: string): string | null {
  const [, seconds, fraction = ''] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?Z$/.exec(text) ?? [];
  const ms = seconds === undefined ? Number.NaN : Date.parse(`${seconds}Z`);
  return Number.isNaN(ms) ? null : String(ms * 1_000 + Number(fraction.padEnd(6, '0')));
}

/** `account_id …, transaction_id …, sequence 2`. @param key as an entry has it */
export function shownKey(name: string, key: readonly string[]): string {
  const columns = tableOf(name)?.key ?? [];
  const shown = key.map((value, n) => `${columns[n]} ${shownValue(name, columns[n] ?? '', value)}`);
  return shown.join(', ');
}

function tableOf(name: string) {
  return [...sealedTables, ...intervalTables, ...presentTables].find((each) => each.name === name);
}

/** A value of a column as people read it. */
export function shownValue(name: string, column: string, value: string): string {
  const isMoment = tableOf(name)?.columns.get(column) === 'moment' && /^-?\d{1,18}$/.test(value);
  return isMoment ? microsToIso(Number(value)) : onOneLine(value);
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
