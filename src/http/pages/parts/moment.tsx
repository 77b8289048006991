// A moment as people read it: in the reader's zone; its title and `datetime` hold it exactly.
import { agoInWords } from '../../../domain/words.ts';
import type { View } from '../view/view.ts';
import { localTime } from '../view/zone.ts';

interface MomentProps {
  readonly view: View;
  /** RFC 3339; null for what is not known. */
  readonly at: string | null | undefined;
  /** Instead of the time, how long ago it was; or both. */
  readonly as?: 'time' | 'age' | 'both';
  /** What stands for null. Default `unknown`. */
  readonly none?: string;
}

export function Moment({ view, at, as = 'time', none = 'unknown' }: MomentProps) {
  if (at === null || at === undefined) return <span class="soft">{none}</span>;
  const time = shownTime(at, view);
  const age = agoInWords(at, view.now);
  return (
    <time datetime={at} title={as === 'age' ? `${time} (${at})` : at}>
      {as === 'age' ? age : time}
      {as === 'both' ? <span class="soft"> ({age})</span> : null}
    </time>
  );
}

/** `2026-11-20 19:32:00` in the reader's zone. */
export function shownTime(at: string, { zone }: View): string {
  return localTime(at, zone).replace('T', ' ');
}

/** A bounded moment: between two readings. */
export function Between({
  view,
  after,
  by,
}: {
  readonly view: View;
  readonly after: string | null;
  readonly by: string | null;
}) {
  if (by === null) return <span class="soft">unknown</span>;
  if (after === null)
    return (
      <span>
        by <Moment view={view} at={by} />
      </span>
    );
  return (
    <span>
      between <Moment view={view} at={after} /> and <Moment view={view} at={by} />
    </span>
  );
}
