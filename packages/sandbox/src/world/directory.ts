// The vaults and whitelist entries of a world: made from the seed, and added, renamed and removed later.
// Invariant: each listed entry has a current party, which new transactions use.

import type { Asset } from '../values/catalogue.ts';
import { assets, networks } from '../values/catalogue.ts';
import { companies, vaultNames } from '../values/names.ts';
import type { Random } from '../values/random.ts';
import { hexDigits } from '../values/random.ts';
import type { Parties, Party } from './parties.ts';
import type { VaultRecord, VaultType, WhitelistRecord } from './records.ts';
import { vaultTypes } from './records.ts';

interface VaultEntry {
  record: VaultRecord;
  party: Party;
  readonly unused: boolean;
}

interface WhitelistEntry {
  record: WhitelistRecord;
  party: Party;
}

/** A vault to be added. Members left out are made up. */
export interface NewVault {
  readonly vaultId?: string;
  readonly vaultType: VaultType;
  readonly name?: string;
  /** True keeps new transactions away from it. */
  readonly unused?: boolean;
}

/** A whitelist entry to be added. Members left out are made up. */
export interface NewWhitelistEntry {
  readonly whitelistId?: string;
  readonly name?: string;
  readonly assetId?: string;
}

export class Directory {
  readonly #seed: number;
  readonly #parties: Parties;
  readonly #now: () => number;
  readonly #vaults = new Map<string, VaultEntry>();
  readonly #whitelist = new Map<string, WhitelistEntry>();
  /** The parties of vaults, and of whitelist entries by asset; empty after each change. */
  readonly #vaultParties = new Map<VaultType, readonly Party[]>();
  readonly #whitelistParties = new Map<string, readonly Party[]>();
  #made = 0;

  constructor(seed: number, parties: Parties, now: () => number) {
    this.#seed = seed;
    this.#parties = parties;
    this.#now = now;
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

  /** The parties of the vaults that are listed and used. */
  vaultParties(vaultType: VaultType): readonly Party[] {
    return remembered(this.#vaultParties, vaultType, () =>
      [...this.#vaults.values()]
        .filter(({ record, unused }) => record.vaultType === vaultType && !unused)
        .map(({ party }) => party),
    );
  }

  /** The approved parties for an asset; where there are none, the approved parties of its network. */
  whitelistParties(networkId: string, assetId: string): readonly Party[] {
    return remembered(this.#whitelistParties, assetId, () => {
      const approved = [...this.#whitelist.values()].filter(
        ({ record }) => record.networkId === networkId && record.status === 'approved',
      );
      const own = approved.filter(({ record }) => record.assetId === assetId);
      return (own.length > 0 ? own : approved).map(({ party }) => party);
    });
  }

  addVault({ vaultId, vaultType, name, unused = false }: NewVault, createdAt = this.#now()): VaultRecord {
    const number = this.#next();
    const id = vaultId ?? `vlt_${hexDigits(this.#seed, 31_000 + number, 2)}`;
    if (this.#vaults.has(id)) throw new RangeError(`a vault ${id} exists already`);
    const known = vaultNames[vaultType];
    const count = this.vaults(vaultType).length;
    const invented = count < known.length ? known[count] : `${known[number % known.length]} ${number}`;
    const party = this.#parties.add('vault', id, name ?? invented ?? id, vaultType);
    const record = {
      vaultId: id,
      vaultType,
      name: party.name,
      description: vaultType === 'cold' ? 'Offline keys, quorum of three' : 'Online keys, policy engine',
      createdAt,
      addresses: networks.map(({ networkId }, n) => ({
        networkId,
        address: this.#parties.address(party.index, n),
      })),
    };
    this.#vaults.set(id, { record, party, unused });
    this.#forgetParties();
    return record;
  }

  renameVault(vaultId: string, name: string): VaultRecord {
    const entry = this.#vaults.get(vaultId);
    if (entry === undefined) throw new RangeError(`no vault ${vaultId}`);
    entry.party = this.#parties.add('vault', vaultId, name, entry.record.vaultType);
    entry.record = { ...entry.record, name };
    this.#forgetParties();
    return entry.record;
  }

  removeVault(vaultId: string): void {
    if (!this.#vaults.delete(vaultId)) throw new RangeError(`no vault ${vaultId}`);
    this.#forgetParties();
  }

  addWhitelistEntry(
    { whitelistId, name, assetId }: NewWhitelistEntry,
    createdAt = this.#now(),
  ): WhitelistRecord {
    const number = this.#next();
    const id = whitelistId ?? `wl_${hexDigits(this.#seed, 57_000 + number, 2)}`;
    if (this.#whitelist.has(id)) throw new RangeError(`a whitelist entry ${id} exists already`);
    const asset = assetFor(assetId, number);
    const network = networks.findIndex(({ networkId }) => networkId === asset.networkId);
    const company = companies[number % companies.length] ?? '';
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
    this.#forgetParties();
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
    this.#forgetParties();
    return entry.record;
  }

  removeWhitelistEntry(whitelistId: string): void {
    if (!this.#whitelist.delete(whitelistId)) throw new RangeError(`no whitelist entry ${whitelistId}`);
    this.#forgetParties();
  }

  /**
   * Fills a new world with the given numbers of vaults and of whitelist entries, which cover all assets in
   * turn.
   */
  populate(random: Random, counts: { warm: number; cold: number; whitelist: number }): void {
    const now = this.#now();
    for (const vaultType of vaultTypes) {
      for (let i = 0; i < counts[vaultType]; i += 1) {
        this.addVault({ vaultType }, now - (400 + random.below(900)) * dayMs);
      }
    }
    for (let i = 0; i < counts.whitelist; i += 1) {
      const assetId = assets[i % assets.length]?.assetId;
      const entry = this.addWhitelistEntry(
        assetId === undefined ? {} : { assetId },
        now - random.below(900) * dayMs,
      );
      if (i >= assets.length && random.chance(0.08)) {
        this.alterWhitelistEntry(entry.whitelistId, {
          status: random.pick(['pending', 'rejected'] as const),
        });
      }
    }
  }

  #forgetParties(): void {
    this.#vaultParties.clear();
    this.#whitelistParties.clear();
  }

  #next(): number {
    this.#made += 1;
    return this.#made;
  }
}

/** The map's value for the key, made on first use. */
function remembered<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

function assetFor(assetId: string | undefined, number: number): Asset {
  const asset =
    assetId === undefined ? assets[number % assets.length] : assets.find((a) => a.assetId === assetId);
  if (asset === undefined) throw new RangeError(`no asset ${assetId}`);
  return asset;
}

const dayMs = 86_400_000;
