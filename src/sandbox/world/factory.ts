/**
 * Makes believable transactions: what is moved is there to be moved. Invariant: a transaction made here never takes a
 * balance below zero when it is posted, and the same stream of randomness makes the same transactions.
 */

import { powerOfTen, SCALE, UNIT } from '../numbers/decimal.ts';
import type { Random } from '../numbers/random.ts';
import type { Accounts } from './accounts.ts';
import type { Asset } from './catalogue.ts';
import { ASSETS } from './catalogue.ts';
import type { Directory } from './directory.ts';
import type { Parties, Party } from './parties.ts';
import type { Bucket, TransactionType, VaultType } from './records.ts';
import { TRANSACTION_TYPES } from './records.ts';
import type { Draft } from './transaction-table.ts';
import { ASSET_NETWORK, NOTES } from './transaction-table.ts';

const TYPE_WEIGHTS: Record<TransactionType, number> = {
  deposit: 0.34,
  withdraw: 0.3,
  rebalance: 0.14,
  stake: 0.09,
  unstake: 0.05,
  claim: 0.05,
  'change pool': 0.03,
};

/** The balance a type of transaction takes from. */
const SPENDS: Record<Exclude<TransactionType, 'deposit'>, Bucket> = {
  withdraw: 'available',
  rebalance: 'available',
  stake: 'available',
  unstake: 'staking',
  'change pool': 'staking',
  claim: 'claimable',
};

export class Factory {
  readonly #parties: Parties;
  readonly #directory: Directory;
  readonly #accounts: Accounts;
  #vaults: Record<VaultType, readonly Party[]> = { warm: [], cold: [] };
  #whitelist = new Map<string, readonly Party[]>();

  constructor(parties: Parties, directory: Directory, accounts: Accounts) {
    this.#parties = parties;
    this.#directory = directory;
    this.#accounts = accounts;
    this.refresh();
  }

  /** Reads the directory again after it changed. */
  refresh(): void {
    this.#vaults = { warm: this.#directory.vaultParties('warm'), cold: this.#directory.vaultParties('cold') };
    this.#whitelist = new Map();
  }

  /** Draws the next transaction; undefined when there is no vault to hold one. */
  draw(random: Random, status: number, createdAt: number): Draft | undefined {
    const vaultType = this.#drawVaultType(random);
    if (vaultType === undefined) return undefined;
    const asset = drawAsset(random);
    const { assetId } = ASSETS[asset] ?? { assetId: '' };
    const account = this.#accounts.account(vaultType, assetId);
    const wanted = drawType(random);
    const note = random.chance(0.22) ? 1 + random.below(NOTES.length - 1) : 0;
    // Written out field by field: spreading objects here would double the time a large world takes to start.
    if (wanted !== 'deposit') {
      const fee = drawFee(random, asset);
      const amount = drawSpend(random, asset, account[SPENDS[wanted]], fee);
      const sides = amount === undefined ? undefined : this.#sides(random, wanted, asset, vaultType);
      if (amount !== undefined && sides !== undefined) {
        const { source, destination } = sides;
        const type = TRANSACTION_TYPES.indexOf(wanted);
        return { type, status, asset, source, destination, amount, fee, note, createdAt };
      }
    }
    const { source, destination } = this.#sides(random, 'deposit', asset, vaultType);
    const amount = drawDeposit(random, asset);
    const fee = drawFee(random, asset);
    const type = TRANSACTION_TYPES.indexOf('deposit');
    return { type, status, asset, source, destination, amount, fee, note, createdAt };
  }

  #drawVaultType(random: Random): VaultType | undefined {
    const wanted: VaultType = random.chance(0.7) ? 'warm' : 'cold';
    if (this.#vaults[wanted].length > 0) return wanted;
    const other: VaultType = wanted === 'warm' ? 'cold' : 'warm';
    return this.#vaults[other].length > 0 ? other : undefined;
  }

