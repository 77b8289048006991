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
      'Staked and claimable balances grew without a transaction. The mirror takes that for rewards of staking.',
    is_explained === true &&
      isSome(row.timing_difference) &&
      'A part of the difference is timing: a change was read with the balances before it was read with the transactions, or after. The observations around it cancel it exactly.',
    is_explained === false &&
      isSome(row.staking_losses) &&
      'Staked or claimable balances lost without a transaction. It may be a slashing, or a claim that the service shows nowhere.',
    isOff &&
      (difference.startsWith('-')
        ? 'A transaction that took it may be missing from the list of the service, or be in quarantine because it could not be read; a fee may be paid in another asset than the rules of fees say.'
        : 'A deposit or reward may be missing from the list of the service, or be in quarantine because it could not be read; a fee may be counted here that is paid in another asset.'),
    isOff &&
      'If the whole amount of one transaction is the difference, the service may have booked it twice, or not at all.',
    is_explained === null &&
      unknown(row) === undecided &&
      'It is decided as soon as later observations and a later reading of the transactions allow it.',
    !row.is_comparable &&
      'The mirror had not read all transactions before the opening observation: some may be missing here.',
  ].filter((hint) => hint !== false);
}

function lost({ unexplained_difference: difference }: ReconciledDay): string {
  if (difference === null) return 'A loss is certain, but not how much it is.';
  if (!isSome(difference)) return 'Staked balances lost without a transaction.';
  return difference.startsWith('-')
    ? 'More left the balance than transactions tell.'
    : 'More came into the balance than transactions tell.';
}

const undecided =
  'Undecided: transactions near an observation may lie on either side of it, or the transactions were not read since.';

function unknown(row: ReconciledDay): string {
  if (row.opening_observed_at === null)
    return 'Balances were not observed before this day, so there is nothing to begin with.';
  if (row.opening_balance === null || row.closing_balance === null)
    return 'One of the two balances could not be read, so it is not known.';
  if (row.inflow === null || row.outflow === null || row.fees === null)
    return 'The service told no amount for one of the transactions.';
  return undecided;
}

/** What needs a person comes first, then what is not known; assets from A to Z, their days going back. */
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

/** The page of the day and the asset; null for an asset that is not told. */
export function dayPath({ day, asset_id: asset }: Pick<ReconciledDay, 'day' | 'asset_id'>): string | null {
  return asset ? `/reconciliation/${day}/${pathSegment(asset)}` : null;
}
