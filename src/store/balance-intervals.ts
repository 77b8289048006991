// From one snapshot to the next: which balances end with it and which begin. Pure. A balance goes on while its amounts and
// names are written exactly as before; what else the record holds is kept as it was when the interval began.
import { type Balance, balanceKey } from '../domain/balance.ts';

export type BalanceValues = Omit<Balance, 'raw'>;

export interface BalanceStep {
  /** Balances that no longer show these values. */
  readonly ended: readonly BalanceValues[];
  /** Balances that show new ones. One that changed is in both. */
  readonly begun: readonly Balance[];
  /** Balances that began, changed or ended, each counted once. */
  readonly changed: number;
}

const compared = [
  'assetName',
  'networkName',
  'totalBalance',
  'availableBalance',
  'processingBalance',
  'stakingBalance',
  'claimableBalance',
] as const satisfies readonly (keyof BalanceValues)[];

/** Both hold each balance at most once. */
export function stepBalances(current: readonly BalanceValues[], observed: readonly Balance[]): BalanceStep {
  const currentByKey = new Map(current.map((balance) => [balanceKey(balance), balance]));
  const observedKeys = new Set<string>();
  const ended: BalanceValues[] = [];
  const begun: Balance[] = [];
  for (const balance of observed) {
    const key = balanceKey(balance);
    observedKeys.add(key);
    const before = currentByKey.get(key);
    if (before !== undefined && compared.every((field) => before[field] === balance[field])) continue;
    if (before !== undefined) ended.push(before);
    begun.push(balance);
  }
  const gone = current.filter((balance) => !observedKeys.has(balanceKey(balance)));
  return { ended: [...ended, ...gone], begun, changed: begun.length + gone.length };
}
