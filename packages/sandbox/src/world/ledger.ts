// The rules by which transactions change balances; they are stated here only. Amounts are units of 10^-18,
// and a fee is paid in the asset of its transaction (an empty fee is 0). A is the amount, F the fee.
//
//   type         vault         open (see below)            completed                     failed
//   deposit      destination   processing +A (not pending) available +A                  nothing
//   withdraw     source        available -A-F,             available -A-F                available -F
//                              processing +A+F
//   rebalance    source, then  as withdraw, at the source  source available -A-F,        source available -F
//                destination                               destination available +A
//   stake        source        as withdraw                 available -A-F, staking +A    available -F
//   unstake      source        staking -A, processing +A   staking -A, claimable +A-F    nothing
//   claim        destination   claimable -A, processing +A claimable -A, available +A-F  nothing
//   change pool  source        staking -A, processing +A   staking -F                    nothing
//
// Open is pending, processing or confirming; a pending deposit counts nowhere yet. Nothing moves for rejected
// and cancelled transactions, unknown types and statuses, and amounts that are not decimals of at most 18
// places. Invariant: total = available + processing + staking + claimable, `all` = warm + cold, and the total
// of an asset changes only by deposits, withdrawals and fees.
import { parseUnits } from '../values/decimal.ts';
import type { Bucket, VaultType } from './records.ts';
import { isOpen } from './records.ts';

/** The part of a transaction that the rules depend on. A side that is not a vault is undefined. */
export interface LedgerEntry {
  readonly transactionType: string;
  readonly status: string;
  readonly amount: bigint;
  readonly fee: bigint;
  readonly source: VaultType | undefined;
  readonly destination: VaultType | undefined;
}

/** Receives a change of one part of the balance of a vault type. */
type Post = (vaultType: VaultType, bucket: Bucket, delta: bigint) => void;

/** The vault types whose balances list a transaction, in any status. */
export function ledgerSides(entry: Omit<LedgerEntry, 'amount' | 'fee' | 'status'>): VaultType[] {
  const { transactionType, source, destination } = entry;
  const sides: (VaultType | undefined)[] = [];
  if (transactionType === 'deposit' || transactionType === 'claim') sides.push(destination);
  else if (transactionType === 'rebalance')
    sides.push(source, destination === source ? undefined : destination);
  else sides.push(source);
  return sides.filter((side) => side !== undefined);
}

/** Applies the rules above to one transaction. */
export function postTransaction(entry: LedgerEntry, post: Post): void {
  const { transactionType, source, destination } = entry;
  switch (transactionType) {
    case 'deposit':
      if (destination !== undefined) postDeposit(entry, destination, post);
      return;
    case 'withdraw':
    case 'rebalance':
    case 'stake':
      if (source !== undefined) postSpend(entry, source, post);
      return;
    case 'unstake':
    case 'change pool':
      if (source !== undefined) postStaked(entry, source, post);
      return;
    case 'claim':
      if (destination !== undefined) postClaim(entry, destination, post);
      return;
    default:
  }
}

function postDeposit({ status, amount }: LedgerEntry, vault: VaultType, post: Post): void {
  if (status === 'processing' || status === 'confirming') post(vault, 'processing', amount);
  else if (status === 'completed') post(vault, 'available', amount);
}

function postSpend(entry: LedgerEntry, vault: VaultType, post: Post): void {
  const { transactionType, status, amount, fee, destination } = entry;
  if (isOpen(status)) {
    post(vault, 'available', -(amount + fee));
    post(vault, 'processing', amount + fee);
  } else if (status === 'completed') {
    post(vault, 'available', -(amount + fee));
    if (transactionType === 'stake') post(vault, 'staking', amount);
    if (transactionType === 'rebalance' && destination !== undefined) post(destination, 'available', amount);
  } else if (status === 'failed') {
    post(vault, 'available', -fee);
  }
}

function postStaked(
  { transactionType, status, amount, fee }: LedgerEntry,
  vault: VaultType,
  post: Post,
): void {
  if (isOpen(status)) {
    post(vault, 'staking', -amount);
    post(vault, 'processing', amount);
  } else if (status === 'completed' && transactionType === 'unstake') {
    post(vault, 'staking', -amount);
    post(vault, 'claimable', amount - fee);
  } else if (status === 'completed') {
    post(vault, 'staking', -fee);
  }
}

function postClaim({ status, amount, fee }: LedgerEntry, vault: VaultType, post: Post): void {
  if (isOpen(status)) {
    post(vault, 'claimable', -amount);
    post(vault, 'processing', amount);
  } else if (status === 'completed') {
    post(vault, 'claimable', -amount);
    post(vault, 'available', amount - fee);
  }
}

/** The amount and fee of a record as units; undefined when one of them cannot be parsed. */
export function ledgerAmounts(amount: string, fee: string): { amount: bigint; fee: bigint } | undefined {
  const units = parseUnits(amount);
  const feeUnits = fee === '' ? 0n : parseUnits(fee);
  if (units === undefined || feeUnits === undefined) return undefined;
  return { amount: units, fee: feeUnits };
}
