// One side of a transaction: a vault, a destination of the whitelist, or an address outside, with the way to
// its page.
import type { Child } from 'hono/jsx';
import { Link, UntrustedText } from '../parts/values.tsx';
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

/** Leads to the page of a vault or an entry of the whitelist; other sides have none. */
export function SideLink({
  side: { type, id },
  children,
}: {
  readonly side: Side;
  readonly children: Child;
}) {
  if (id && type === 'vault') return <Link to={vaultPath(id)}>{children}</Link>;
  if (id && type === 'whitelist') return <Link to={entryPath(id)}>{children}</Link>;
  return <>{children}</>;
}

/** The name, or what else tells the side apart, and below it of which kind it is. */
export function Party({ side }: { readonly side: Side }) {
  const name = side.name || side.id;
  return (
    <>
      <SideLink side={side}>
        {name ? (
          <UntrustedText text={name} most={60} />
        ) : (
          <UntrustedText text={side.address} code most={24} none="unknown" />
        )}
      </SideLink>
      <br />
      <span class="soft">
        <UntrustedText text={side.type} most={40} none="" />
      </span>
    </>
  );
}
