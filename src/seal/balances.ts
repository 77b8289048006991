// Names the balance that was changed. Balances are history themselves, sealed with the snapshots in which
// they begin and end: if a snapshot is not as it was sealed, or not sealed yet, each of its balances is
// compared with its record, the previous balance and the counts of the snapshot.
import { type SQL, sql } from 'drizzle-orm';
import { readStoredBalance } from '../custody/decode/stored.ts';
import type { Balance } from '../domain/balance.ts';
import { columnOf, namesOf } from '../domain/field.ts';
import { balanceAmounts, balanceFields } from '../domain/fields.ts';
import type { Log } from './log.ts';
import {
  compareTables,
  type Difference,
  firstDifference,
  type PresentFinding,
  type Row,
  replayRows,
} from './replay.ts';
import { asText } from './rows.ts';
import { balancesTable, columnsOf, snapshotTable } from './tables.ts';

const ofBalance = columnsOf(balanceFields);
const micros = (column: string) => sql.raw(asText(column, 'moment'));
const ofSameAsset = ['account_id', 'vault_type', 'asset_id', 'network_id'].map(
  (name) => `p.${name} = t.${name}`,
);
const hasSameAmounts = namesOf(balanceAmounts).map(
  (name) => `p.${columnOf(name)} is not distinct from t.${columnOf(name)}`,
);
const before = sql.raw(`custody.balances p where ${ofSameAsset.join(' and ')}`);

/** @param which snapshots `s` */
export async function findBalance(log: Log, which: SQL): Promise<PresentFinding | null> {
  const moments = sql`(select s.vault_type, s.snapshot_at from custody.balance_snapshots s where s.account_id = ${log.account} and ${which})`;
  const isOf = sql`((t.vault_type, t.valid_from) in ${moments} or (t.vault_type, t.valid_to) in ${moments})`;
  const balances = {
    table: balancesTable,
    which: isOf,
    // The previous balance continues.
    missing: (of: string) => sql`
      select array[p.account_id, p.vault_type, p.asset_id, p.network_id, ${micros('p.valid_from')}] as key,
        'valid_to' as column, ${micros('t.valid_from')} as expected, ${micros('p.valid_to')} as shown
      from custody.balances t cross join lateral (
        select p.* from ${before} and p.valid_from < t.valid_from and (p.valid_to > t.valid_from) is not false) as p
      where t.account_id = ${of} and ${isOf} limit 1`,
    history: sql`json_build_object(
      'run_id', (select s.run_id::text from custody.balance_snapshots s
        where s.account_id = t.account_id and s.vault_type = t.vault_type and s.snapshot_at = t.valid_from),
      'unchanged_since', coalesce((select ${micros('p.unchanged_since')} from ${before} and p.valid_to = t.valid_from
        and ${sql.raw(hasSameAmounts.join(' and '))}), ${micros('t.valid_from')}))`,
    compare,
  };
  return (
    (await compareTables(log, balances)) ??
    (await replayRows(log, balances, () => undefined)) ??
    (await findMiscounted(log, which))
  );
}

function compare(row: Row, json: string): Difference | null {
  const fits = (reading: Balance) => firstDifference(row, ofBalance({ ...reading })) === null;
  const record = readStoredBalance(row('raw') ?? 'null', fits);
  if (record === null) return { column: 'raw', expected: 'a record', shown: 'none' };
  const history: Record<string, string> = JSON.parse(json);
  return firstDifference(row, [...ofBalance({ ...record }), ...Object.entries(history)]);
}

/**
 * A snapshot whose counts are not those of the balances that began or ended with it, or that it last shows.
 */
async function findMiscounted({ ask, account }: Log, which: SQL): Promise<PresentFinding | null> {
  const keys = (table: string, condition: string) =>
    sql.raw(`select b.asset_id, b.network_id from custody.${table} b
      where b.account_id = s.account_id and b.vault_type = s.vault_type and b.${condition}`);
  const [found] = await ask<Pick<PresentFinding, 'key' | 'column' | 'expected' | 'shown'>>(
    'seal.miscounted',
    sql`
      select array[s.account_id, s.vault_type, ${micros('s.snapshot_at')}] as key, n.name as column, n.expected, n.shown
      from custody.balance_snapshots s cross join lateral (values
        ('changed_count', s.changed_count::text, (select count(*)::text from (
          ${keys('balances', 'valid_from = s.snapshot_at')} union ${keys('balances', 'valid_to = s.snapshot_at')}) as k)),
        ('asset_count', s.asset_count::text, case when not exists (select from custody.balance_snapshots l
          where l.account_id = s.account_id and l.vault_type = s.vault_type and l.snapshot_at > s.snapshot_at)
          then (select count(*)::text from (
            ${keys('balances', 'valid_to is null')} except ${keys('unreadable_balances', 'valid_to is null')}) as k) end)
      ) as n(name, shown, expected)
      where s.account_id = ${account} and ${which} and n.shown <> n.expected order by s.change_id limit 1`,
  );
  return found === undefined ? null : { kind: 'present', table: snapshotTable.name, ...found };
}
