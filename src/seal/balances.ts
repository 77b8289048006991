// Names the balance that was changed. Balances are history themselves, sealed with the snapshots in which
// they begin and end: if a snapshot is not as it was sealed, or not sealed yet, each of its balances is
// compared with its record, the previous balance and the counts of the snapshot.
import { readStoredBalance } from '../custody/decode/stored.ts';
import type { Balance } from '../domain/balance.ts';
import { columnOf, namesOf } from '../domain/field.ts';
import { balanceAmounts, balanceFields } from '../domain/fields.ts';
import type { Reader } from './reading.ts';
import { type Difference, firstDifference, type PresentFinding } from './replay.ts';
import { balancesTable, columnsOf, type SealedTable, snapshotTable, unreadableTable } from './tables.ts';

const ofBalance = columnsOf(balanceFields);
const amounts = namesOf(balanceAmounts).map(columnOf);

type Texts = ReadonlyMap<string, string | null>;

const of = (row: Texts, column: string) => row.get(column) ?? null;
const keyOf = (row: Texts, ...columns: readonly string[]) =>
  columns.map((column) => of(row, column)).join('\0');
const asset = ['vault_type', 'asset_id', 'network_id'] as const;
const moment = (row: Texts, column: string) => Number(of(row, column) ?? Number.POSITIVE_INFINITY);

/** Whatever its scale: 2 and 2.0 are one amount. */
function amount(row: Texts, column: string): string | null {
  const text = of(row, column);
  if (!text?.includes('.')) return text;
  let end = text.length;
  while (text[end - 1] === '0') end -= 1;
  return text.slice(0, text[end - 1] === '.' ? end - 1 : end);
}

/** The rows of a table that are wanted, whole. */
async function collect(
  reader: Reader,
  table: SealedTable,
  isWanted: (text: (column: string) => string | null) => boolean,
): Promise<Texts[]> {
  const columns = [...table.types.keys()].filter((column) => column !== 'account_id');
  const places = new Map(columns.map((column, n) => [column, n]));
  const rows: Texts[] = [];
  await reader.scan(table, columns, (row) => {
    if (!isWanted((column) => row.text(places.get(column) ?? -1))) return;
    const texts = columns.map((column, n) => [column, row.text(n)] as const);
    rows.push(new Map([...texts, ['account_id', reader.account]]));
  });
  return rows;
}

/** @param which snapshots, by their numbers */
export async function findBalance(
  reader: Reader,
  which: (changeId: number) => boolean,
): Promise<PresentFinding | null> {
  const snapshots = await collect(reader, snapshotTable, (text) => which(Number(text('change_id'))));
  if (snapshots.length === 0) return null;
  const own = new Set(snapshots.map((row) => keyOf(row, 'vault_type', 'snapshot_at')));
  const isOf = (text: (column: string) => string | null) =>
    own.has(`${text('vault_type')}\0${text('valid_from')}`) ||
    own.has(`${text('vault_type')}\0${text('valid_to')}`);
  const balances = await collect(reader, balancesTable, isOf);
  return (
    (await findOverlap(reader, balances)) ??
    (await findDifference(reader, balances)) ??
    (await findMiscounted(reader, snapshots, balances))
  );
}

function finding(table: SealedTable, row: Texts, difference: Difference): PresentFinding {
  const key = table.key.map((column) => of(row, column) ?? '');
  return { kind: 'present', table: table.name, key, ...difference };
}

/** A previous balance that continues, or a balance that is there twice. */
async function findOverlap(reader: Reader, balances: readonly Texts[]): Promise<PresentFinding | null> {
  const byAsset = new Map<string, Texts[]>();
  for (const row of balances) {
    const key = keyOf(row, ...asset);
    byAsset.set(key, [...(byAsset.get(key) ?? []), row]);
  }
  const overlaps = (text: (column: string) => string | null, row: Texts) =>
    Number(text('valid_from')) < moment(row, 'valid_from') &&
    Number(text('valid_to') ?? Number.POSITIVE_INFINITY) > moment(row, 'valid_from');
  const following = (text: (column: string) => string | null) =>
    byAsset.get(asset.map(text).join('\0'))?.find((row) => overlaps(text, row));
  for (const before of await collect(reader, balancesTable, (text) => following(text) !== undefined)) {
    const next = following((column) => of(before, column));
    const [expected, shown] = [of(next ?? before, 'valid_from'), of(before, 'valid_to')];
    return finding(balancesTable, before, { column: 'valid_to', expected, shown });
  }
  const seen = new Set<string>();
  for (const row of balances) {
    const key = keyOf(row, ...asset, 'valid_from');
    if (seen.has(key))
      return finding(balancesTable, row, { column: null, expected: 'one row', shown: 'several' });
    seen.add(key);
  }
  return null;
}

