// What the reconciliation of a day and an asset says, in words.
import type { Tone } from '../../../status/words.ts';
import type { ReconciledDay } from '../page/api.ts';
import { isSome } from '../view/numbers.ts';

export interface Explanation {
  /** In one or two words. */
  readonly word: string;
  readonly tone: Tone;
  /** What the figures say. */
  readonly why: string;
  /** What it may be, and what else to know. */
  readonly hints: readonly string[];
}

export function explanationOf(row: ReconciledDay): Explanation {
  if (row.is_explained === true) return { word: 'explained', tone: 'good', ...explained(row) };
  if (row.is_explained === false) return { word: 'not explained', tone: 'bad', ...unexplained(row) };
  return { word: 'not known', tone: 'note', ...unknown(row) };
}

function explained(row: ReconciledDay): Pick<Explanation, 'why' | 'hints'> {
  const hints = [];
  if (isSome(row.staking_rewards))
    hints.push(
      'Staked and claimable balances grew without a transaction. The mirror takes that for rewards of staking.',
    );
  if (isSome(row.timing_difference))
    hints.push(
      'A part of the difference is timing: a change was read with the balances before it was read with the transactions, or after. The observations around it cancel it exactly.',
    );
  return { why: 'Transactions explain the balance to the last digit.', hints: [...hints, ...always(row)] };
}

function unexplained(row: ReconciledDay): Pick<Explanation, 'why' | 'hints'> {
  const { unexplained_difference: difference } = row;
  const hints = [];
  if (isSome(row.staking_losses))
    hints.push(
      'Staked or claimable balances lost without a transaction. It may be a slashing, or a claim that the service shows nowhere.',
    );
  if (difference !== null && isSome(difference))
    hints.push(
      difference.startsWith('-')
        ? 'A transaction that took it may be missing from the list of the service, or be in quarantine because it could not be read; a fee may be paid in another asset than the rules of fees say.'
        : 'A deposit or reward may be missing from the list of the service, or be in quarantine because it could not be read; a fee may be counted here that is paid in another asset.',
      'If the whole amount of one transaction is the difference, the service may have booked it twice, or not at all.',
    );
  return { why: lost(difference), hints: [...hints, ...always(row)] };
}

function lost(difference: string | null): string {
  if (difference === null) return 'A loss is certain, but not how much it is.';
  if (!isSome(difference)) return 'Staked balances lost without a transaction.';
  return difference.startsWith('-')
    ? 'More left the balance than transactions tell.'
    : 'More came into the balance than transactions tell.';
}

function unknown(row: ReconciledDay): Pick<Explanation, 'why' | 'hints'> {
  const hints = always(row);
  if (row.opening_observed_at === null)
    return { why: 'Balances were not observed before this day, so there is nothing to begin with.', hints };
  if (row.opening_balance === null || row.closing_balance === null)
    return { why: 'One of the two balances could not be read, so it is not known.', hints };
  if (row.inflow === null || row.outflow === null || row.fees === null)
    return { why: 'The service told no amount for one of the transactions.', hints };
  return {
    why: 'Undecided: transactions near an observation may lie on either side of it, or the transactions were not read since.',
    hints: [
      'It is decided as soon as later observations and a later reading of the transactions allow it.',
      ...hints,
    ],
  };
}

function always({ is_comparable }: ReconciledDay): readonly string[] {
  return is_comparable
    ? []
    : ['The mirror had not read all transactions before the opening observation: some may be missing here.'];
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
  return asset ? `/reconciliation/${day}/${encodeURIComponent(asset)}` : null;
}
