// Mirrors the lists of vaults and of whitelist entries (docs/custody-service.md 4.5 to 4.7), whose bodies are
// not documented. A vault is also read by its id if that shows more, and counts as gone only when its id is
// answered with VAL-02.
import { allSettled } from '../../base/waiting.ts';
import { digestOfStored, mergeVault } from '../../custody/decode/stored.ts';
import type { Vault, WhitelistEntry } from '../../domain/document.ts';
import type { DoubtCode } from '../../domain/doubts.ts';
import { vaultTypes } from '../../domain/fields.ts';
import type { DecodedItem, ListItem } from '../../domain/page.ts';
import {
  commitVaults,
  commitWhitelist,
  type DocumentCommit,
  type DocumentListing,
} from '../../store/commit/documents/commit-documents.ts';
import { countVaults, presentEntryIds, readPresentVaults } from '../../store/job-queries/mirrored.ts';
import { noteEvidence } from '../learned/repeated-evidence.ts';
import type { JobContext } from '../run/context.ts';
import { type JobOutcome, type OpenRun, runJob } from '../run/run-job.ts';
import { combineVerdicts, type Verdict, withDoubts } from '../walk/verdict.ts';
import { type CollectedList, collectList, createRoom, type ListSource } from './collect-list.ts';

/** No limit is documented for these lists: it is only sent if the service pages them. */
const pageLimit = 200;

export function mirrorWhitelist(context: JobContext): Promise<JobOutcome> {
  return runJob(context, { job: 'whitelist', mode: 'full' }, async (run) => {
    const { client, database, lease, tally } = run;
    const mirrored = await presentEntryIds(database, lease.account);
    const source: ListSource<WhitelistEntry> = {
      name: 'whitelist',
      read: (request, signal) => client.whitelist(request, { signal, priority: 'normal', tally }),
      pagingDocumented: false,
      limit: pageLimit,
      mirrored: mirrored.length,
    };
    const lists = [await collectList(run, source)];
    // An entry cannot be read by its id. Before a missing one counts as gone, the list is read a second time.
    if (leavesOut(lists, mirrored)) lists.push(await collectList(run, { ...source, probeAnew: true }));
    const { items, doubts } = latestItems(lists.flatMap((list) => list.pages.map((page) => page.items)));
    const verdict = withDoubts(combineVerdicts(lists.map((list) => list.verdict)), doubts);
    await commitItems(run, { lists, items, verdict }, (listing) =>
      commitWhitelist(database, lease, run.run, listing),
    );
    return verdict;
  });
}

export function mirrorVaults(context: JobContext): Promise<JobOutcome> {
  return runJob(context, { job: 'vaults', mode: 'full' }, async (run) => {
    const { client, database, lease, tally } = run;
    const lists = await allSettled(
      vaultTypes.map(async (vaultType) =>
        collectList<Vault>(run, {
          name: `vaults/${vaultType}`,
          read: (request, signal) => client.vaults(vaultType, request, { signal, priority: 'normal', tally }),
          pagingDocumented: false,
          limit: pageLimit,
          mirrored: await countVaults(database, lease.account, vaultType),
        }),
      ),
    );
    const pages = lists.map((list) => list.pages.map((page) => page.items));
    const latest = latestItems(pages.flat());
    const listed = withoutDisputedTypes(pages, latest.items);
    const readById = createVaultReader(run);
    const full = await withFullerBodies(run, listed, readById);
    const doubts = [...latest.doubts, ...full.doubts];
    const verdict = withDoubts(combineVerdicts(lists.map((list) => list.verdict)), doubts);
    const items = [...full.items, ...(await stillThere(run, listed, verdict, readById))];
    await commitItems(run, { lists, items, verdict }, (listing) =>
      commitVaults(database, lease, run.run, listing),
    );
    return verdict;
  });
}

/**
 * A vault without a type takes that of its list. If it is in both lists, the filter was ignored: it has none.
 */
function withoutDisputedTypes(
  lists: readonly (readonly (readonly ListItem<Vault>[])[])[],
  latest: readonly ListItem<Vault>[],
): readonly ListItem<Vault>[] {
  const typeOf = new Map<string, string | null>();
  for (const item of lists.flat(2)) {
    if (item.kind !== 'record') continue;
    const { vaultType } = item.record;
    const before = typeOf.get(item.key);
    typeOf.set(item.key, before === undefined || before === vaultType ? vaultType : null);
  }
  return latest.map((item) =>
    item.kind === 'record'
      ? { ...item, record: { ...item.record, vaultType: typeOf.get(item.key) ?? null } }
      : item,
  );
}

/** Whether the list lacks one of the entries. */
function leavesOut(lists: readonly CollectedList<WhitelistEntry>[], entryIds: readonly string[]): boolean {
  const listed = new Set(
    lists.flatMap((list) => list.pages.flatMap((page) => page.items.map((item) => item.key))),
  );
  return entryIds.some((id) => !listed.has(id));
}

const thinnerFact = 'vault_list_is_thinner';

/**
 * The records of the list, completed by the answers to their ids. Every vault is read by its id until several
 * runs find that the list shows as much; from then on each run reads one in turn, and all if it shows more.
 */
