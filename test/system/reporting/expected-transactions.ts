// What the views of single transactions must show, from the recorded readings alone.
import type { TransactionRecord } from '../../../packages/sandbox/src/world/records.ts';
import { transactionCells } from '../../support/transaction-columns.ts';
import { textOrNull, unitsOrNull } from './decimal.ts';
import type { Observed } from './observed.ts';
import { type Past, pastsOf, settledStatuses } from './pasts.ts';
import type { Cell, ViewRow } from './views.ts';
import type { Micros } from './zones.ts';

const inHours = 3_600_000_000n;

export const moment = (at: Micros | null): string | null => (at === null ? null : at.toString());

export function directionOf({ transactionType, sourceType, destinationType }: TransactionRecord): string {
  const documented: Readonly<Record<string, string>> = {
    deposit: 'in',
    withdraw: 'out',
    rebalance: 'internal',
  };
  const known = documented[transactionType];
  if (known !== undefined) return known;
  if (['stake', 'unstake', 'claim', 'change pool'].includes(transactionType)) return 'staking';
  if (sourceType === 'vault' && destinationType === 'vault') return 'internal';
  if (destinationType === 'vault') return 'in';
  return sourceType === 'vault' ? 'out' : 'unknown';
}

/** When the first sweep ended: what was there then may be of any age. */
export function sinceOf({ transactions }: Observed): Micros {
  const first = transactions[0];
  if (first === undefined) throw new Error('nothing was read');
  return first.at;
}

export interface Present {
  readonly past: Past;
  readonly status: string;
  readonly statusAt: Micros;
  readonly isOpen: boolean;
  /** It was there when the mirror began, in the status it has now. */
  readonly statusIsOld: boolean;
}

export function presentOf(observed: Observed): Present[] {
  const since = sinceOf(observed);
  return [...pastsOf(observed.transactions).values()].map((past) => {
    const stay = past.stays.at(-1);
    if (stay === undefined) throw new Error('a transaction was never seen');
    const { status, at } = stay;
    return {
      past,
      status,
      statusAt: at,
      isOpen: !settledStatuses.includes(status),
      statusIsOld: at <= since,
    };
  });
}

export function transactionRows(observed: Observed, now: Micros): ViewRow[] {
  const since = sinceOf(observed);
  const names = namesOf(observed);
  return presentOf(observed).map(({ past, status, statusAt, isOpen, statusIsOld }) => {
    const { record, firstSeenAt, missingSince } = past;
    const settledAt = isOpen || statusIsOld ? null : statusAt;
    const isShownOpen = isOpen && missingSince === null;
    const sinceThen = settledAt === null ? null : settledAt - firstSeenAt;
    return {
      account_id: observed.account,
      ...columnsOf(record),
      ...sidesOf(record, names),
      ...feeAssetOf(observed, record),
      status,
      is_open: openOrUnknown(status, missingSince),
      first_seen_after: moment(past.stays[0]?.after ?? null),
      first_seen_at: moment(firstSeenAt),
      status_since: moment(statusAt),
      settled_at: moment(settledAt),
      age: moment(isShownOpen ? now - firstSeenAt : sinceThen),
      is_older_than_mirror: firstSeenAt <= since,
      missing_since: moment(missingSince),
      changed_at: moment(changedAtOf(past)),
    };
  });
}

/** The last change of its status, or of anything else; that it is missing is no change of it. */
function changedAtOf({ stays, contents, firstSeenAt }: Past): Micros {
  const [status = firstSeenAt, content = firstSeenAt] = [
    stays.at(-1)?.at,
    contents.findLast(({ missingSince }) => missingSince === null)?.at,
  ];
  return status > content ? status : content;
}

/** What the service no longer shows is not known to be open. */
export function openOrUnknown(status: string, missingSince: Micros | null): boolean | null {
  if (settledStatuses.includes(status)) return false;
  return missingSince === null ? true : null;
}

/**
 * By the rule for the type, else by the one for every type of the network, else the transaction's own.
 *
 * @param at when the rule was known; left out for now
 */
export function feeAssetOf(
  { feeRules }: Pick<Observed, 'feeRules'>,
  record: TransactionRecord,
  at: Micros | null = null,
) {
  const ofNetwork = feeRules.filter(
    ({ networkId, knownFrom, knownUntil }) =>
      networkId === record.networkId &&
      (at === null ? knownUntil === null : knownFrom <= at && (knownUntil === null || at < knownUntil)),
  );
  const rule =
    ofNetwork.find(({ transactionType }) => transactionType === record.transactionType) ??
    ofNetwork.find(({ transactionType }) => transactionType === null);
  return { fee_asset_id: rule?.assetId ?? record.assetId, fee_asset_is_assumed: rule === undefined };
}

/** What a record tells, as the columns that `transactions` and `transactions_at` have in common. */
export function columnsOf(record: TransactionRecord): Record<string, Cell> {
  const { status: _status, ...cells } = transactionCells(record);
  return {
    ...cells,
    direction: directionOf(record),
    amount: textOrNull(unitsOrNull(record.amount)),
    fee: textOrNull(unitsOrNull(record.fee)),
  };
}

