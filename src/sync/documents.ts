// Vaults and whitelist entries (interface.md 4.5 to 4.7): whole lists of documents whose bodies are not shown. A vault
// is read by its id as well where that tells more, and is held to be gone only when its id says so too (VAL-02).
import { type Vault, vaultTypes, type WhitelistEntry } from '../domain/document.ts';
import type { DecodedItem, ListItem } from '../domain/page.ts';
import { commitVaults, commitWhitelist, type DocumentCommit } from '../store/documents.ts';
import { countVaults, countWhitelist, presentVaultIds } from '../store/mirrored.ts';
import { allTogether } from './all-together.ts';
import { type CollectedList, collectList } from './collect.ts';
import type { JobContext } from './context.ts';
import { type JobOutcome, type OpenRun, runJob } from './job.ts';
import { combineVerdicts, type Verdict } from './verdict.ts';

/** interface.md shows no limit for these lists; it is used only once a service turns out to page them. */
const pageLimit = 200;

export function mirrorWhitelist(context: JobContext): Promise<JobOutcome> {
  return runJob(context, { job: 'whitelist', mode: 'full' }, async (run) => {
    const { client, database, lease, tally } = run;
    const list = await collectList<WhitelistEntry>(run, {
      name: 'whitelist',
      read: (request, signal) => client.whitelist(request, { signal, priority: 'normal', tally }),
      pagingDocumented: false,
      limit: pageLimit,
      mirrored: await countWhitelist(database, lease.account),
    });
    const items = latestItems(list.pages.map((page) => page.items));
    countDocuments(
      run,
      items.length,
      await commitWhitelist(database, lease, run.run, {
        items,
        observation: list.observation,
        listIsComplete: list.verdict.verified,
        tally,
      }),
    );
    return list.verdict;
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
    const verdict = combineVerdicts(lists.map((list) => list.verdict));
    const listed = latestItems(lists.flatMap((list) => list.pages.map((page) => page.items)));
    const items = [...(await withFullerBodies(run, listed)), ...(await stillThere(run, listed, verdict))];
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

function earliest(lists: readonly CollectedList<unknown>[]): number {
  return Math.min(...lists.map((list) => list.observation.beganAt));
}

/** Replaces the records of the list by what their ids tell, when a first comparison shows that it is more. */
async function withFullerBodies(
  run: OpenRun,
  items: readonly ListItem<Vault>[],
): Promise<readonly ListItem<Vault>[]> {
  const sample = items.find((item) => item.kind === 'record');
  if (sample?.kind !== 'record') return items;
  const full = await readVault(run, sample.record.vaultId);
  if (full === null || !tellsMore(full.record, sample.record)) return items;
  run.facts.learn({
    fact: 'vault_list_is_thinner',
    value: 'yes',
    evidence: `a vault read by its id has ${full.record.fields.length} fields, ${sample.record.fields.length} in the list`,
  });
  return allTogether(
    items.map(async (item) => (item === sample ? merged(full, sample) : await fuller(run, item))),
  );
}

async function fuller(run: OpenRun, item: ListItem<Vault>): Promise<ListItem<Vault>> {
  if (item.kind !== 'record') return item;
  const full = await readVault(run, item.record.vaultId);
  return full === null ? item : merged(full, item);
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
