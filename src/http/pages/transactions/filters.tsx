// The filters of the list of transactions. What few people need is folded away, unless it is in use.
import type { Vault, VaultAt } from '../../../../packages/client/src/generated/types/api-types.ts';
import { onOneLine } from '../../../domain/words.ts';
import { ChoiceField, Filters, MomentField, TextField } from '../parts/form.tsx';
import type { View } from '../view/view.ts';
import { statusWords, typeWords } from './words.ts';

const orders = [
  ['first_seen_at', 'first seen, oldest first'],
  ['-changed_at', 'last changed, newest first'],
  ['changed_at', 'last changed, oldest first'],
  ['transaction_id', 'identifier'],
] as const;

const folded = [
  'network_id',
  'source_address',
  'destination_id',
  'destination_address',
  'amount_from',
  'amount_to',
  'first_seen_from',
  'first_seen_to',
  'changed_from',
  'changed_to',
  'missing',
  'at',
];

interface TransactionFiltersProps {
  readonly view: View;
  /** Null while they are unknown. */
  readonly vaults: readonly (Vault | VaultAt)[] | null;
}

export function TransactionFilters({ view, vaults }: TransactionFiltersProps) {
  const isOpen = folded.some((name) => view.query[name] !== undefined);
  return (
    <Filters view={view} label="Filter transactions">
      <TextField view={view} name="search" label="Search" />
      <ChoiceField
        view={view}
        name="is_open"
        label="Open or settled"
        options={[
          ['true', 'open'],
          ['false', 'settled'],
        ]}
      />
      <ChoiceField view={view} name="status" label="Status" options={statusWords} />
      <ChoiceField view={view} name="transaction_type" label="Type" options={typeWords} />
      <TextField view={view} name="asset_id" label="Asset" />
      <VaultField view={view} vaults={vaults} />
      <ChoiceField view={view} name="sort" label="Order" any="first seen, newest first" options={orders} />
      <details class="more" open={isOpen}>
        <summary>More filters</summary>
        <div class="fields">
          <TextField view={view} name="network_id" label="Network" />
          <TextField view={view} name="destination_id" label="Destination, by its identifier" />
          <TextField view={view} name="destination_address" label="Address of the destination" />
          <TextField view={view} name="source_address" label="Address of the source" />
          <TextField view={view} name="amount_from" label="Amount from" />
          <TextField view={view} name="amount_to" label="Amount to" />
          <MomentField view={view} name="first_seen_from" label="First seen from" />
          <MomentField view={view} name="first_seen_to" label="First seen before" />
          <MomentField view={view} name="changed_from" label="Changed from" />
          <MomentField view={view} name="changed_to" label="Changed before" />
          <ChoiceField
            view={view}
            name="missing"
            label="No longer shown by the service"
            any="with the others"
            options={[
              ['true', 'only those'],
              ['false', 'without those'],
            ]}
          />
          <MomentField view={view} name="at" label="As known at" />
        </div>
      </details>
    </Filters>
  );
}

function VaultField({ view, vaults }: TransactionFiltersProps) {
  if (vaults === null || vaults.length === 0)
    return <TextField view={view} name="vault" label="Vault, by its identifier" />;
  const options = vaults
    .map(({ vault_id, name }) => [vault_id, onOneLine(name ?? vault_id).slice(0, 60)] as const)
    .toSorted(([, a], [, b]) => (a < b ? -1 : 1));
  return <ChoiceField view={view} name="vault" label="Vault, on either side" options={options} />;
}
