// What the reconciliation of a day and an asset says, in words.
import { type Judgement, pathSegment, type ReconciledDay } from '../api/interface.ts';
import { isSome } from '../view/numbers.ts';

interface Explanation extends Judgement {
  /** What the figures say. */
  readonly why: string;
  /** What it may be, and what else to know. */
  readonly hints: readonly string[];
}

export function explanationOf(row: ReconciledDay): Explanation {
  const hints = hintsOf(row);
  if (row.is_explained === null) return { word: 'not known', tone: 'note', why: unknown(row), hints };
  if (!row.is_explained) return { word: 'not explained', tone: 'bad', why: lost(row), hints };
  const why = 'Transactions explain the balance to the last digit.';
  return { word: 'explained', tone: 'good', why, hints };
}

function hintsOf(row: ReconciledDay): readonly string[] {
  const { is_explained, unexplained_difference: difference } = row;
  const isOff = is_explained === false && isSome(difference);
  return [
    is_explained === true &&
      isSome(row.staking_rewards) &&
      'Staked and claimable balances grew without a transaction. This counts as staking rewards.',
    is_explained === true &&
      isSome(row.timing_difference) &&
      'Part of the difference is timing: a change appeared in the balances before or after it appeared in the transactions. Neighbouring observations cancel it exactly.',
    is_explained === false &&
      isSome(row.staking_losses) &&
      'Staked or claimable balances fell without a transaction: possibly slashing, or a claim that the service does not list.',
    isOff &&
      (difference.startsWith('-')
        ? 'An outgoing transaction may be missing from the service’s list, or be in quarantine because it could not be read; or a fee was paid in a different asset than the fee rules say.'
        : 'A deposit or reward may be missing from the service’s list, or be in quarantine because it could not be read; or a fee counted here was paid in a different asset.'),
    isOff &&
      'If the difference equals the amount of one transaction, the service may have booked it twice, or not at all.',
    is_explained === null &&
      unknown(row) === undecided &&
      'Later observations and a later read of the transactions will settle it.',
    !row.is_comparable &&
      'Not all transactions had been read before the opening observation: some may be missing here.',
  ].filter((hint) => hint !== false);
}

function lost({ unexplained_difference: difference }: ReconciledDay): string {
  if (difference === null) return 'Something was lost; how much is not known.';
  if (!isSome(difference)) return 'Staked balances fell without a transaction.';
  return difference.startsWith('-')
    ? 'More went out than transactions explain.'
    : 'More came in than transactions explain.';
}

const undecided =
  'Undecided: transactions close to an observation may belong on either side of it, or the transactions have not been read since.';

function unknown(row: ReconciledDay): string {
  if (row.opening_observed_at === null)
    return 'Balances were not observed before this day, so there is no opening balance.';
  if (row.opening_balance === null || row.closing_balance === null)
    return 'One of the two balances could not be read.';
  if (row.inflow === null || row.outflow === null || row.fees === null)
    return 'The service sent no amount for one of the transactions.';
  return undecided;
}

/** What needs attention comes first, then what is not known; assets from A to Z, their days going back. */
export function byUrgency(rows: readonly ReconciledDay[]): readonly ReconciledDay[] {
  const rank = ({ is_explained }: ReconciledDay) =>
    is_explained === false ? 0 : is_explained === null ? 1 : 2;
  return rows.toSorted(
    (a, b) =>
      rank(a) - rank(b) ||
      (a.asset_id ?? '').localeCompare(b.asset_id ?? '', 'en') ||
      b.day.localeCompare(a.day, 'en'),
  );
}

/** The page of the day and the asset; null for an asset that was not sent. */
export function dayPath({ day, asset_id: asset }: Pick<ReconciledDay, 'day' | 'asset_id'>): string | null {
  return asset ? `/reconciliation/${day}/${pathSegment(asset)}` : null;
}