  #sides(random: Random, type: 'deposit', asset: number, vaultType: VaultType): Sides;
  #sides(random: Random, type: TransactionType, asset: number, vaultType: VaultType): Sides | undefined;
  #sides(random: Random, type: TransactionType, asset: number, vaultType: VaultType): Sides | undefined {
    const network = ASSET_NETWORK[asset] ?? 0;
    const vault = random.pick(this.#vaults[vaultType]).index;
    const { stakable = false, networkId = '', assetId = '' } = ASSETS[asset] ?? {};
    switch (type) {
      case 'deposit': {
        const known = this.#approved(networkId, assetId);
        const trusted = known.length > 0 && random.chance(0.15);
        const source = random.pick(trusted ? known : this.#parties.externals(network)).index;
        return { source, destination: vault };
      }
      case 'withdraw': {
        const known = this.#approved(networkId, assetId);
        return known.length === 0 ? undefined : { source: vault, destination: random.pick(known).index };
      }
      case 'rebalance':
        return this.#rebalance(random, vault, vaultType);
      case 'stake':
      case 'change pool':
        if (!stakable) return undefined;
        return { source: vault, destination: random.pick(this.#parties.pools(network)).index };
      case 'unstake':
        return { source: vault, destination: this.#parties.network(network).index };
      case 'claim':
        return { source: this.#parties.network(network).index, destination: vault };
    }
  }

  #rebalance(random: Random, source: number, vaultType: VaultType): Sides | undefined {
    const other: VaultType = vaultType === 'warm' ? 'cold' : 'warm';
    const candidates = this.#vaults[random.chance(0.75) ? other : vaultType].filter(
      ({ index }) => index !== source,
    );
    return candidates.length === 0 ? undefined : { source, destination: random.pick(candidates).index };
  }

  #approved(networkId: string, assetId: string): readonly Party[] {
    let known = this.#whitelist.get(assetId);
    if (known === undefined) {
      known = this.#directory.whitelistParties(networkId, assetId);
      this.#whitelist.set(assetId, known);
    }
    return known;
  }
}

interface Sides {
  readonly source: number;
  readonly destination: number;
}

function drawType(random: Random): TransactionType {
  let point = random.next();
  for (const type of TRANSACTION_TYPES) {
    point -= TYPE_WEIGHTS[type];
    if (point < 0) return type;
  }
  return 'deposit';
}

/** The first assets of the catalogue are the most used ones. */
function drawAsset(random: Random): number {
  const skewed = random.next() ** 1.6;
  return Math.floor(skewed * ASSETS.length);
}

function assetAt(index: number): Asset {
  const asset = ASSETS[index];
  if (asset === undefined) throw new RangeError(`no asset ${index}`);
  return asset;
}

/** Rounds down to what the asset can carry, and most of the time to fewer places, as people do. */
function rounded(random: Random, units: bigint, { decimals }: Asset): bigint {
  const places = random.chance(0.45) ? decimals : Math.min(decimals, 1 + random.below(4));
  const coarse = places === SCALE ? units : units - (units % powerOfTen(SCALE - places));
  if (coarse > 0n || places === decimals) return coarse;
  return units - (units % powerOfTen(SCALE - decimals));
}

/** A number in [0, units) with all its digits random. */
function share(random: Random, units: bigint): bigint {
  const word = BigInt(random.below(0x4000_0000)) * 0x4000_0000n + BigInt(random.below(0x4000_0000));
  return (units * word) >> SHARE_BITS;
}

function drawDeposit(random: Random, index: number): bigint {
  const asset = assetAt(index);
  const most = BigInt(Math.ceil(asset.usual * 2 ** (random.below(5) - 2))) * UNIT;
  const amount = rounded(random, share(random, most), asset);
  return amount > 0n ? amount : powerOfTen(SCALE - asset.decimals);
}

function drawFee(random: Random, index: number): bigint {
  const { feeNanos, decimals } = assetAt(index);
  const nanos = Math.ceil(feeNanos * (0.6 + random.next()));
  const below = random.below(NANO);
  // Rounded to the asset's places as two plain integers; whole numbers below 2^53 are exact.
  if (decimals <= 9) return BigInt(nanos - (nanos % 10 ** (9 - decimals))) * BIG_NANO;
  return BigInt(nanos) * BIG_NANO + BigInt(below - (below % 10 ** (18 - decimals)));
}

const SHARE_BITS = 60n;
const NANO = 1_000_000_000;
const BIG_NANO = 1_000_000_000n;

/** Some of what is there, the fee left aside; undefined when there is too little. */
function drawSpend(random: Random, index: number, there: bigint, fee: bigint): bigint | undefined {
  const spendable = there - fee;
  if (spendable <= fee) return undefined;
  const amount = rounded(random, share(random, spendable) >> BigInt(random.below(4)), assetAt(index));
  return amount > fee ? amount : undefined;
}