interface Names {
  readonly vaults: ReadonlyMap<string, { readonly name: string; readonly type: string }>;
  readonly entries: ReadonlyMap<string, string>;
}

/** Names as they were seen last, also of what was removed. */
function namesOf({ vaults, whitelist }: Observed): Names {
  const seenVaults = vaults.flatMap(({ documents }) => documents);
  const seenEntries = whitelist.flatMap(({ documents }) => documents);
  return {
    vaults: new Map(seenVaults.map(({ vaultId, name, vaultType }) => [vaultId, { name, type: vaultType }])),
    entries: new Map(seenEntries.map(({ whitelistId, name }) => [whitelistId, name])),
  };
}

function sidesOf(record: TransactionRecord, { vaults, entries }: Names): Record<string, Cell> {
  const from = {
    type: record.sourceType,
    id: record.sourceId,
    name: record.sourceName,
    address: record.sourceAddress,
  };
  const to = {
    type: record.destinationType,
    id: record.destinationId,
    name: record.destinationName,
    address: record.destinationAddress,
  };
  const comesIn = to.type === 'vault' && from.type !== 'vault';
  const own = comesIn ? to : from.type === 'vault' ? from : null;
  const other = comesIn ? from : to;
  const vault = own === null ? undefined : vaults.get(own.id);
  const otherName =
    other.type === 'vault'
      ? vaults.get(other.id)?.name
      : other.type === 'whitelist'
        ? entries.get(other.id)
        : undefined;
  return {
    vault_id: own?.id || null,
    vault_name: own === null ? null : own.name || (vault?.name ?? null),
    vault_type: vault?.type ?? null,
    counterparty_type: other.type,
    counterparty_id: other.id || null,
    counterparty_name: other.name || (otherName ?? null),
    counterparty_address: other.address || null,
  };
}

const openColumns =
  `account_id transaction_id status transaction_type direction asset_id asset_name network_id network_name
  amount fee fee_asset_id fee_asset_is_assumed vault_id vault_name vault_type counterparty_type counterparty_id counterparty_name counterparty_address txn_hash
  blockexplorer_link note first_seen_at status_since age is_older_than_mirror`.split(/\s+/);

const bands: readonly (readonly [hours: bigint, name: string])[] = [
  [1n, 'under 1 hour'],
  [4n, '1 to 4 hours'],
  [24n, '4 to 24 hours'],
  [72n, '1 to 3 days'],
  [168n, '3 to 7 days'],
];

export function openRows(observed: Observed, now: Micros): ViewRow[] {
  const open = transactionRows(observed, now).filter((row) => row['is_open'] === true);
  return open.map((row) => {
    const age = BigInt(String(row['age']));
    const band = bands.findIndex(([hours]) => age < hours * inHours);
    const hundredths = (age * 200n + inHours) / (inHours * 2n);
    return {
      ...Object.fromEntries(openColumns.map((column) => [column, row[column] ?? null])),
      time_in_status: moment(now - BigInt(String(row['status_since']))),
      age_hours: `${hundredths / 100n}.${(hundredths % 100n).toString().padStart(2, '0')}`,
      age_band: bands[band]?.[1] ?? 'over 7 days',
      age_band_order: String(band === -1 ? bands.length + 1 : band + 1),
    };
  });
}

export function missingRows(observed: Observed, now: Micros): ViewRow[] {
  const columns = [...openColumns, 'missing_since', 'first_seen_after'].filter(
    (column) => !['age', 'is_older_than_mirror'].includes(column),
  );
  return transactionRows(observed, now)
    .filter((row) => row['missing_since'] !== null)
    .map((row) => ({
      ...Object.fromEntries(columns.map((column) => [column, row[column] ?? null])),
      was_open: row['is_open'] === null,
    }));
}

export function timelineRows(observed: Observed, now: Micros): ViewRow[] {
  const since = sinceOf(observed);
  return [...pastsOf(observed.transactions).values()].flatMap(({ record, stays }) =>
    stays.map((stay, index) => {
      const next = stays[index + 1];
      const left = next?.at ?? now;
      const lastSeen = next?.after ?? stay.at;
      return {
        account_id: observed.account,
        transaction_id: record.transactionId,
        sequence: String(index + 1),
        status: stay.status,
        previous_status: stays[index - 1]?.status ?? null,
        next_status: next?.status ?? null,
        transaction_type: record.transactionType,
        asset_id: record.assetId,
        asset_name: record.assetName,
        network_id: record.networkId,
        amount: textOrNull(unitsOrNull(record.amount)),
        entered_at: moment(stay.at),
        entered_after: moment(stay.after),
        entered_bound:
          index > 0 ? 'between two readings' : stay.at > since ? 'first sighting' : 'before the mirror began',
        left_at: moment(next?.at ?? null),
        left_after: moment(next?.after ?? null),
        left_bound: next === undefined ? 'still' : 'between two readings',
        duration: moment(left - stay.at),
        shortest_duration: moment(
          next === undefined ? now - stay.at : lastSeen > stay.at ? lastSeen - stay.at : 0n,
        ),
        longest_duration: moment(stay.after === null ? null : left - stay.after),
        is_current: next === undefined,
      };
    }),
  );
}
