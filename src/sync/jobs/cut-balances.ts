// Detects lists of balances that end before their end. GET /balances/{vault_type} documents no paging
// (docs/custody-service.md 4.4): a service that answers every offset with one page of a longer list looks
// like one that answers everything. Only the list of all vaults can show what is missing. That list may be cut
// as well: once a day, assets that transactions name and it does not are asked for by `asset_id` (4.3).
import { type Balance, type BalanceVaultType, balanceOfKey } from '../../domain/balance.ts';
import { equalDecimals, isGreaterDecimal, zeroDecimal } from '../../domain/decimal.ts';
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
import { inTurn } from './transactions-missing.ts';

/** The list of each vault type; null for one that could not be read. */
export type BalanceLists = Readonly<Record<BalanceVaultType, CollectedList<Balance> | null>>;

/** The default limit of GET /balances (docs/custody-service.md 4.3 and 8). */
export const defaultPage = 50;

/** @throws MirrorError `LIST-UNSTEADY` when the list is one page long and may lack balances */
export function refuseCutList(vaultType: BalanceVaultType, lists: BalanceLists): void {
  const { [vaultType]: own, all } = lists;
  const other = vaultType === 'warm' ? lists.cold : lists.warm;
  if (vaultType === 'all' || own === null || !isOnePage(own, all)) return;
  const why = whyCut(own, all, other);
  if (why === null) return;
  throw new MirrorError(
    'LIST-UNSTEADY',
    `the list balances/${vaultType} may have been cut: it came as one page of ${own.verdict.evidence.pageSize}, and ${why}. Nothing was written for it; the next run tries again. If it persists, ask the operator of the service how /balances/${vaultType} is paged`,
  );
}

/** Whether the list came in one unpaged answer, exactly as long as a truncated page. */
function isOnePage({ verdict }: CollectedList<Balance>, all: BalanceLists['all']): boolean {
  const isCut = all !== null && all.verdict.evidence.shortestCut > 0;
  const lengths = [defaultPage, ...(isCut ? [all.verdict.evidence.pageSize] : [])];
  return verdict.end === 'whole' && lengths.includes(verdict.evidence.pageSize);
}

/** Null where the list holds each balance of which all vaults hold more than the other vault type. */
function whyCut(
  own: CollectedList<Balance>,
  all: CollectedList<Balance> | null,
  other: CollectedList<Balance> | null,
): string | null {
  if (all === null || other === null)
    return `the balances of ${all === null ? 'all vaults' : 'the other vault type'} could not be read to rule out that balances are missing`;
  const present = new Set(itemsOf(own).map(({ key }) => key));
  const elsewhere = totalsOf(other);
  const lacking = [...totalsOf(all)].filter(([key, total]) => {
    const rest = elsewhere.has(key) ? elsewhere.get(key) : zeroDecimal;
    return !present.has(key) && total && rest && isGreaterDecimal(total, rest);
  }).length;
  if (lacking === 0) return null;
  const [assets, are] = lacking === 1 ? ['asset', 'is'] : ['assets', 'are'];
  return `${lacking} ${assets} of which /balances holds more than the other vault type ${are} missing`;
}

const itemsOf = ({ pages }: CollectedList<Balance>) => pages.flatMap(({ items }) => items);

/** Of each balance once, though pages overlap. */
const totalsOf = (list: CollectedList<Balance>) =>
  new Map(itemsOf(list).map((item) => [item.key, totalOf(item)]));

/** Null where the service sent none or the record could not be read. */
const totalOf = (item: ListItem<Balance>) => (item.kind === 'record' ? item.record.totalBalance : null);

/** The assets that `/balances` keeps back, a JSON array. */
const cutFact = 'balances_cut';
const notCut = 'no';
/** When assets were last asked for, and the last of them: the next day continues after it. */
const examinedFact = 'balances_examined';
/** How many assets a day are asked for: of an honest list, and of one that is cut. */
const mostADay = 20;
const mostKeptBack = 200;
const mostNamed = 10_000;

