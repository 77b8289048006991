// Makes plausible transactions. Invariant: a transaction made here never makes a balance negative, and the
// same random stream makes the same transactions.

import type { Asset } from '../values/catalogue.ts';
import { assets, networkOfAsset } from '../values/catalogue.ts';
import { maxPlaces, oneUnit, powerOfTen } from '../values/decimal.ts';
import { notes } from '../values/names.ts';
import type { Random } from '../values/random.ts';
import type { Accounts } from './accounts.ts';
import type { Directory } from './directory.ts';
import type { Parties } from './parties.ts';
import type { Bucket, TransactionType, VaultType } from './records.ts';
import { transactionTypes } from './records.ts';
import type { Draft } from './transaction-table.ts';

const typeWeights: Record<TransactionType, number> = {
  deposit: 0.34,
  withdraw: 0.3,
  rebalance: 0.14,
  stake: 0.09,
  unstake: 0.05,
  claim: 0.05,
  'change pool': 0.03,
};

/** The balance a type of transaction takes from. */
const spentBucket: Record<Exclude<TransactionType, 'deposit'>, Bucket> = {
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

  constructor(parties: Parties, directory: Directory, accounts: Accounts) {
    this.#parties = parties;
    this.#directory = directory;
    this.#accounts = accounts;
  }

  /** Draws the next transaction; undefined when there is no vault. */
  draw(random: Random, status: number, createdAt: number): Draft | undefined {
    const vaultType = this.#drawVaultType(random);
    if (vaultType === undefined) return undefined;
    const asset = drawAsset(random);
    const { assetId } = assets[asset] ?? { assetId: '' };
    const account = this.#accounts.account(vaultType, assetId);
    const wanted = drawType(random);
    const note = random.chance(0.22) ? 1 + random.below(notes.length - 1) : 0;
    // Objects are written field by field: spreading them would double the start time of a large world.
    if (wanted !== 'deposit') {
      const fee = drawFee(random, asset);
      const amount = drawSpend(random, asset, account[spentBucket[wanted]], fee);
      const sides = amount === undefined ? undefined : this.#sides(random, wanted, asset, vaultType);
      if (amount !== undefined && sides !== undefined) {
        const { source, destination } = sides;
        const type = transactionTypes.indexOf(wanted);
        return { type, status, asset, source, destination, amount, fee, note, createdAt };
      }
    }
    const { source, destination } = this.#sides(random, 'deposit', asset, vaultType);
    const amount = drawDeposit(random, asset);
    const fee = drawFee(random, asset);
    const type = transactionTypes.indexOf('deposit');
    return { type, status, asset, source, destination, amount, fee, note, createdAt };
  }

  #drawVaultType(random: Random): VaultType | undefined {
    const wanted: VaultType = random.chance(0.7) ? 'warm' : 'cold';
    if (this.#directory.vaultParties(wanted).length > 0) return wanted;
    const other: VaultType = wanted === 'warm' ? 'cold' : 'warm';
    return this.#directory.vaultParties(other).length > 0 ? other : undefined;
  }

  #sides(random: Random, type: 'deposit', asset: number, vaultType: VaultType): Sides;
  #sides(random: Random, type: TransactionType, asset: number, vaultType: VaultType): Sides | undefined;
  #sides(random: Random, type: TransactionType, asset: number, vaultType: VaultType): Sides | undefined {
    const network = networkOfAsset[asset] ?? 0;
    const vault = random.pick(this.#directory.vaultParties(vaultType)).index;
    const { stakable = false, networkId = '', assetId = '' } = assets[asset] ?? {};
    switch (type) {
      case 'deposit': {
        const known = this.#directory.whitelistParties(networkId, assetId);
        const trusted = known.length > 0 && random.chance(0.15);
        const source = random.pick(trusted ? known : this.#parties.externals(network)).index;
        return { source, destination: vault };
      }
      case 'withdraw': {
        const known = this.#directory.whitelistParties(networkId, assetId);
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
    const candidates = this.#directory
      .vaultParties(random.chance(0.75) ? other : vaultType)
      .filter(({ index }) => index !== source);
    return candidates.length === 0 ? undefined : { source, destination: random.pick(candidates).index };
  }
}

interface Sides {
  readonly source: number;
  readonly destination: number;
}

function drawType(random: Random): TransactionType {
  let point = random.next();
  for (const type of transactionTypes) {
    point -= typeWeights[type];
    if (point < 0) return type;
  }
  return 'deposit';
}

/** Draws the first assets of the catalogue more often. */
function drawAsset(random: Random): number {
  const skewed = random.next() ** 1.6;
  return Math.floor(skewed * assets.length);
}

function assetAt(index: number): Asset {
  const asset = assets[index];
  if (asset === undefined) throw new RangeError(`no asset ${index}`);
  return asset;
}

/** Rounds down to the places of the asset, and often to fewer, as people do. */
function rounded(random: Random, units: bigint, { decimals }: Asset): bigint {
  const places = random.chance(0.45) ? decimals : Math.min(decimals, 1 + random.below(4));
  const coarse = places === maxPlaces ? units : units - (units % powerOfTen(maxPlaces - places));
  if (coarse > 0n || places === decimals) return coarse;
  return units - (units % powerOfTen(maxPlaces - decimals));
}

/** A random number in [0, units). */
function share(random: Random, units: bigint): bigint {
  const word = BigInt(random.below(0x4000_0000)) * 0x4000_0000n + BigInt(random.below(0x4000_0000));
  return (units * word) >> shareBits;
}

function drawDeposit(random: Random, index: number): bigint {
  const asset = assetAt(index);
  const most = BigInt(Math.ceil(asset.usual * 2 ** (random.below(5) - 2))) * oneUnit;
  const amount = rounded(random, share(random, most), asset);
  return amount > 0n ? amount : powerOfTen(maxPlaces - asset.decimals);
}

function drawFee(random: Random, index: number): bigint {
  const { feeNanos, decimals } = assetAt(index);
  const nanos = Math.ceil(feeNanos * (0.6 + random.next()));
  const below = random.below(nano);
  // Two plain integers carry the digits: whole numbers below 2^53 are exact.
  if (decimals <= 9) return BigInt(nanos - (nanos % 10 ** (9 - decimals))) * bigNano;
  return BigInt(nanos) * bigNano + BigInt(below - (below % 10 ** (18 - decimals)));
}

const shareBits = 60n;
const nano = 1_000_000_000;
const bigNano = 1_000_000_000n;

/** A part of the balance that leaves enough for the fee; undefined when the balance is too small. */
function drawSpend(random: Random, index: number, balance: bigint, fee: bigint): bigint | undefined {
  const spendable = balance - fee;
  if (spendable <= fee) return undefined;
  const amount = rounded(random, share(random, spendable) >> BigInt(random.below(4)), assetAt(index));
  return amount > fee ? amount : undefined;
}
