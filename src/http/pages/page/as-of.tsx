// The line on every page: as of when its figures hold, and whether they are verified.
import { isDay } from '../../../domain/instant.ts';
import type { Resource } from '../../../domain/jobs.ts';
import { capitalized } from '../../../domain/words.ts';
import { Link, Moment } from '../parts/values.tsx';
import { dayInWords } from '../view/days.ts';
import { accountZone, useView } from '../view/view.ts';
import type { Freshness, Health } from './api.ts';

interface AsOfProps {
  readonly about: readonly Resource[];
  readonly freshness: readonly Freshness[];
  readonly health: Health | null;
  /** The page shows how things were then. */
  readonly past: string | null;
}

export function AsOf({ about, freshness, health, past }: AsOfProps) {
  const rows = freshness.filter(({ resource }) => (about as readonly string[]).includes(resource));
  return (
    <aside class="as-of" id="as-of" aria-label="Freshness">
      {past === null ? null : (
        <p>
          <strong>
            <KnownAt at={past} />
          </strong>
          , not as it is now.
        </p>
      )}
      <ul>
        {rows.map((row) => (
          <li>
            <ResourceState row={row} />
          </li>
        ))}
        {health === null ? null : (
          <li>
            Mirror: <Link to="/mirror">{healthInWords(health.health)}</Link>
          </li>
        )}
      </ul>
    </aside>
  );
}

function KnownAt({ at }: { readonly at: string }) {
  const view = useView();
  if (isDay(at))
    return (
      <>
        At the end of {dayInWords(at)} ({view.closed?.time_zone ?? accountZone(view)})
      </>
    );
  return (
    <>
      As known at <Moment at={at} /> ({view.zone})
    </>
  );
}

/** As one says it in a sentence. */
function healthInWords(health: string): string {
  return health === 'attention' ? 'needs attention' : health;
}

function ResourceState({ row }: { readonly row: Freshness }) {
  const { resource, is_mirrored, last_success_at, last_verified_at, is_failing, last_failure_at } = row;
  const name = capitalized(resource);
  if (!is_mirrored && last_success_at === null) return <>{name}: not mirrored</>;
  const failing = is_failing ? (
    <strong class="bad">
      , failing, last <Moment at={last_failure_at} as="age" />
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
      {name} as of <Moment at={last_success_at} as="both" />
      {last_verified_at === null ? (
        <>, not verified yet</>
      ) : (
        <>
          , verified complete <Moment at={last_verified_at} as="age" />
        </>
      )}
      {failing}
      {is_mirrored ? null : <>, no longer mirrored</>}
    </>
  );
}
