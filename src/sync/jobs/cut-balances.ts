// Detects a truncated list of one vault type. GET /balances/{vault_type} documents no paging
// (docs/custody-service.md 4.4): a service that answers every offset with one page of a longer list looks
// like one that answers everything. Only the list of all vaults can show what is missing.
import type { Balance, BalanceVaultType } from '../../domain/balance.ts';
import { type Decimal, isGreaterDecimal, zeroDecimal } from '../../domain/decimal.ts';
import { MirrorError } from '../../domain/errors.ts';
import type { ListItem } from '../../domain/page.ts';
import type { CollectedList } from './collect-list.ts';

/** The list of each vault type; null for one that could not be read. */
export type BalanceLists = Readonly<Record<BalanceVaultType, CollectedList<Balance> | null>>;

/** The default limit of GET /balances (docs/custody-service.md 4.3 and 8). */
export const defaultPage = 50;

/** @throws MirrorError `LIST-UNSTEADY` when the list is one page long and may lack balances */
export function refuseCutList(vaultType: BalanceVaultType, lists: BalanceLists): void {
  const own = lists[vaultType];
  if (vaultType === 'all' || own === null || !isOnePage(own, lists.all)) return;
  const other = vaultType === 'warm' ? lists.cold : lists.warm;
  const unknown = lists.all === null ? 'all vaults' : other === null ? 'the other vault type' : null;
  const lacking =
    lists.all === null || other === null ? 0 : lackingIn(itemsOf(own), totalsOf(lists.all), totalsOf(other));
  if (unknown === null && lacking === 0) return;
  const why =
    unknown === null
      ? `${lacking} ${lacking === 1 ? 'asset' : 'assets'} of which /balances holds more than the other vault type ${lacking === 1 ? 'is' : 'are'} missing`
      : `the balances of ${unknown} could not be read to rule out that balances are missing`;
  throw new MirrorError(
    'LIST-UNSTEADY',
    `the list balances/${vaultType} may have been cut: it came as one page of ${own.verdict.evidence.pageSize}, and ${why}. Nothing was written for it; the next run tries again. If it persists, ask the operator of the service how /balances/${vaultType} is paged`,
  );
}

/** Whether the list came in one unpaged answer, exactly as long as a truncated page. */
function isOnePage({ verdict }: CollectedList<Balance>, all: BalanceLists['all']): boolean {
  const { pageSize } = verdict.evidence;
  const isCut = all !== null && all.verdict.evidence.shortestCut > 0;
  return (
    verdict.end === 'whole' &&
    (pageSize === defaultPage || (isCut && pageSize === all.verdict.evidence.pageSize))
  );
}

/** How many balances the list lacks although all vaults together hold more than the other vault type. */
function lackingIn(
  own: readonly ListItem<Balance>[],
  all: ReadonlyMap<string, Decimal | null>,
  other: ReadonlyMap<string, Decimal | null>,
): number {
  const present = new Set(own.map((item) => item.key));
  return [...all].filter(([key, total]) => {
    const elsewhere = other.has(key) ? (other.get(key) ?? null) : zeroDecimal;
    return !present.has(key) && total !== null && elsewhere !== null && isGreaterDecimal(total, elsewhere);
  }).length;
}

function itemsOf({ pages }: CollectedList<Balance>): readonly ListItem<Balance>[] {
  return pages.flatMap((page) => page.items);
}

/** The total of each balance; null where the service sent none or the record could not be read. */
function totalsOf(list: CollectedList<Balance>): Map<string, Decimal | null> {
  return new Map(
    itemsOf(list).map((item) => [item.key, item.kind === 'record' ? item.record.totalBalance : null]),
  );
}
