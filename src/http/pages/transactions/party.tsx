// One side of a transaction: a vault, a destination of the whitelist, or an address outside, with the way to
// its page.
import { TextLink, UntrustedText } from '../parts/values.tsx';
import { entryPath, vaultPath } from '../view/view.ts';

export type SideName = 'source' | 'destination';
type Part = 'type' | 'id' | 'name' | 'address';
type Side = Readonly<Record<Part, string | null>>;

export function sideOf(row: Readonly<Record<`${SideName}_${Part}`, string | null>>, side: SideName): Side {
  return {
    type: row[`${side}_type`],
    id: row[`${side}_id`],
    name: row[`${side}_name`],
    address: row[`${side}_address`],
  };
}

/** The page of a vault or an entry of the whitelist; other sides have none. */
export function pathOfSide({ type, id }: Pick<Side, 'type' | 'id'>): string | null {
  if (id && type === 'vault') return vaultPath(id);
  return id && type === 'whitelist' ? entryPath(id) : null;
}

/** The name, or what else tells the side apart, and below it of which kind it is. */
export function Party({ side }: { readonly side: Side }) {
  const name = side.name || side.id;
  return (
    <>
      {name ? (
        <TextLink to={pathOfSide(side)} text={name} most={60} />
      ) : (
        <UntrustedText text={side.address} code most={24} none="unknown" />
      )}
      <br />
      <span class="soft">
        <UntrustedText text={side.type} most={40} none="" />
      </span>
    </>
  );
}