/** A balance that is not what its record, the one before and its snapshot say. */
async function findDifference(reader: Reader, balances: readonly Texts[]): Promise<PresentFinding | null> {
  const begins = new Set(balances.map((row) => keyOf(row, 'vault_type', 'valid_from')));
  const first = await collect(reader, snapshotTable, (text) =>
    begins.has(`${text('vault_type')}\0${text('snapshot_at')}`),
  );
  const runs = new Map(first.map((row) => [keyOf(row, 'vault_type', 'snapshot_at'), of(row, 'run_id')]));
  const starts = new Set(balances.map((row) => keyOf(row, ...asset, 'valid_from')));
  const ended = await collect(reader, balancesTable, (text) =>
    starts.has([...asset, 'valid_to'].map(text).join('\0')),
  );
  const before = new Map(ended.map((row) => [keyOf(row, ...asset, 'valid_to'), row]));
  for (const row of balances) {
    const previous = before.get(keyOf(row, ...asset, 'valid_from'));
    const isSame =
      previous !== undefined && amounts.every((column) => amount(previous, column) === amount(row, column));
    const text = (column: string) => of(row, column);
    const fits = (reading: Balance) => firstDifference(text, ofBalance({ ...reading })) === null;
    const record = readStoredBalance(of(row, 'raw') ?? 'null', fits);
    const difference =
      record === null
        ? { column: 'raw', expected: 'a record', shown: 'none' }
        : firstDifference(text, [
            ...ofBalance({ ...record }),
            ['run_id', runs.get(keyOf(row, 'vault_type', 'valid_from')) ?? null],
            ['unchanged_since', of(isSame ? previous : row, isSame ? 'unchanged_since' : 'valid_from')],
          ]);
    if (difference !== null) return finding(balancesTable, row, difference);
  }
  return null;
}

/** A snapshot whose counts are not those of its balances: of those that began or ended, or are still open. */
async function findMiscounted(
  reader: Reader,
  snapshots: readonly Texts[],
  balances: readonly Texts[],
): Promise<PresentFinding | null> {
  const changed = new Map<string, Set<string>>();
  for (const row of balances)
    for (const end of ['valid_from', 'valid_to']) {
      const snapshot = keyOf(row, 'vault_type', end);
      changed.set(snapshot, (changed.get(snapshot) ?? new Set()).add(keyOf(row, ...asset)));
    }
  const last = new Map<string | null, number>();
  await reader.scan(snapshotTable, ['vault_type', 'snapshot_at'], (row) => {
    const type = row.text(0);
    last.set(type, Math.max(last.get(type) ?? Number.NEGATIVE_INFINITY, Number(row.text(1))));
  });
  const open = new Set<string>();
  const columns = [...asset, 'valid_to'];
  for (const table of [balancesTable, unreadableTable])
    await reader.scan(table, columns, (row) => {
      if (row.text(3) !== null) return;
      const key = columns
        .slice(0, 3)
        .map((_, n) => row.text(n))
        .join('\0');
      if (table === balancesTable) open.add(key);
      else open.delete(key);
    });
  const openOf = (type: string | null) => [...open].filter((key) => key.startsWith(`${type}\0`)).length;
  for (const row of snapshots.toSorted((a, b) => moment(a, 'change_id') - moment(b, 'change_id'))) {
    const isLast = moment(row, 'snapshot_at') === last.get(of(row, 'vault_type'));
    const difference = firstDifference(
      (column) => of(row, column),
      [
        ['changed_count', String(changed.get(keyOf(row, 'vault_type', 'snapshot_at'))?.size ?? 0)],
        ...(isLast ? [['asset_count', String(openOf(of(row, 'vault_type')))] as const] : []),
      ],
    );
    if (difference !== null) return finding(snapshotTable, row, difference);
  }
  return null;
}
