// The filters of the list of transactions. What few people need is folded away, unless it is in use.
import { onOneLine } from '../../../domain/words.ts';
import type { Vault, VaultAt } from '../page/api.ts';
import type { Field } from '../parts/form.tsx';
import { statusWords, typeWords } from './words.ts';

/** @param vaults null while they are unknown, or where they are too many for a choice */
export function filtersOf(vaults: readonly (Vault | VaultAt)[] | null): readonly Field[] {
  return [
    { name: 'search', label: 'Search' },
    {
      name: 'is_open',
      label: 'Open or settled',
      choices: Object.entries({ true: 'open', false: 'settled' }),
    },
    { name: 'status', label: 'Status', choices: statusWords },
    { name: 'transaction_type', label: 'Type', choices: typeWords },
    { name: 'asset_id', label: 'Asset' },
    vaultField(vaults),
    {
      name: 'sort',
      label: 'Order',
      any: 'first seen, newest first',
      choices: Object.entries({
        first_seen_at: 'first seen, oldest first',
        '-changed_at': 'last changed, newest first',
        changed_at: 'last changed, oldest first',
        transaction_id: 'identifier',
      }),
    },
  ];
}

export const moreFilters: readonly Field[] = [
  { name: 'network_id', label: 'Network' },
  { name: 'destination_id', label: 'Destination, by its identifier' },
  { name: 'destination_address', label: 'Address of the destination' },
  { name: 'source_address', label: 'Address of the source' },
  { name: 'amount_from', label: 'Amount from' },
  { name: 'amount_to', label: 'Amount to' },
  { name: 'first_seen_from', label: 'First seen from', kind: 'moment' },
  { name: 'first_seen_to', label: 'First seen before', kind: 'moment' },
  { name: 'changed_from', label: 'Changed from', kind: 'moment' },
  { name: 'changed_to', label: 'Changed before', kind: 'moment' },
  {
    name: 'missing',
    label: 'No longer shown by the service',
    any: 'with the others',
    choices: Object.entries({ true: 'only those', false: 'without those' }),
  },
  { name: 'at', label: 'As known at', kind: 'moment' },
];

function vaultField(vaults: readonly (Vault | VaultAt)[] | null): Field {
  if (vaults === null || vaults.length === 0) return { name: 'vault', label: 'Vault, by its identifier' };
  const choices = vaults
    .map(({ vault_id, name }) => [vault_id, onOneLine(name ?? vault_id).slice(0, 60)] as const)
    .toSorted(([, a], [, b]) => (a < b ? -1 : 1));
  return { name: 'vault', label: 'Vault, on either side', choices };
}
