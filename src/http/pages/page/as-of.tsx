// The line on every page: as of when its figures hold, and whether they are verified.
import type { Freshness, Health } from '../../../../packages/client/src/generated/types/api-types.ts';
import type { Resource } from '../../../domain/jobs.ts';
import { capitalized } from '../../../domain/words.ts';
import { Moment } from '../parts/moment.tsx';
import { addressOf, type View } from '../view/view.ts';

interface AsOfProps {
  readonly view: View;
  readonly about: readonly Resource[];
  readonly freshness: readonly Freshness[];
  readonly health: Health | null;
  /** The page shows how things were then. */
  readonly past: string | null;
}

export function AsOf({ view, about, freshness, health, past }: AsOfProps) {
  const rows = freshness.filter(({ resource }) => (about as readonly string[]).includes(resource));
  return (
    <aside class="as-of" id="as-of" aria-label="Freshness">
      {past === null ? null : (
        <p>
          <strong>
            As known at <Moment view={view} at={past} /> ({view.zone})
          </strong>
          , not as it is now.
        </p>
      )}
      <ul>
        {rows.map((row) => (
          <li>
            <ResourceState view={view} row={row} />
          </li>
        ))}
        {health === null ? null : (
          <li>
            Mirror: <a href={addressOf(view, '/mirror')}>{healthInWords(health.health)}</a>
          </li>
        )}
      </ul>
    </aside>
  );
}

/** As one says it in a sentence. */
function healthInWords(health: string): string {
  return health === 'attention' ? 'needs attention' : health;
}

function ResourceState({ view, row }: { readonly view: View; readonly row: Freshness }) {
  const { resource, is_mirrored, last_success_at, last_verified_at, is_failing, last_failure_at } = row;
  const name = capitalized(resource);
  if (!is_mirrored && last_success_at === null) return <>{name}: not mirrored</>;
  const failing = is_failing ? (
    <strong class="bad">
      , failing, last <Moment view={view} at={last_failure_at} as="age" />
    </strong>
  ) : null;
  if (last_success_at === null)
    return (
      <>
        {name}: not read to the end yet{failing}
      </>
    );
  return (
    <>
      {name} as of <Moment view={view} at={last_success_at} as="both" />
      {last_verified_at === null ? (
        <>, not verified yet</>
      ) : (
        <>
          , verified complete <Moment view={view} at={last_verified_at} as="age" />
        </>
      )}
      {failing}
      {is_mirrored ? null : <>, no longer mirrored</>}
    </>
  );
}
