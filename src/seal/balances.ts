// Names the balance that was changed. Balances are history themselves, sealed with the snapshots in which
// they begin and end: if a snapshot is not as it was sealed, or not sealed yet, each of its balances is
// compared with its record, the previous balance and the counts of the snapshot.
import { readStoredBalance } from '../custody/decode/stored.ts';
import type { Balance } from '../domain/balance.ts';
import { withoutZeros } from '../domain/decimal.ts';
import { balanceAmounts, balanceFields, columnOf, namesOf } from '../domain/fields.ts';
import type { Reader } from './reading.ts';
import { type Difference, firstDifference, type PresentFinding } from './replay.ts';
import type { Row } from './rows.ts';
import { balancesTable, columnsOf, type SealedTable, snapshotTable, unreadableTable } from './tables.ts';

const ofBalance = columnsOf(balanceFields);
const amounts = namesOf(balanceAmounts).map(columnOf);

type Texts = ReadonlyMap<string, string | null>;

const asset = ['vault_type', 'asset_id', 'network_id'] as const;
const of = (row: Texts, column: string) => row.get(column) ?? null;
const keyOf = (text: Row, ...columns: readonly string[]) => columns.map(text).join('\0');
const keyIn = (row: Texts, ...columns: readonly string[]) => keyOf((column) => of(row, column), ...columns);
const moment = (text: string | null) => Number(text ?? Number.POSITIVE_INFINITY);

/** Whatever its scale: 2 and 2.0 are one amount. */
function amount(row: Texts, column: string): string | null {
  const text = of(row, column);
  return text === null ? null : withoutZeros(text);
}

/** The rows of a table that are wanted, whole. */
async function collect(
  reader: Reader,
  table: SealedTable,
  isWanted: (text: Row) => boolean,
): Promise<Texts[]> {
  const columns = [...table.types.keys()];
  const rows: Texts[] = [];
  await reader.scan(table, (text) => {
    if (isWanted(text)) rows.push(new Map(columns.map((column) => [column, text(column)])));
  });
  return rows;
}

function finding(table: SealedTable, row: Texts, difference: Difference): PresentFinding {
  const key = table.key.map((column) => of(row, column) ?? '');
  return { kind: 'present', table: table.name, key, ...difference };
}

/** @param which snapshots, by their numbers */
export async function findBalance(
  reader: Reader,
  which: (changeId: number) => boolean,
): Promise<PresentFinding | null> {
  const last = new Map<string | null, number>();
  const snapshots = await collect(reader, snapshotTable, (text) => {
    const type = text('vault_type');
    last.set(type, Math.max(last.get(type) ?? Number.NEGATIVE_INFINITY, Number(text('snapshot_at'))));
    return which(Number(text('change_id')));
  });
  if (snapshots.length === 0) return null;
  const runs = new Map(snapshots.map((row) => [keyIn(row, 'vault_type', 'snapshot_at'), of(row, 'run_id')]));
  const own = (['valid_from', 'valid_to'] as const).map(
    (end) => (text: Row) => runs.has(keyOf(text, 'vault_type', end)),
  );
  const balances = await collect(reader, balancesTable, (text) => own.some((isOf) => isOf(text)));
  const begun = balances.filter((row) => runs.has(keyIn(row, 'vault_type', 'valid_from')));
  return (
    (await findDifference(reader, begun, runs)) ?? (await findMiscounted(reader, snapshots, balances, last))
  );
}

/** A balance that is there twice, overlaps the next, or is not what its record and the one before say. */
async function findDifference(
  reader: Reader,
  begun: readonly Texts[],
  runs: ReadonlyMap<string, string | null>,
): Promise<PresentFinding | null> {
  const byAsset = new Map<string, Texts[]>();
  for (const row of begun) {
    const key = keyIn(row, ...asset);
    byAsset.set(key, [...(byAsset.get(key) ?? []), row]);
  }
  /** The one that begins while another of its asset goes on, or as it ends. */
  const following = (text: Row) =>
    byAsset.get(keyOf(text, ...asset))?.find((row) => {
      const from = moment(of(row, 'valid_from'));
      return Number(text('valid_from')) < from && moment(text('valid_to')) >= from;
    });
  const before = new Map<Texts, Texts>();
  for (const row of await collect(reader, balancesTable, (text) => following(text) !== undefined)) {
    const next = following((column) => of(row, column)) ?? row;
    const [expected, shown] = [of(next, 'valid_from'), of(row, 'valid_to')];
    if (expected !== shown) return finding(balancesTable, row, { column: 'valid_to', expected, shown });
    before.set(next, row);
  }
  const seen = new Set<string>();
  for (const row of begun) {
    const key = keyIn(row, ...asset, 'valid_from');
    const twice = { column: null, expected: 'one row', shown: 'several' };
    const difference = seen.has(key) ? twice : differenceOf(row, before.get(row), runs);
    if (difference !== null) return finding(balancesTable, row, difference);
    seen.add(key);
  }
  return null;
}

function differenceOf(
  row: Texts,
  previous: Texts | undefined,
  runs: ReadonlyMap<string, string | null>,
): Difference | null {
  const text: Row = (column) => of(row, column);
  const fits = (reading: Balance) => firstDifference(text, ofBalance({ ...reading })) === null;
  const record = readStoredBalance(text('raw') ?? 'null', fits);
  if (record === null) return { column: 'raw', expected: 'a record', shown: 'none' };
  const isSame =
    previous !== undefined && amounts.every((column) => amount(previous, column) === amount(row, column));
  return firstDifference(text, [
    ...ofBalance({ ...record }),
    ['run_id', runs.get(keyIn(row, 'vault_type', 'valid_from')) ?? null],
    ['unchanged_since', of(isSame ? previous : row, isSame ? 'unchanged_since' : 'valid_from')],
  ]);
}

/** A snapshot whose counts are not those of its balances: of those that began or ended, or are still open. */
async function findMiscounted(
  reader: Reader,
  snapshots: readonly Texts[],
  balances: readonly Texts[],
  last: ReadonlyMap<string | null, number>,
): Promise<PresentFinding | null> {
  const changed = new Map<string, Set<string>>();
  for (const row of balances)
    for (const end of ['valid_from', 'valid_to']) {
      const snapshot = keyIn(row, 'vault_type', end);
      changed.set(snapshot, (changed.get(snapshot) ?? new Set()).add(keyIn(row, ...asset)));
    }
  const open = new Set<string>();
  for (const table of [balancesTable, unreadableTable])
    await reader.scan(table, (text) => {
      if (text('valid_to') !== null) return;
      if (table === balancesTable) open.add(keyOf(text, ...asset));
      else open.delete(keyOf(text, ...asset));
    });
  const openOf = (type: string | null) => [...open].filter((key) => key.startsWith(`${type}\0`)).length;
  for (const row of snapshots.toSorted((a, b) => moment(of(a, 'change_id')) - moment(of(b, 'change_id')))) {
    const type = of(row, 'vault_type');
    const count = changed.get(keyIn(row, 'vault_type', 'snapshot_at'))?.size ?? 0;
    const isLast = Number(of(row, 'snapshot_at')) === last.get(type);
    const counts = [
      ['changed_count', count] as const,
      ...(isLast ? [['asset_count', openOf(type)] as const] : []),
    ];
    const difference = firstDifference(
      (column) => of(row, column),
      counts.map(([column, number]) => [column, String(number)] as const),
    );
    if (difference !== null) return finding(snapshotTable, row, difference);
  }
  return null;
}
