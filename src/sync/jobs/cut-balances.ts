// Detects lists of balances that end before their end. GET /balances/{vault_type} documents no paging
// (docs/custody-service.md 4.4): a service that answers every offset with one page of a longer list looks
// like one that answers everything. Only the list of all vaults can show what is missing. That list may be cut
// as well: once a day, assets that transactions name and it does not are asked for by `asset_id` (4.3).
import { type Balance, type BalanceVaultType, balanceOfKey } from '../../domain/balance.ts';
import { type Decimal, equalDecimals, isGreaterDecimal, zeroDecimal } from '../../domain/decimal.ts';
import { MirrorError } from '../../domain/errors.ts';
import { instantToIso } from '../../domain/instant.ts';
import type { ListItem, Page } from '../../domain/page.ts';
import { readTransactionValues } from '../../store/job-queries/mirrored.ts';
import { noteEvidence } from '../learned/repeated-evidence.ts';
import { fewRetries } from '../pages/page-reader.ts';
import type { OpenRun } from '../run/run-job.ts';
import { withDoubts } from '../walk/verdict.ts';
import type { CollectedList } from './collect-list.ts';
import { dayMs, unlessFailing } from './cross-examination.ts';

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

/** The assets that `/balances` keeps back, a JSON array. */
const cutFact = 'balances_cut';
const notCut = 'no';
/** When assets were last asked for, and the last of them: the next day goes on behind it. */
const examinedFact = 'balances_examined';
/** Assets that an honest list is asked about in a day, and those that a list that is cut is asked about. */
const mostADay = 20;
const mostKeptBack = 200;
const mostNamed = 10_000;

/**
 * The assets that the list of all vaults keeps back, as far as transactions name them: those found before, and
 * once a day more of those that the list lacks.
 *
 * @param readAgain reads the list once more: an asset may have arrived since
 */
export async function keptBackAssets(
  run: OpenRun,
  list: CollectedList<Balance> | null,
  readAgain: () => Promise<CollectedList<Balance>>,
): Promise<readonly string[]> {
  const { facts } = run;
  const known: readonly string[] = JSON.parse(facts.known.get(cutFact) ?? '[]');
  const [examinedAt = '', last = ''] = facts.known.get(examinedFact)?.split(' ') ?? [];
  if (list === null || Math.abs(run.run.startedAt - Date.parse(examinedAt)) < dayMs) return known;
  const examined = (asked: string, evidence: string) =>
    facts.learn({ fact: examinedFact, value: `${instantToIso(run.run.startedAt)} ${asked}`, evidence });
  const named = await namedAfter(run, last).catch(() => null);
  run.signal.throwIfAborted();
  // Of a large account, to look them up may take longer than a statement may.
  if (named === null) examined(last, 'the assets that transactions name could not be read in time');
  if (named === null || named.length === 0) return known;
  const lacking = lackingFrom(list, named).filter((asset) => !known.includes(asset));
  const { found, lastAsked } = await examine(run, lacking, known.length > 0);
  // Where the list cannot be read again, the next run examines it.
  const again = found.length === 0 ? list : await readAgain().catch(() => null);
  if (again === null) return known;
  examined(lastAsked ?? last, `${found.length} assets were shown by asset_id alone`);
  const stillLacking = lackingFrom(again, found);
  if (stillLacking.length === 0) return known;
  const keptBack = [...known, ...stillLacking];
  const evidence = `asked for by asset_id, ${keptBack.length} assets were shown that the list does not hold`;
  facts.learn({ fact: cutFact, value: JSON.stringify(keptBack), evidence });
  return keptBack;
}

/**
 * The list with what it keeps back, and the doubt that it keeps back more. The doubt ends after two runs in which
 * the list of all vaults shows some of it, and nothing else of it is held.
 */
export async function withAssets(
  run: OpenRun,
  vaultType: BalanceVaultType,
  list: CollectedList<Balance>,
  keptBack: readonly string[],
): Promise<CollectedList<Balance>> {
  if (keptBack.length === 0) return list;
  const pages: Page<Balance>[] = [];
  const lacking = lackingFrom(list, keptBack);
  for (const asset of lacking) {
    const page = await readAsset(run, vaultType, asset);
    if (page === null)
      throw new MirrorError(
        'LIST-UNSTEADY',
        `asked for the balance of ${asset}, the service answered others. Nothing was written for it; the next run tries again`,
      );
    if (page.items.length > 0) pages.push(page);
  }
  if (vaultType === 'all') {
    const evidence = 'the list shows what it kept back';
    if (pages.some(holdsSomething)) run.facts.forget(`${cutFact}:evidence`);
    else if (
      lacking.length < keptBack.length &&
      noteEvidence(run, { fact: cutFact, value: notCut, evidence })
    )
      run.facts.forget(cutFact);
  }
  const { beganAt, arrivedAt } = list.observation;
  const observation = { beganAt, arrivedAt: Math.max(arrivedAt, ...pages.map((page) => page.arrivedAt)) };
  const verdict = withDoubts(list.verdict, ['list-cut']);
  return { pages: [...list.pages, ...pages], verdict, observation };
}

/** The assets that transactions name, those behind the last one first. */
async function namedAfter({ database, lease }: OpenRun, last: string): Promise<readonly string[]> {
  const named = await readTransactionValues(database, lease.account, 'assetId', mostNamed);
  const sorted = [...named].sort();
  return [...sorted.filter((asset) => asset > last), ...sorted.filter((asset) => asset <= last)];
}

/** Asks for some of the assets; for more of them where the list is cut. Finds those that are held. */
async function examine(run: OpenRun, lacking: readonly string[], isCut: boolean) {
  const found: string[] = [];
  const most = () => (isCut || found.length > 0 ? mostKeptBack : mostADay);
  let asked = 0;
  for (const asset of lacking) {
    if (asked === most()) break;
    asked += 1;
    const page = await unlessFailing(run, { asset_id: asset }, () =>
      readAsset(run, 'all', asset, fewRetries),
    );
    // The filter is refused or ignored: it is no witness.
    if (page === null) break;
    if (page !== 'failed' && holdsSomething(page)) found.push(asset);
  }
  return { found, lastAsked: lacking[asked - 1] };
}

/** The balances of one asset; null where others are answered. */
async function readAsset(
  { client, config, signal, tally }: OpenRun,
  vaultType: BalanceVaultType,
  asset: string,
  retries = config.retries,
): Promise<Page<Balance> | null> {
  const call = { signal, priority: 'background', tally, retries } as const;
  const page = await client.balances(vaultType, { offset: 0, limit: defaultPage }, call, asset);
  if (page.items.some(({ key }) => (assetOf(key) ?? asset) !== asset)) return null;
  return page;
}

/** A list may leave out what holds nothing. */
function holdsSomething({ items }: Page<Balance>): boolean {
  return items.some((item) => {
    const total = item.kind === 'record' ? item.record.totalBalance : null;
    return total === null || !equalDecimals(total, zeroDecimal);
  });
}

const assetOf = (key: string) => balanceOfKey(key)?.assetId;

/** Those of the assets that the list does not show. */
function lackingFrom(list: CollectedList<Balance>, assets: readonly string[]): readonly string[] {
  const shown = new Set(itemsOf(list).map(({ key }) => assetOf(key)));
  return assets.filter((asset) => !shown.has(asset));
}
