// The fields of the mirrored records, one table for each kind. Types, decoder, columns, comparison, lists,
// filters and the records of /custody derive from it. Invariant: what docs/custody-service.md says of a field
// is stated here alone; only the sandbox implements it separately.
import type { Fields } from './field.ts';

/** Statuses that a transaction is expected to leave (docs/custody-service.md 3). */
export const openStatuses: readonly string[] = ['pending', 'processing', 'confirming'];
/** Statuses that a transaction is expected to keep; leaving one is an anomaly. */
export const settledStatuses: readonly string[] = ['completed', 'rejected', 'cancelled', 'failed'];
export const transactionStatuses = [...openStatuses, ...settledStatuses];

export const transactionTypes = [
  'deposit',
  'withdraw',
  'rebalance',
  'stake',
  'unstake',
  'claim',
  'change pool',
] as const;

export const vaultTypes = ['warm', 'cold'] as const;

const sourceTypes = ['vault', 'external', 'whitelist', 'network'] as const;
const destinationTypes = ['vault', 'whitelist', 'network', 'stake pool', 'validator'] as const;
const destinations = destinationTypes.join(', ');
const transactionId = '795d8712-0a2b-4ced-ad1a-67c831b7ccc3';
const [vaultId, entryId] = ['vlt_aa3044f12ffc5957', 'wl_dcaa3d11d3136c8d'];
const address = 'bc1qexample';
const asset = { says: 'Only this asset.', example: 'BTC' };
const network = { says: 'Only this network; empty where the service names none.', example: 'BTC' };

/** docs/custody-service.md 2.2. */
const transactionHead = {
  transactionId: {
    kind: 'identity',
    path: 'transaction_id',
    aliases: ['id'],
    required: true,
    filter: { says: 'Only the transaction with this identifier.', example: transactionId },
  },
  status: {
    kind: 'identity',
    path: 'status',
    required: true,
    varies: true,
    values: transactionStatuses,
    filter: {
      says: 'Only this status; one that is not documented is kept as the service sent it.',
      example: 'completed',
      digest: 0,
    },
  },
} as const satisfies Fields;

/** docs/custody-service.md 2.3 to 2.5. A change of one of these is a revision. */
export const transactionDetails = {
  transactionType: {
    kind: 'identity',
    path: 'transaction.transaction_type',
    values: transactionTypes,
    spelling: { sent: 'changepool', meant: 'change pool' },
    filter: { says: `Only this type, such as ${either(transactionTypes)}.`, example: 'withdraw', digest: 1 },
  },
  assetId: { kind: 'identity', path: 'transaction.asset_id', filter: { ...asset, digest: 2 } },
  assetName: { kind: 'text', path: 'transaction.asset_name' },
  networkId: { kind: 'text', path: 'transaction.network_id', filter: { ...network, digest: 3 } },
  networkName: { kind: 'text', path: 'transaction.network_name' },
  amount: { kind: 'amount', path: 'transaction.amount' },
  fee: { kind: 'amount', path: 'transaction.fee' },
  sourceType: {
    kind: 'identity',
    path: 'transaction.source.source_type',
    values: sourceTypes,
    filter: { says: `Only this type of source: ${either(sourceTypes)}.`, example: 'vault', digest: 8 },
  },
  sourceId: {
    kind: 'text',
    path: 'transaction.source.source_id',
    aliases: ['vault_id'],
    filter: { says: 'Only this source.', example: vaultId, digest: 4 },
  },
  sourceName: { kind: 'text', path: 'transaction.source.source_name' },
  sourceAddress: {
    kind: 'text',
    path: 'transaction.source.source_address',
    filter: { ...addressOf('source'), digest: 5 },
  },
  destinationType: {
    kind: 'identity',
    path: 'transaction.destination.destination_type',
    values: destinationTypes,
    spelling: { sent: 'stakepool', meant: 'stake pool' },
    filter: { says: `Only this type of destination: ${destinations}.`, example: 'whitelist', digest: 9 },
  },
  destinationId: {
    kind: 'text',
    path: 'transaction.destination.destination_id',
    aliases: ['vault_id'],
    filter: { says: 'Only this destination.', example: entryId, digest: 6 },
  },
  destinationName: { kind: 'text', path: 'transaction.destination.destination_name' },
  destinationAddress: {
    kind: 'text',
    path: 'transaction.destination.destination_address',
    filter: { ...addressOf('destination'), digest: 7 },
  },
  destinationMemo: { kind: 'text', path: 'transaction.destination.memo' },
  txnHash: { kind: 'text', path: 'transaction.txn_hash' },
  blockexplorerLink: { kind: 'text', path: 'transaction.blockexplorer_link' },
  note: { kind: 'text', path: 'transaction.note' },
} as const satisfies Fields;

/** The timestamp is the time of retrieval; it never decides whether a record changed. */
export const transactionFields = {
  ...transactionHead,
  ...transactionDetails,
  sourceTimestamp: { kind: 'moment', path: 'timestamp', varies: true },
} as const satisfies Fields;

/** docs/custody-service.md 2.7. */
export const balanceNames = {
  assetId: { kind: 'identity', path: 'asset_id', required: true, filter: asset },
  assetName: { kind: 'text', path: 'asset_name' },
  networkId: { kind: 'identity', path: 'network_id', absent: '', filter: network },
  networkName: { kind: 'text', path: 'network_name' },
} as const satisfies Fields;

/** docs/custody-service.md 2.8. */
export const balanceAmounts = {
  totalBalance: { kind: 'amount', path: 'balances.total_balance', varies: true },
  availableBalance: { kind: 'amount', path: 'balances.available_balance', varies: true },
  processingBalance: { kind: 'amount', path: 'balances.processing_balance', varies: true },
  stakingBalance: { kind: 'amount', path: 'balances.staking_balance', varies: true },
  claimableBalance: { kind: 'amount', path: 'balances.claimable_balance', varies: true },
} as const satisfies Fields;

export const balanceFields = { ...balanceNames, ...balanceAmounts };

/**
 * Besides its id. The body of a vault is not documented (docs/custody-service.md 2.9): the names are guesses.
 */
export const vaultAttributes = {
  name: { kind: 'text', path: 'name', aliases: ['vault_name', 'label'] },
  vaultType: {
    kind: 'identity',
    path: 'vault_type',
    aliases: ['type'],
    varies: true,
    values: vaultTypes,
    filter: { says: 'Only vaults of this type.', example: 'warm' },
  },
} as const satisfies Fields;

/** The same for a whitelist entry. */
export const entryAttributes = {
  name: { kind: 'text', path: 'name', aliases: ['whitelist_name', 'label', 'destination_name'] },
  address: {
    kind: 'text',
    path: 'address',
    aliases: ['destination_address', 'wallet_address'],
    filter: { says: 'Only this address, as the service writes it.', example: address },
  },
  assetId: {
    kind: 'identity',
    path: 'asset_id',
    aliases: ['asset'],
    filter: { says: 'Only entries for this asset.', example: 'BTC' },
  },
  networkId: {
    kind: 'identity',
    path: 'network_id',
    aliases: ['network'],
    filter: { says: 'Only entries for this network.', example: 'BTC' },
  },
} as const satisfies Fields;

export const documentAttributes = { ...vaultAttributes, ...entryAttributes };

function addressOf(party: string) {
  return { says: `Only this address of the ${party}, as the service writes it.`, example: address };
}

function either(values: readonly string[]): string {
  return `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`;
}
