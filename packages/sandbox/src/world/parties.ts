// Sources and destinations of transactions: vaults, whitelist entries, outside addresses, networks, stake
// pools, validators. Invariant: a party never changes, so a transaction keeps the name that its vault had. A
// renamed vault is a new party with the same id.

import type { Network } from '../values/catalogue.ts';
import { deriveAddress, networks } from '../values/catalogue.ts';
import { poolNames } from '../values/names.ts';
import { hash32, hexDigits } from '../values/random.ts';
import type { VaultType } from './records.ts';

/** The values of source_type and destination_type (sections 2.4 and 2.5). */
type PartyKind = 'vault' | 'external' | 'whitelist' | 'network' | 'stake pool' | 'validator';

export interface Party {
  readonly index: number;
  readonly kind: PartyKind;
  /** Empty for an outside address (section 2.4). */
  readonly id: string;
  readonly name: string;
  readonly vaultType: VaultType | undefined;
  /** Addresses are derived from it. Parties with the same id share it. */
  readonly addressKey: number;
}

export class Parties {
  readonly #seed: number;
  readonly #list: Party[] = [];
  readonly #addresses: string[] = [];
  readonly #externals: Party[][] = [];
  readonly #pools: Party[][] = [];
  readonly #networks: Party[] = [];
  readonly #vaultTypes = new Map<string, VaultType>();

  constructor(seed: number) {
    this.#seed = seed;
    networks.forEach((network, n) => {
      this.#networks.push(this.add('network', network.networkId, network.name));
      this.#externals.push(
        Array.from({ length: externalsPerNetwork }, (_, i) =>
          this.add('external', '', '', undefined, `ext${n}.${i}`),
        ),
      );
      this.#pools.push(
        Array.from({ length: poolsPerNetwork }, (_, i) => {
          const kind = i % 2 === 0 ? 'validator' : 'stake pool';
          const id = `${kind === 'validator' ? 'val' : 'pool'}_${hexDigits(seed, 7000 + n * 16 + i, 2)}`;
          return this.add(kind, id, `${network.name} ${poolNames[i % poolNames.length]}`);
        }),
      );
    });
  }

  /** Adds a party. Parties with the same id share their addresses. */
  add(kind: PartyKind, id: string, name: string, vaultType?: VaultType, addressSeed = id): Party {
    let key = hash32(this.#seed, addressSeed.length, 17);
    for (let i = 0; i < addressSeed.length; i += 1) key = hash32(key, addressSeed.charCodeAt(i), i);
    const party: Party = { index: this.#list.length, kind, id, name, vaultType, addressKey: key };
    if (this.#list.length >= 65_535) throw new RangeError('the world holds no more than 65,535 parties');
    this.#list.push(party);
    if (vaultType !== undefined) this.#vaultTypes.set(id, vaultType);
    return party;
  }

  get(index: number): Party {
    const party = this.#list[index];
    if (party === undefined) throw new RangeError(`no party ${index}`);
    return party;
  }

  /** The type of a vault, also of a removed one. */
  vaultType(vaultId: string): VaultType | undefined {
    return this.#vaultTypes.get(vaultId);
  }

  /** The address of a party on a network. */
  address(party: number, network: number): string {
    const slot = party * networks.length + network;
    const known = this.#addresses[slot];
    if (known !== undefined) return known;
    const address = deriveAddress(networkAt(network), this.get(party).addressKey, 3);
    this.#addresses[slot] = address;
    return address;
  }

  /** The memo for a destination on a network; empty when the network uses none (section 2.5). */
  memo(party: number, network: number): string {
    const { kind, addressKey } = this.get(party);
    if (!networkAt(network).usesMemo || (kind !== 'vault' && kind !== 'whitelist')) return '';
    return String(100_000 + (addressKey % 899_999));
  }

  externals(network: number): readonly Party[] {
    return this.#externals[network] ?? [];
  }

  pools(network: number): readonly Party[] {
    return this.#pools[network] ?? [];
  }

  network(network: number): Party {
    const party = this.#networks[network];
    if (party === undefined) throw new RangeError(`no network ${network}`);
    return party;
  }
}

/** The network at an index of the catalogue. */
export function networkAt(index: number): Network {
  const network = networks[index];
  if (network === undefined) throw new RangeError(`no network ${index}`);
  return network;
}

const externalsPerNetwork = 48;
const poolsPerNetwork = 6;
