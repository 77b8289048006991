// The current status of a transaction in a sentence: completed, ended without success, missing, or open;
// then since when, what it is waiting for, and whether that is long.
import { capitalized, lengthInWords } from '../../../../src/domain/words.ts';
import { Notice } from '../parts/notice.tsx';
import { isStuck, statusJudgement } from '../parts/transaction-types.ts';
import { Moment } from '../parts/values.tsx';
import { useView } from '../view/view.ts';
import type { TimelineProps } from './timeline.tsx';
import { between, waitInWords } from './words.ts';

export function CurrentStatus({ transaction, usual }: TimelineProps) {
  const { status, missing_since, is_open } = transaction;
  const { word, tone } = statusJudgement(status);
  if (missing_since !== null)
    return (
      <Notice tone="bad" title={`${capitalized(word)}, no longer listed by the service`}>
        <p>
          Missing from the service since <Moment at={missing_since} />: two complete reads of the list did not
          include it, and a lookup by its identifier did not find it.
          {is_open === null ? ' It was still open then; its later status is unknown.' : ''}
        </p>
      </Notice>
    );
  if (is_open === true) return <Open transaction={transaction} usual={usual} />;
  return (
    <Notice tone={tone} title={capitalized(word)}>
      <Settled transaction={transaction} />
    </Notice>
  );
}

function Settled({ transaction }: Omit<TimelineProps, 'usual'>) {
  const { settled_at, first_seen_after, first_seen_at, is_older_than_mirror, timeline } = transaction;
  if (settled_at === null)
    return <p>It was already settled at the initial sync. When it settled is not known.</p>;
  const [last] = timeline.slice(-1);
  // The mirror knows bounds: it was seen open until the reading before the one that showed it settled.
  const longest = is_older_than_mirror ? null : between(first_seen_after, settled_at);
  const least = timeline.length > 1 ? between(first_seen_at, last?.entered_after ?? null) : null;
  const atLeast = least === null ? '' : `at least ${least} and `;
  return (
    <p>
      First seen in this status at <Moment at={settled_at} as="both" />.{' '}
      {longest === null ? '' : `From creation it took ${atLeast}at most ${longest}.`}
    </p>
  );
}

function Open({ transaction, usual }: TimelineProps) {
  const view = useView();
  const { status, first_seen_at, is_older_than_mirror, status_since } = transaction;
  const openMs = Date.parse(view.now) - Date.parse(first_seen_at);
  const isLate = usual.p95_seconds !== null && openMs > usual.p95_seconds * 1000;
  const isLong = isStuck(transaction, view);
  const judged = `${isLong ? ', stuck' : ''}${isLate ? ', longer than usual' : ''}`;
  const { word } = statusJudgement(status);
  return (
    <Notice
      tone={isLong || isLate ? 'bad' : 'note'}
      title={`Open for ${is_older_than_mirror ? 'at least ' : ''}${lengthInWords(openMs)}: ${word}${judged}`}
    >
      <p>
        {waitInWords(status)} It has been {word} since <Moment at={status_since} as="both" />; the service
        gives no reason.
        {isLong ? ' Transactions open for more than a day count as stuck, even if others took as long.' : ''}
      </p>
    </Notice>
  );
}
