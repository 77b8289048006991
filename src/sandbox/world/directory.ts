/**
 * The vaults and whitelist entries of a world: made from the seed, added, renamed and removed later. Invariant: each
 * entry that is listed has a current party, which new transactions use.
 */

import type { Random } from '../numbers/random.ts';
import { hexDigits } from '../numbers/random.ts';
import type { Asset } from './catalogue.ts';
import { ASSETS, NETWORKS } from './catalogue.ts';
import type { Parties, Party } from './parties.ts';
import type { VaultRecord, VaultType, WhitelistRecord } from './records.ts';
import { VAULT_TYPES } from './records.ts';

interface VaultEntry {
  record: VaultRecord;
  party: Party;
}

interface WhitelistEntry {
  record: WhitelistRecord;
  party: Party;
}

/** A vault to be added; what is left out is invented. */
export interface NewVault {
  readonly vaultId?: string;
  readonly vaultType: VaultType;
  readonly name?: string;
}

/** A whitelist entry to be added; what is left out is invented. */
export interface NewWhitelistEntry {
  readonly whitelistId?: string;
  readonly name?: string;
  readonly assetId?: string;
}

export class Directory {
  readonly #seed: number;
  readonly #parties: Parties;
  readonly #vaults = new Map<string, VaultEntry>();
  readonly #whitelist = new Map<string, WhitelistEntry>();
  #made = 0;

  constructor(seed: number, parties: Parties) {
    this.#seed = seed;
    this.#parties = parties;
  }

