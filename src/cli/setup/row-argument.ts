// The row that `verify --row` proves: a table and the values of its primary key, moments as ISO 8601 in UTC.
import { MirrorError } from '../../domain/errors.ts';
import { sealedTables } from '../../seal/tables.ts';

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
