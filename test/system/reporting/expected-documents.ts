// Vaults and the whitelist over time, from what the world listed at each reading.
import type { VaultRecord, WhitelistRecord } from '../../../packages/sandbox/src/world/records.ts';
import { moment } from './expected-transactions.ts';
import type { DocumentReading, Observed } from './observed.ts';
import type { ViewRow } from './views.ts';
import type { Micros } from './zones.ts';

interface State<Document> {
  readonly document: Document;
  readonly change: 'added' | 'changed' | 'removed' | 'restored';
  readonly at: Micros;
}

/** Every state of every document, in order. */
function statesOf<Document>(
  readings: readonly DocumentReading<Document>[],
  idOf: (document: Document) => string,
): Map<string, State<Document>[]> {
  const states = new Map<string, State<Document>[]>();
  for (const { at, documents } of readings) {
    const listed = new Set(documents.map(idOf));
    for (const document of documents) {
      const own = states.get(idOf(document)) ?? [];
      states.set(idOf(document), own);
      const last = own.at(-1);
      if (last === undefined) own.push({ document, change: 'added', at });
      else if (last.change === 'removed') own.push({ document, change: 'restored', at });
      else if (JSON.stringify(last.document) !== JSON.stringify(document))
        own.push({ document, change: 'changed', at });
    }
    for (const [id, own] of states) {
      const last = own.at(-1);
      if (!listed.has(id) && last !== undefined && last.change !== 'removed')
        own.push({ document: last.document, change: 'removed', at });
    }
  }
  return states;
}

export function vaultRows({ account, vaults }: Observed): ViewRow[] {
  return [...statesOf<VaultRecord>(vaults, ({ vaultId }) => vaultId)].map(([id, states]) => {
    const [first, last] = [states[0], states.at(-1)];
    if (first === undefined || last === undefined) throw new Error('a vault without a state');
    const isListed = last.change !== 'removed';
    return {
      account_id: account,
      vault_id: id,
      name: last.document.name,
      vault_type: last.document.vaultType,
      first_seen_at: moment(first.at),
      changed_at: moment(last.at),
      revisions: String(states.length),
      is_listed: isListed,
      missing_since: isListed ? null : moment(last.at),
    };
  });
}

export function whitelistRows({ account, whitelist }: Observed): ViewRow[] {
  const readingBefore = (moment: Micros) => whitelist.findLast(({ at }) => at < moment)?.at ?? null;
  return [...statesOf<WhitelistRecord>(whitelist, ({ whitelistId }) => whitelistId)].flatMap(([id, states]) =>
    states.map(({ document, change, at }, index) => ({
      account_id: account,
      entry_id: id,
      revision: String(index + 1),
      change,
      valid_after: moment(readingBefore(at)),
      valid_from: moment(at),
      known_until: moment(
        index === states.length - 1
          ? (whitelist.at(-1)?.at ?? null)
          : readingBefore(states[index + 1]?.at ?? 0n),
      ),
      valid_to: moment(states[index + 1]?.at ?? null),
      is_listed: change !== 'removed',
      name: document.name,
      address: document.address,
      asset_id: document.assetId,
      network_id: document.networkId,
      is_older_than_mirror: index === 0 && at === whitelist[0]?.at,
      is_current: index === states.length - 1,
    })),
  );
}