export interface KeptBack {
  readonly assets: readonly string[];
  /** This run asked for other assets, and none of them is kept back as well. */
  readonly isExamined: boolean;
}

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
): Promise<KeptBack> {
  const { facts } = run;
  const known: readonly string[] = JSON.parse(facts.known.get(cutFact) ?? '[]');
  const unexamined = { assets: known, isExamined: false };
  const [examinedAt = '', last = ''] = facts.known.get(examinedFact)?.split(' ') ?? [];
  if (list === null || Math.abs(run.run.startedAt - Date.parse(examinedAt)) < dayMs) return unexamined;
  const examined = (asked: string, evidence: string) =>
    facts.learn({ fact: examinedFact, value: `${instantToIso(run.run.startedAt)} ${asked}`, evidence });
  const named = await readTransactionValues(run.database, run.lease.account, 'assetId', mostNamed).then(
    (assets) => inTurn([...assets].sort(), last, mostNamed),
    () => null,
  );
  run.signal.throwIfAborted();
  // In a large account, looking them up may take longer than a statement may.
  if (named === null) examined(last, 'the assets that transactions name could not be read in time');
  if (named === null || named.length === 0) return unexamined;
  const lacking = lackingFrom(list, named).filter((asset) => !known.includes(asset));
  const { found, lastAsked } = await examine(run, lacking, known.length > 0);
  // Where the list cannot be read again, the next run examines it.
  const again = found.length === 0 ? list : await readAgain().catch(() => null);
  if (again === null) return unexamined;
  examined(lastAsked ?? last, `${found.length} assets were shown by asset_id alone`);
  const stillLacking = lackingFrom(again, found);
  if (stillLacking.length === 0) return { assets: known, isExamined: true };
  const assets = [...known, ...stillLacking];
  const evidence = `asked for by asset_id, ${assets.length} assets were shown that the list does not hold`;
  facts.learn({ fact: cutFact, value: JSON.stringify(assets), evidence });
  return { assets, isExamined: false };
}

/**
 * The list with what it keeps back, and the doubt that it keeps back more. The doubt ends after two runs that
 * find nothing kept back: the list of all vaults shows some of it, or other assets were examined as well.
 */
export async function withAssets(
  run: OpenRun,
  vaultType: BalanceVaultType,
  list: CollectedList<Balance>,
  { assets, isExamined }: KeptBack,
): Promise<CollectedList<Balance>> {
  if (assets.length === 0) return list;
  const pages: Page<Balance>[] = [];
  const lacking = lackingFrom(list, assets);
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
    const isShown = lacking.length < assets.length;
    const evidence = isShown ? 'the list shows what it kept back' : 'nothing that it kept back is held';
    if (pages.some(holdsSomething)) run.facts.forget(`${cutFact}:evidence`);
    else if ((isShown || isExamined) && noteEvidence(run, { fact: cutFact, value: notCut, evidence }))
      run.facts.forget(cutFact);
  }
  const { beganAt, arrivedAt } = list.observation;
  return {
    pages: [...list.pages, ...pages],
    verdict: withDoubts(list.verdict, ['list-cut']),
    observation: { beganAt, arrivedAt: Math.max(arrivedAt, ...pages.map((page) => page.arrivedAt)) },
  };
}

/** Asks for some of the assets; for more of them where the list is cut. Finds those that are held. */
async function examine(run: OpenRun, lacking: readonly string[], isCut: boolean) {
  const found: string[] = [];
  let lastAsked: string | undefined;
  for (const [asked, asset] of lacking.entries()) {
    if (asked === (isCut || found.length > 0 ? mostKeptBack : mostADay)) break;
    lastAsked = asset;
    const page = await unlessFailing(run, { asset_id: asset }, () =>
      readAsset(run, 'all', asset, fewRetries),
    );
    // The filter is refused or ignored: it is not a witness.
    if (page === null) break;
    if (page !== 'failed' && holdsSomething(page)) found.push(asset);
  }
  return { found, lastAsked };
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
  return page.items.every(({ key }) => (assetOf(key) ?? asset) === asset) ? page : null;
}

/** A list may leave out assets that hold nothing. */
function holdsSomething({ items }: Page<Balance>): boolean {
  return items.map(totalOf).some((total) => total === null || !equalDecimals(total, zeroDecimal));
}

const assetOf = (key: string) => balanceOfKey(key)?.assetId;

/** The assets that the list does not show. */
function lackingFrom(list: CollectedList<Balance>, assets: readonly string[]): readonly string[] {
  const shown = new Set(itemsOf(list).map(({ key }) => assetOf(key)));
  return assets.filter((asset) => !shown.has(asset));
}