  vaults(vaultType?: VaultType): VaultRecord[] {
    const records = [...this.#vaults.values()].map(({ record }) => record);
    return vaultType === undefined ? records : records.filter((record) => record.vaultType === vaultType);
  }

  vault(vaultId: string): VaultRecord | undefined {
    return this.#vaults.get(vaultId)?.record;
  }

  whitelist(): WhitelistRecord[] {
    return [...this.#whitelist.values()].map(({ record }) => record);
  }

  /** The parties of the vaults that are listed. */
  vaultParties(vaultType: VaultType): Party[] {
    return [...this.#vaults.values()]
      .filter(({ record }) => record.vaultType === vaultType)
      .map(({ party }) => party);
  }

  /** The parties on a network; of these, the ones whose entries are for the asset, where there are any. */
  whitelistParties(networkId: string, assetId: string): Party[] {
    const approved = [...this.#whitelist.values()].filter(
      ({ record }) => record.networkId === networkId && record.status === 'approved',
    );
    const own = approved.filter(({ record }) => record.assetId === assetId);
    return (own.length > 0 ? own : approved).map(({ party }) => party);
  }

  addVault({ vaultId, vaultType, name }: NewVault, createdAt: number): VaultRecord {
    const number = this.#next();
    const id = vaultId ?? `vlt_${hexDigits(this.#seed, 31_000 + number, 2)}`;
    if (this.#vaults.has(id)) throw new RangeError(`a vault ${id} exists already`);
    const known = VAULT_NAMES[vaultType];
    const count = this.vaults(vaultType).length;
    const invented = count < known.length ? known[count] : `${known[number % known.length]} ${number}`;
    const party = this.#parties.add('vault', id, name ?? invented ?? id, vaultType);
    const record = {
      vaultId: id,
      vaultType,
      name: party.name,
      description: vaultType === 'cold' ? 'Offline keys, quorum of three' : 'Online keys, policy engine',
      createdAt,
      addresses: NETWORKS.map(({ networkId }, n) => ({
        networkId,
        address: this.#parties.address(party.index, n),
      })),
    };
    this.#vaults.set(id, { record, party });
    return record;
  }

  renameVault(vaultId: string, name: string): VaultRecord {
    const entry = this.#vaults.get(vaultId);
    if (entry === undefined) throw new RangeError(`no vault ${vaultId}`);
    entry.party = this.#parties.add('vault', vaultId, name, entry.record.vaultType);
    entry.record = { ...entry.record, name };
    return entry.record;
  }

  removeVault(vaultId: string): void {
    if (!this.#vaults.delete(vaultId)) throw new RangeError(`no vault ${vaultId}`);
  }

  addWhitelistEntry({ whitelistId, name, assetId }: NewWhitelistEntry, createdAt: number): WhitelistRecord {
    const number = this.#next();
    const id = whitelistId ?? `wl_${hexDigits(this.#seed, 57_000 + number, 2)}`;
    if (this.#whitelist.has(id)) throw new RangeError(`a whitelist entry ${id} exists already`);
    const asset = assetFor(assetId, number);
    const network = NETWORKS.findIndex(({ networkId }) => networkId === asset.networkId);
    const company = COMPANIES[number % COMPANIES.length] ?? '';
    const party = this.#parties.add('whitelist', id, name ?? `${company} ${asset.assetId}`);
    const record: WhitelistRecord = {
      whitelistId: id,
      name: party.name,
      status: 'approved',
      assetId: asset.assetId,
      networkId: asset.networkId,
      address: this.#parties.address(party.index, network),
      memo: this.#parties.memo(party.index, network),
      createdAt,
    };
    this.#whitelist.set(id, { record, party });
    return record;
  }

  /** Changes fields of a whitelist entry; its id stays. */
  alterWhitelistEntry(
    whitelistId: string,
    change: Partial<Omit<WhitelistRecord, 'whitelistId'>>,
  ): WhitelistRecord {
    const entry = this.#whitelist.get(whitelistId);
    if (entry === undefined) throw new RangeError(`no whitelist entry ${whitelistId}`);
    entry.record = { ...entry.record, ...change };
    if (change.name !== undefined) entry.party = this.#parties.add('whitelist', whitelistId, change.name);
    return entry.record;
  }

  removeWhitelistEntry(whitelistId: string): void {
    if (!this.#whitelist.delete(whitelistId)) throw new RangeError(`no whitelist entry ${whitelistId}`);
  }

  /** Fills a new world: the given numbers of vaults, and entries for every network. */
  populate(random: Random, counts: { warm: number; cold: number; whitelist: number }, now: number): void {
    for (const vaultType of VAULT_TYPES) {
      for (let i = 0; i < counts[vaultType]; i += 1) {
        this.addVault({ vaultType }, now - (400 + random.below(900)) * DAY);
      }
    }
    for (let i = 0; i < counts.whitelist; i += 1) {
      const assetId = ASSETS[i % ASSETS.length]?.assetId;
      const entry = this.addWhitelistEntry(
        assetId === undefined ? {} : { assetId },
        now - random.below(900) * DAY,
      );
      if (i >= ASSETS.length && random.chance(0.08)) {
        this.alterWhitelistEntry(entry.whitelistId, {
          status: random.pick(['pending', 'rejected'] as const),
        });
      }
    }
  }

  #next(): number {
    this.#made += 1;
    return this.#made;
  }
}

function assetFor(assetId: string | undefined, number: number): Asset {
  const asset =
    assetId === undefined ? ASSETS[number % ASSETS.length] : ASSETS.find((a) => a.assetId === assetId);
  if (asset === undefined) throw new RangeError(`no asset ${assetId}`);
  return asset;
}

const DAY = 86_400_000;

const VAULT_NAMES: Record<VaultType, readonly string[]> = {
  warm: [
    'Treasury Operations',
    'Trading Desk',
    'Client Settlement',
    'Payroll & Expenses',
    'Staking Operations',
    'Gas Station',
    'Market Making "Heron"',
    'Zürich Büro',
  ],
  cold: [
    'Long-Term Reserve',
    'Client Omnibus Cold',
    'Insurance Fund',
    'Foundation Endowment',
    'Réserve Genève',
    '東京 コールド',
  ],
};

const COMPANIES: readonly string[] = [
  'Northwind Capital',
  'Halcyon OTC',
  'Bluewater Exchange',
  'Kestrel Custody',
  "O'Hara & Sons",
  'Fjord Payments AS',
  'Müller Treuhand',
  'Sakura Trading 株式会社',
  'Orchard Lending',
  'Tern Market Makers',
  'Pine Street Fund II',
];
