// Transactions that the demo's story puts into the world, and moves on by itself.
import type { Sandbox } from '../../../sandbox/src/sandbox.ts';
import {
  type Asset,
  assets,
  deriveAddress,
  deriveHash,
  type Network,
  networks,
} from '../../../sandbox/src/values/catalogue.ts';
import { formatUnits, parseUnits } from '../../../sandbox/src/values/decimal.ts';
import { hashText } from '../../../sandbox/src/values/random.ts';

/** A destination, on the whitelist or not. */
export interface Payee {
  readonly id: string;
  readonly name: string;
  readonly address: string;
  readonly memo: string;
}

interface Transfer {
  readonly assetId: string;
  readonly amount: string;
  readonly note: string;
}

/** A completed deposit from outside. @returns its id */
export function deposit(sandbox: Sandbox, { assetId, amount, note }: Transfer): string {
  const { asset, network } = find(assetId);
  const vault = vaultSide(sandbox, network);
  const { transactionId } = sandbox.world.insertTransaction('head', {
    ...details(asset, network),
    transactionType: 'deposit',
    status: 'completed',
    amount: written(amount, asset),
    fee: '',
    sourceType: 'external',
    sourceId: '',
    sourceName: '',
    sourceAddress: deriveAddress(network, hashText(note + assetId), 3),
    destinationType: 'vault',
    destinationId: vault.id,
    destinationName: vault.name,
    destinationAddress: vault.address,
    memo: '',
    note,
  });
  return move(sandbox, transactionId, 'completed');
}

/**
 * A pending withdrawal, which only `move` moves on. Without a payee, one of the whitelist is paid. @returns
 * its id
 */
export function withdraw(
  sandbox: Sandbox,
  { assetId, amount, note, payee }: Transfer & { readonly payee?: Payee },
): string {
  const { asset, network } = find(assetId);
  const vault = vaultSide(sandbox, network);
  const to = payee ?? listed(sandbox, assetId);
  const { transactionId } = sandbox.world.insertTransaction('head', {
    ...details(asset, network),
    transactionType: 'withdraw',
    status: 'pending',
    amount: written(amount, asset),
    fee: '',
    sourceType: 'vault',
    sourceId: vault.id,
    sourceName: vault.name,
    sourceAddress: vault.address,
    destinationType: 'whitelist',
    destinationId: to.id,
    destinationName: to.name,
    destinationAddress: to.address,
    memo: to.memo,
    txnHash: '',
    blockexplorerLink: '',
    note,
  });
  sandbox.hold(transactionId);
  return transactionId;
}

interface Step {
  readonly fee?: string;
  readonly note?: string;
  /** How often it was sent; each time has a hash of its own. */
  readonly attempt?: number;
}

/** Gives a transaction a status, and the hash that shows from the broadcast on. @returns its id */
export function move(
  sandbox: Sandbox,
  transactionId: string,
  status: 'processing' | 'confirming' | 'completed',
  { fee, note, attempt }: Step = {},
): string {
  const { world } = sandbox;
  const record = world.transaction(transactionId);
  if (record === undefined) throw new RangeError(`no transaction ${transactionId}`);
  const { asset, network } = find(record.assetId);
  const isNew = attempt !== undefined || record.txnHash === '';
  const hash = isNew ? deriveHash(network, hashText(transactionId), attempt ?? 1) : record.txnHash;
  const shown = status === 'processing' ? '' : hash;
  world.alterTransaction(transactionId, {
    status,
    fee: fee === undefined ? record.fee : written(fee, asset),
    note: note ?? record.note,
    txnHash: shown,
    blockexplorerLink: shown === '' ? '' : network.explorer + shown,
  });
  return transactionId;
}

function find(assetId: string): { readonly asset: Asset; readonly network: Network } {
  const asset = assets.find((known) => known.assetId === assetId);
  const network = networks.find(({ networkId }) => networkId === asset?.networkId);
  if (asset === undefined || network === undefined) throw new RangeError(`no asset ${assetId}`);
  return { asset, network };
}

function details({ assetId, name }: Asset, network: Network) {
  return { assetId, assetName: name, networkId: network.networkId, networkName: network.name };
}

function written(amount: string, asset: Asset): string {
  return formatUnits(parseUnits(amount) ?? 0n, asset);
}

function vaultSide({ world }: Sandbox, { networkId }: Network) {
  const [vault] = world.vaults('warm');
  if (vault === undefined) throw new RangeError('the world has no warm vault');
  const address = vault.addresses.find((known) => known.networkId === networkId)?.address ?? '';
  return { id: vault.vaultId, name: vault.name, address };
}

function listed({ world }: Sandbox, assetId: string): Payee {
  const entry = world
    .whitelist()
    .find((candidate) => candidate.assetId === assetId && candidate.status === 'approved');
  if (entry === undefined) throw new RangeError(`nobody on the whitelist takes ${assetId}`);
  return { ...entry, id: entry.whitelistId };
}
