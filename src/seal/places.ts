// Where rows are that are named by their keys, and rows that are at no place.
import { sql } from 'drizzle-orm';
import { type Ask, asText, lastNumber } from './rows.ts';
import { intervalTables, type SealedTable, sealedTables } from './tables.ts';

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
    sql`select h.${sql.raw(table.number)}::text as place from ${sql.raw(name)} h where ${sql.join(same, sql` and `)} limit 1`,
  );
  return row === undefined ? null : Number(row.place);
}

/** A row that no leaf holds: its number cannot be one, or a balance begins or ends with no snapshot. */
export async function readOrphan(ask: Ask, account: string) {
  const rows = ({ name, key, columns }: SealedTable, condition: string) => {
    const named = key.map((column) => `${asText(`h."${column}"`, columns.get(column))}::text`);
    return sql`(
      select ${name} as "table", array[${sql.raw(named.join())}] as key from ${sql.raw(name)} h
      where h.account_id = ${account} and ${sql.raw(condition)} limit 1)`;
  };
  const snapshotOf = (moment: string) =>
    `exists (select from custody.balance_snapshots s where s.account_id = h.account_id and s.vault_type = h.vault_type and s.snapshot_at = h.${moment})`;
  const each = [
    ...sealedTables.map((table) =>
      rows(table, `coalesce(h.${table.number}, 0) not between 1 and ${lastNumber}`),
    ),
    ...intervalTables.flatMap((table) => [
      rows(table, `not ${snapshotOf('valid_from')}`),
      rows(table, `h.valid_to is not null and not ${snapshotOf('valid_to')}`),
    ]),
  ];
  const [row] = await ask<{ table: string; key: string[] }>(
    'seal.orphan',
    sql`${sql.join(each, sql` union all `)} limit 1`,
  );
  return row === undefined ? null : ({ kind: 'inserted', ...row } as const);
}
