// The balances of a world, updated with every change of a transaction. Invariant: they always equal the
// result of the rules of ledger.ts for all transactions, plus adjustments by hand; nothing is rounded.

import { assets, networks } from '../values/catalogue.ts';
import { formatUnits } from '../values/decimal.ts';
import type { LedgerEntry } from './ledger.ts';
import { ledgerSides, postTransaction } from './ledger.ts';
import type { BalanceRecord, Bucket, VaultType } from './records.ts';

/** The balance of one asset in the vaults of one type. */
interface Account {
  /** Number of transactions that list the asset here, of any status. */
  listed: number;
  available: bigint;
  processing: bigint;
  staking: bigint;
  claimable: bigint;
}

export class Accounts {
  readonly #accounts: Record<VaultType, Map<string, Account>> = { warm: new Map(), cold: new Map() };

  /** The account of an asset, made on first use. */
  account(vaultType: VaultType, assetId: string): Account {
    const accounts = this.#accounts[vaultType];
    let account = accounts.get(assetId);
    if (account === undefined) {
      account = { listed: 0, available: 0n, processing: 0n, staking: 0n, claimable: 0n };
      accounts.set(assetId, account);
    }
    return account;
  }

  /** Adds the effect of a transaction. */
  apply(assetId: string, entry: LedgerEntry): void {
    for (const side of ledgerSides(entry)) this.account(side, assetId).listed += 1;
    postTransaction(entry, (vaultType, bucket, delta) => this.#post(vaultType, assetId, bucket, delta));
  }

  /** Removes the effect of a transaction. */
  revert(assetId: string, entry: LedgerEntry): void {
    for (const side of ledgerSides(entry)) this.account(side, assetId).listed -= 1;
    postTransaction(entry, (vaultType, bucket, delta) => this.#post(vaultType, assetId, bucket, -delta));
  }

  /** Changes the available balance, although no transaction does. */
  adjust(vaultType: VaultType, assetId: string, units: bigint): void {
    this.#post(vaultType, assetId, 'available', units);
  }

  #post(vaultType: VaultType, assetId: string, bucket: Bucket, delta: bigint): void {
    this.account(vaultType, assetId)[bucket] += delta;
  }

  /** The assets that at least one transaction lists (sections 2.6 to 2.8), in the order of the catalogue. */
  balances(vaultType: VaultType | 'all'): BalanceRecord[] {
    const types: readonly VaultType[] = vaultType === 'all' ? ['warm', 'cold'] : [vaultType];
    const ids = new Set(assets.map(({ assetId }) => assetId));
    for (const type of types) for (const assetId of this.#accounts[type].keys()) ids.add(assetId);
    const records: BalanceRecord[] = [];
    for (const assetId of ids) {
      const found = types
        .map((type) => this.#accounts[type].get(assetId))
        .filter((account) => account !== undefined && account.listed > 0)
        .filter((account) => account !== undefined);
      if (found.length > 0) records.push(balanceRecord(assetId, found));
    }
    return records;
  }
}

function balanceRecord(assetId: string, accounts: readonly Account[]): BalanceRecord {
  const asset = assets.find((candidate) => candidate.assetId === assetId);
  const network = networks.find(({ networkId }) => networkId === asset?.networkId);
  const style = asset ?? { decimals: 0, fixed: false };
  const sum = (bucket: Bucket): bigint => accounts.reduce((total, account) => total + account[bucket], 0n);
  const available = sum('available');
  const processing = sum('processing');
  const staking = sum('staking');
  const claimable = sum('claimable');
  return {
    assetId,
    assetName: asset?.name ?? assetId,
    networkId: network?.networkId ?? '',
    networkName: network?.name ?? '',
    total: formatUnits(available + processing + staking + claimable, style),
    available: formatUnits(available, style),
    processing: formatUnits(processing, style),
    staking: formatUnits(staking, style),
    claimable: formatUnits(claimable, style),
  };
}
