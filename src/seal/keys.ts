// Keys of rows as people write and read them: moments as ISO 8601 in UTC.
import { MirrorError } from '../domain/errors.ts';
import { microsToIso } from '../store/values/micros.ts';
import { intervalTables, type SealedTable, type SealedTableName, sealedTables } from './tables.ts';

const tables: Readonly<Record<string, SealedTable>> = { ...sealedTables, ...intervalTables };

/** @throws MirrorError `CONFIGURATION` when they name no row that can be sealed by itself */
export function rowOfArguments([name = '', ...values]: readonly string[]) {
  const fault = (why: string) => new MirrorError('CONFIGURATION', `--row: ${why}`);
  const table = Object.keys(sealedTables).find((full) => full === name || full === `custody.${name}`);
  if (table === undefined)
    throw fault(`the first word must be one of ${Object.keys(sealedTables).join(', ')}`);
  const { key, columns } = sealedTables[table as SealedTableName];
  if (values.length !== key.length) throw fault(`a row of ${table} is named by ${key.join(' ')}`);
  const types: SealedTable['columns'] = columns;
  const read = values.map((value, n) => {
    const column = key[n] ?? '';
    if (types[column] !== 'moment') return value;
    const micros = microsOf(value);
    if (micros === null) throw fault(`${column} must be a moment such as 2027-06-30T18:00:00Z`);
    return micros;
  });
  return { table: table as SealedTableName, key: read };
}

function microsOf(text: string): string | null {
  const [, seconds, fraction = ''] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?Z$/.exec(text) ?? [];
  const ms = seconds === undefined ? Number.NaN : Date.parse(`${seconds}Z`);
  return Number.isNaN(ms) ? null : String(ms * 1_000 + Number(fraction.padEnd(6, '0')));
}

/** `transaction_id …, sequence 2`. @param key with account_id before it, as an entry has it */
export function shownKey(table: string, [account = '', ...values]: readonly string[]): string {
  const { key = [], columns = {} } = tables[table] ?? {};
  const shown = values.map((value, n) => {
    const column = key[n] ?? 'change_id';
    return `${column} ${columns[column] === 'moment' && /^-?\d+$/.test(value) ? microsToIso(Number(value)) : value}`;
  });
  return [`account_id ${account}`, ...shown].join(', ');
}
