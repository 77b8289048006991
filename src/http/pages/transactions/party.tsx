// One side of a transaction: a vault, a destination of the whitelist, or an address outside, with the way to its page.
import { UntrustedText } from '../parts/text.tsx';
import { entryAddress, vaultAddress } from '../view/places.ts';
import type { View } from '../view/view.ts';

export interface Side {
  readonly type: string | null;
  readonly id: string | null;
  readonly name: string | null;
  readonly address: string | null;
}

interface Sides {
  readonly source_type: string | null;
  readonly source_id: string | null;
  readonly source_name: string | null;
  readonly source_address: string | null;
  readonly destination_type: string | null;
  readonly destination_id: string | null;
  readonly destination_name: string | null;
  readonly destination_address: string | null;
}

/** @param names of vaults and whitelist entries now, where the transaction itself names none */
export function sidesOf(row: Sides): { readonly source: Side; readonly destination: Side } {
  return {
    source: {
      type: row.source_type,
      id: row.source_id,
      name: row.source_name,
      address: row.source_address,
    },
    destination: {
      type: row.destination_type,
      id: row.destination_id,
      name: row.destination_name,
      address: row.destination_address,
    },
  };
}

/** The page of a side: of a vault or an entry of the whitelist; null for what has none. */
export function pageOfSide(view: View, { type, id }: Side): string | null {
  if (id === null || id === '') return null;
  if (type === 'vault') return vaultAddress(view, id);
  if (type === 'whitelist') return entryAddress(view, id);
  return null;
}

/** The name, or what else tells the side apart, and below it of which kind it is. */
export function Party({ view, side }: { readonly view: View; readonly side: Side }) {
  const page = pageOfSide(view, side);
  const name = side.name === '' ? null : side.name;
  const id = side.id === '' ? null : side.id;
  const shown =
    name !== null || id !== null ? (
      <UntrustedText text={name ?? id} most={60} />
    ) : (
      <UntrustedText text={side.address} code most={24} none="unknown" />
    );
  return (
    <>
      {page === null ? shown : <a href={page}>{shown}</a>}
      <br />
      <span class="soft">
        <UntrustedText text={side.type} most={40} none="" />
      </span>
    </>
  );
}