async function withFullerBodies(
  run: OpenRun,
  items: readonly ListItem<Vault>[],
  readById: VaultReader,
): Promise<{ readonly items: readonly ListItem<Vault>[]; readonly doubts: readonly DoubtCode[] }> {
  const records = items.filter((item) => item.kind === 'record');
  const isThin = () => run.facts.known.get(thinnerFact) !== 'no';
  const turn = Number(BigInt(run.run.runId) % BigInt(Math.max(1, records.length)));
  const fuller = new Map<string, DecodedItem<Vault> | null>();
  const ask = async (some: readonly DecodedItem<Vault>[]) => {
    const asked = some.filter((item) => !fuller.has(item.key));
    const bodies = await allSettled(asked.map((item) => readById(item.record.vaultId)));
    for (const [index, item] of asked.entries()) {
      const body = bodies[index] ?? null;
      fuller.set(item.key, body?.kind === 'record' ? mergeVault(item.record, body) : null);
    }
    return records.filter((item) => (fuller.get(item.key)?.hash ?? item.hash) !== item.hash).length;
  };
  let thinner = await ask(isThin() ? records : records.slice(turn, turn + 1));
  if (thinner > 0 && !isThin()) thinner = await ask(records);
  learnThinness(run, thinner, fuller);
  if (run.facts.known.get(thinnerFact) !== 'yes') return { items, doubts: [] };
  const denied = records.filter((item) => fuller.get(item.key) === null);
  // The list alone would delete what is known about a vault from its id.
  const mirrored = denied.length === 0 ? [] : await readPresentVaults(run.database, run.lease.account);
  const known = new Set(mirrored.map(({ vaultId }) => vaultId));
  return {
    items: items.flatMap((item) => {
      const body = fuller.get(item.key);
      return body ?? (body === null && known.has(item.key) ? [] : item);
    }),
    doubts: denied.length === 0 ? [] : ['details-denied'],
  };
}

/** That ids show more is accepted at once, because it deletes nothing. The opposite needs several runs. */
function learnThinness(
  run: OpenRun,
  thinner: number,
  bodies: ReadonlyMap<string, DecodedItem<Vault> | null>,
): void {
  const answered = [...bodies.values()].filter((body) => body !== null).length;
  const evidence = `${thinner} of ${answered} vaults showed more when read by id than in the list`;
  if (answered > 0) noteEvidence(run, { fact: thinnerFact, value: thinner > 0 ? 'yes' : 'no', evidence });
}

/**
 * Mirrored vaults that a complete list lacks and whose ids are answered: they keep what the list gave, or all
 * that is known where the answer cannot be decoded.
 */
async function stillThere(
  run: OpenRun,
  items: readonly ListItem<Vault>[],
  verdict: Verdict,
  readById: VaultReader,
): Promise<readonly ListItem<Vault>[]> {
  if (!verdict.verified) return [];
  const listed = new Set(items.map((item) => item.key));
  const absent = (await readPresentVaults(run.database, run.lease.account)).filter(
    ({ vaultId }) => !listed.has(vaultId),
  );
  const found = await allSettled(
    absent.map(async (vault) => {
      const body = await readById(vault.vaultId);
      return body?.kind === 'record' ? mergeVault(vault, body) : body;
    }),
  );
  return found.filter((item) => item !== null);
}

/**
 * The answer to the id; null when the service does not know it. An answer without that vault (the service may
 * ignore the id) counts as undecodable.
 */
type VaultReader = (id: string) => Promise<ListItem<Vault> | null>;

function createVaultReader({ client, signal, tally }: OpenRun): VaultReader {
  const takeRoom = createRoom('the vaults, read by their ids,');
  return async (id) => {
    const { items } = await client.vault(id, { signal, priority: 'normal', tally });
    const item = items.find(({ key }) => key === id) ?? items[0];
    if (item !== undefined) takeRoom([item]);
    if (item === undefined || item.key === id) return item ?? null;
    if (item.kind === 'undecodable') return { ...item, key: id };
    const reason = `the id was answered with the vault ${item.key}`;
    return { kind: 'undecodable', key: id, hash: item.hash, reason, raw: item.record.document };
  };
}

/**
 * The items of each key as the page that was read last shows it; that may hold an identifier twice. An earlier
 * page with other contents leaves a doubt: the record changed meanwhile, or two records have one identifier.
 */
function latestItems<Record_>(pages: readonly (readonly ListItem<Record_>[])[]) {
  const lastPage = new Map(pages.flatMap((items) => items.map((item) => [item.key, items] as const)));
  const differs = ({ key, hash }: ListItem<Record_>) =>
    !lastPage.get(key)?.some((last) => last.key === key && last.hash === hash);
  const doubts: readonly DoubtCode[] = pages.flat().some(differs) ? ['contents-differ'] : [];
  return { items: pages.flatMap((items) => items.filter(({ key }) => lastPage.get(key) === items)), doubts };
}

interface Collected<Document> {
  readonly lists: readonly CollectedList<Document>[];
  readonly items: readonly ListItem<Document>[];
  readonly verdict: Verdict;
}

/** Commits the items, and counts and logs the result. */
async function commitItems<Document>(
  run: OpenRun,
  { lists, items, verdict }: Collected<Document>,
  commit: (listing: DocumentListing<Document>) => Promise<DocumentCommit>,
): Promise<void> {
  const beganAt = Math.min(...lists.map(({ observation }) => observation.beganAt));
  const written = await commit({
    items,
    observation: { beganAt, arrivedAt: run.clock.now() },
    listIsComplete: verdict.verified,
    tally: run.tally,
    digestOf: digestOfStored,
  });
  const { added, changed, removed, restored, quarantined, stale } = written;
  run.count({
    inserted: added,
    changed: changed + removed + restored,
    unchanged: Math.max(0, items.length - added - changed - restored - quarantined - stale),
    stale,
    quarantined,
  });
}
