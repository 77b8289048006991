// Vaults and the whitelist over time, against what the world listed at each reading.
import { expect, test } from 'vitest';
import type { VaultRecord, WhitelistRecord } from '../../../packages/sandbox/src/world/records.ts';
import { differences, none } from '../../support/differences.ts';
import { moment } from './expected-transactions.ts';
import { type DocumentReading, type Observed, observe } from './observed.ts';
import { readView, type ViewRow } from './views.ts';
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

function vaultRows({ account, vaults }: Observed): ViewRow[] {
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

function whitelistRows({ account, whitelist }: Observed): ViewRow[] {
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

test('each state of vaults and whitelist entries stands where the world had it', async () => {
  const observed = await observe('2025-03-01T00:00:00Z', { seed: 8, transactions: 0, whitelistEntries: 9 });
  const { world } = observed.mirror.sandbox;
  const [vault, gone] = world.vaults();
  const [entry, dropped, kept] = world.whitelist();
  if (!vault || !gone || !entry || !dropped || !kept) throw new Error('the world is too small');
  await observed.readDocuments('2025-03-02T00:00:00Z');
  world.renameVault(vault.vaultId, 'Renamed | "twice"');
  world.removeVault(gone.vaultId);
  world.removeWhitelistEntry(dropped.whitelistId);
  await observed.readDocuments('2025-03-03T23:59:59.999999Z');
  await observed.readDocuments('2025-03-04T12:00:00Z');
  world.addVault({ vaultId: gone.vaultId, vaultType: gone.vaultType, name: 'Back again' });
  world.addWhitelistEntry({ whitelistId: dropped.whitelistId, assetId: dropped.assetId, name: 'Back' });
  world.alterWhitelistEntry(entry.whitelistId, { address: 'elsewhere', assetId: 'SOL', networkId: 'SOL' });
  world.addWhitelistEntry({ whitelistId: 'late', name: 'Late' });
  await observed.readDocuments('2025-03-05T00:00:00.000001Z');
  world.removeVault(vault.vaultId);
  world.removeWhitelistEntry(kept.whitelistId);
  await observed.readDocuments('2025-03-09T05:00:00Z');

  const { mirror, account } = observed;
  expect(differences((await readView(mirror, 'vaults', account)).rows, vaultRows(observed))).toEqual(none);
  const history = await readView(mirror, 'whitelist_history', account);
  expect(history.rows).toHaveLength(9 + 1 + 1 + 1 + 1 + 1);
  expect(differences(history.rows, whitelistRows(observed))).toEqual(none);
});
