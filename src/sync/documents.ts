// Vaults and whitelist entries (interface.md 4.5 to 4.7): whole lists of documents whose bodies are not shown. A vault
// is read by its id as well where that tells more, and is held to be gone only when its id says so too (VAL-02).

import { type Vault, vaultTypes, type WhitelistEntry } from '../domain/document.ts';
import type { DoubtCode } from '../domain/doubts.ts';
import type { DecodedItem, ListItem } from '../domain/page.ts';
import { commitVaults, commitWhitelist, type DocumentCommit } from '../store/documents.ts';
import { countVaults, countWhitelist, presentEntryIds, presentVaultIds } from '../store/mirrored.ts';
import { allTogether } from './all-together.ts';
import { type CollectedList, collectList, type ListSource } from './collect.ts';
import type { JobContext } from './context.ts';
import { type JobOutcome, type OpenRun, runJob } from './job.ts';
import { combineVerdicts, type Verdict, withDoubts } from './walk/verdict.ts';

/** interface.md shows no limit for these lists; it is used only once a service turns out to page them. */
const pageLimit = 200;

export function mirrorWhitelist(context: JobContext): Promise<JobOutcome> {
  return runJob(context, { job: 'whitelist', mode: 'full' }, async (run) => {
    const { client, clock, database, lease, tally } = run;
    const source: ListSource<WhitelistEntry> = {
      name: 'whitelist',
      read: (request, signal) => client.whitelist(request, { signal, priority: 'normal', tally }),
      pagingDocumented: false,
      limit: pageLimit,
      mirrored: await countWhitelist(database, lease.account),
    };
    const lists = [await collectList(run, source)];
    // No entry can be asked for by its id: one that is missing is looked for a second time before it is held to be gone.
    if (await leavesOut(run, lists)) lists.push(await collectList(run, { ...source, probeAnew: true }));
    const verdict = combineVerdicts(lists.map((list) => list.verdict));
    const items = latestItems(lists.flatMap((list) => list.pages.map((page) => page.items)));
    countDocuments(
      run,
      items.length,
      await commitWhitelist(database, lease, run.run, {
        items,
        observation: { beganAt: earliest(lists), arrivedAt: clock.now() },
        listIsComplete: verdict.verified,
        tally,
      }),
    );
    return verdict;
  });
}

export function mirrorVaults(context: JobContext): Promise<JobOutcome> {
  return runJob(context, { job: 'vaults', mode: 'full' }, async (run) => {
    const { client, clock, database, lease, tally } = run;
    const lists = await allTogether(
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
    const listed = latestItems(lists.flatMap((list) => list.pages.map((page) => page.items)));
    const full = await withFullerBodies(run, listed);
    const verdict = withDoubts(combineVerdicts(lists.map((list) => list.verdict)), full.doubts);
    const items = [...full.items, ...(await stillThere(run, listed, verdict))];
    countDocuments(
      run,
      items.length,
      await commitVaults(database, lease, run.run, {
        items,
        observation: { beganAt: earliest(lists), arrivedAt: clock.now() },
        listIsComplete: verdict.verified,
        tally,
      }),
    );
    return verdict;
  });
}

async function leavesOut(run: OpenRun, lists: readonly CollectedList<WhitelistEntry>[]): Promise<boolean> {
  const listed = new Set(
    lists.flatMap((list) => list.pages.flatMap((page) => page.items.map((item) => item.key))),
  );
  return (await presentEntryIds(run.database, run.lease.account)).some((id) => !listed.has(id));
}

function earliest(lists: readonly CollectedList<unknown>[]): number {
  return Math.min(...lists.map((list) => list.observation.beganAt));
}

const thinnerFact = 'vault_list_is_thinner';
/**
 * Replaces the records of the list by what their ids tell, when a first comparison shows that it is more. Where the id of
 * one is answered as unknown (VAL-02), what is mirrored of it stays: the list alone would take away what was known.
 */
async function withFullerBodies(
  run: OpenRun,
  items: readonly ListItem<Vault>[],
): Promise<{ readonly items: readonly ListItem<Vault>[]; readonly doubts: readonly DoubtCode[] }> {
  const sample = items.find((item) => item.kind === 'record');
  if (sample?.kind !== 'record') return { items, doubts: [] };
  const first = await readVault(run, sample.record.vaultId);
  if (first !== null && tellsMore(first.record, sample.record))
    run.facts.learn({
      fact: thinnerFact,
      value: 'yes',
      evidence: `a vault read by its id has ${first.record.fields.length} fields, ${sample.record.fields.length} in the list`,
    });
  else if (first !== null || run.facts.known.get(thinnerFact) !== 'yes') return { items, doubts: [] };
  const fuller = await allTogether(
    items.map(async (item) => {
      if (item.kind !== 'record') return item;
      const full = item === sample ? first : await readVault(run, item.record.vaultId);
      return full === null ? null : merged(full, item);
    }),
  );
  if (fuller.every((item) => item !== null)) return { items: fuller, doubts: [] };
  const known = new Set(await presentVaultIds(run.database, run.lease.account));
  return {
    items: items.flatMap((item, index) => fuller[index] ?? (known.has(item.key) ? [] : [item])),
    doubts: ['details-denied'],
  };
}

function tellsMore(full: Vault, listed: Vault): boolean {
  return full.fields.some((field) => !listed.fields.includes(field));
}

/** The vault as its id tells it; the list knows its type where the body does not. */
function merged(full: DecodedItem<Vault>, listed: DecodedItem<Vault>): DecodedItem<Vault> {
  const { vaultId, vaultType, name } = listed.record;
  return {
    ...full,
    key: listed.key,
    record: {
      ...full.record,
      vaultId,
      vaultType: full.record.vaultType ?? vaultType,
      name: full.record.name ?? name,
    },
  };
}

/** Vaults that are mirrored, missing from a complete list, and answered all the same when asked for by their id. */
async function stillThere(
  run: OpenRun,
  items: readonly ListItem<Vault>[],
  verdict: Verdict,
): Promise<readonly ListItem<Vault>[]> {
  if (!verdict.verified) return [];
  const listed = new Set(items.map((item) => item.key));
  const absent = (await presentVaultIds(run.database, run.lease.account)).filter((id) => !listed.has(id));
  const found = await allTogether(absent.map((id) => readVault(run, id)));
  return found.filter((item) => item !== null);
}

async function readVault(run: OpenRun, id: string): Promise<DecodedItem<Vault> | null> {
  const { client, signal, tally } = run;
  const page = await client.vault(id, { signal, priority: 'normal', tally });
  const [item] = page.items;
  return item?.kind === 'record' ? item : null;
}

/** One item for each key, the one that was read last. */
function latestItems<Record_>(
  pages: readonly (readonly ListItem<Record_>[])[],
): readonly ListItem<Record_>[] {
  return [...new Map(pages.flat().map((item) => [item.key, item])).values()];
}

function countDocuments(run: OpenRun, read: number, written: DocumentCommit): void {
  const changed = written.changed + written.removed + written.restored;
  run.count({
    inserted: written.added,
    changed,
    unchanged: Math.max(0, read - written.added - written.changed - written.restored - written.quarantined),
    quarantined: written.quarantined,
  });
}
