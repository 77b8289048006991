// The fields of the mirrored records, one table for each kind. Types, decoder, columns, comparison, lists,
// filters and the records of /custody derive from it. Invariant: what docs/custody-service.md says of a field
// is stated here alone; only the sandbox implements it separately.
import type { Decimal } from './decimal.ts';

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

/** As a record has them. */
export const balanceAmountNames = Object.values(balanceAmounts).map((field) => placeOf(field).name);

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

// Describes a field of a mirrored record, and derives from it the type of its
// value, its path in the record, and the name of its column.

export interface Field {
  /** `identity` identifies something: refused if PostgreSQL could store it only in another form. */
  readonly kind: 'identity' | 'text' | 'amount' | 'moment';
  /** Its path in the record: names of members, joined with dots. */
  readonly path: string;
  /** Aliases of its member, in the order in which they are tried. */
  readonly aliases?: readonly string[];
  /** A record without it cannot be decoded. */
  readonly required?: true;
  /** Its value in a record that lacks it; null by default. */
  readonly absent?: string;
  /** It changes while the record stays the same, so it cannot identify a record that has no id. */
  readonly varies?: true;
  /** The documented values. Any other text is kept and reported. */
  readonly values?: readonly string[];
  /** A spelling of one of them that a sample or an error message uses. */
  readonly spelling?: { readonly sent: 'changepool' | 'stakepool'; readonly meant: string };
  /** Readers may filter records by it. */
  readonly filter?: FieldFilter;
}

export interface FieldFilter {
  /** For people. */
  readonly says: string;
  readonly example: string;
  /** Its number in the index of digests (drizzle/transactions.ts). It never changes; a new one is next. */
  readonly digest?: number;
}

export type Fields = Readonly<Record<string, Field>>;

/** The values of the fields. Null: the record named no value, or an amount was empty. */
export type Values<Table extends Fields> = { readonly [Name in keyof Table]: Value<Table[Name]> };
type Value<One extends Field> = One['kind'] extends 'amount'
  ? Decimal | null
  : One extends { readonly required: true } | { readonly absent: string }
    ? string
    : string | null;

/** Names of the fields of one kind. */
export type NamesOf<Table extends Fields, Like> = {
  [Name in keyof Table]: Table[Name] extends Like ? Name : never;
}[keyof Table];

/** The member that holds the field, and that of the object around it; that is empty for the record itself. */
export function placeOf({ path }: Field): { readonly holder: string; readonly name: string } {
  const cut = path.lastIndexOf('.');
  return { holder: path.slice(0, Math.max(0, cut)), name: path.slice(cut + 1) };
}

/** Every path in the record that the field is read from. */
export function pathsOf(field: Field): readonly string[] {
  const { holder, name } = placeOf(field);
  return [name, ...(field.aliases ?? [])].map((each) => (holder === '' ? each : `${holder}.${each}`));
}

/** The column of a field, and its name in the read API: `destination_memo` of `destinationMemo`. */
export function columnOf(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Names of the fields of a table, in its order. */
export function namesOf<Table extends Fields>(table: Table): readonly (keyof Table & string)[] {
  return Object.keys(table);
}
