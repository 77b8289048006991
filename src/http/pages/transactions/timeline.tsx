// The statuses of a transaction on one scale of time. Each change happened between two readings: a full bar
// is when the transaction certainly had the status, a thin line is when it may have begun or ended. The words
// beside each bar say the same.
import type { TransactionWithHistory } from '../page/api.ts';
import { Export } from '../parts/export.tsx';
import { Badge } from '../parts/notice.tsx';
import { Between, Moment } from '../parts/values.tsx';
import { useView, type View } from '../view/view.ts';
import { between, statusJudgement } from './words.ts';

type Entry = TransactionWithHistory['timeline'][number];

interface TimelineProps {
  readonly transaction: TransactionWithHistory;
}

export function Timeline({ transaction }: TimelineProps) {
  const view = useView();
  const { transaction_id, timeline } = transaction;
  const scale = scaleOf(view, transaction);
  const api = `/v1/transactions/${encodeURIComponent(transaction_id)}/timeline`;
  return (
    <section id="timeline">
      <h2>Timeline</h2>
      <p class="soft">
        The service announces no changes: each happened between two readings of the mirror. A full bar is when
        the transaction certainly had the status, a thin line when it may have.
      </p>
      <ol class="timeline">
        {timeline.map((entry) => (
          <li>
            <Badge {...statusJudgement(entry.status)} />
            <Track entry={entry} scale={scale} />
            <p>
              <Began entry={entry} />
              <Lasted entry={entry} transaction={transaction} />
            </p>
          </li>
        ))}
      </ol>
      <p class="beside">
        <Export source={{ path: api }} name="Timeline" />
      </p>
    </section>
  );
}

function Began({ entry }: { readonly entry: Entry }) {
  const { entered_bound, entered_after, entered_at } = entry;
  if (entered_bound === 'before the mirror began')
    return (
      <>
        Began before the mirror, which first read it at <Moment at={entered_at} />
      </>
    );
  return (
    <>
      {entered_bound === 'first sighting' ? 'Appeared so ' : 'Began '}
      <Between after={entered_after} by={entered_at} />
    </>
  );
}

/** Shortest and longest time in a status, as the readings prove them. */
function Lasted({ entry, transaction }: TimelineProps & { readonly entry: Entry }) {
  const view = useView();
  const { entered_after, entered_at, left_after, left_at, is_current } = entry;
  if (is_current)
    return (
      <>{transaction.is_open === true ? `. It lasts, for at least ${between(entered_at, view.now)}.` : '.'}</>
    );
  const least = between(entered_at, left_after);
  const most = between(entered_after, left_at);
  const told =
    least === most || most === null ? `at least ${least ?? '0 s'}` : `${least ?? '0 s'} to ${most}`;
  return <>. It lasted {told}.</>;
}

interface Scale {
  readonly from: number;
  readonly to: number;
}

const width = 1000;

/**
 * From the first bound to the last change, or to now while it is open; a little more, in which the last
 * status goes on.
 */
function scaleOf(view: View, { timeline, is_open }: TransactionWithHistory): Scale {
  const moments = timeline.flatMap(({ entered_after, entered_at }) => [
    entered_after ?? entered_at,
    entered_at,
  ]);
  const times = moments.map((moment) => Date.parse(moment));
  const from = Math.min(...times);
  const last = Math.max(...times);
  if (is_open === true) return { from, to: Math.max(Date.parse(view.now), last + 1000) };
  return { from, to: last + Math.max(1000, (last - from) * 0.15) };
}

function Track({ entry, scale }: { readonly entry: Entry; readonly scale: Scale }) {
  const place = (moment: string) =>
    Math.min(width, Math.max(0, ((Date.parse(moment) - scale.from) / (scale.to - scale.from)) * width));
  const { entered_after, entered_at, left_after, left_at } = entry;
  const begin = place(entered_at);
  const end = left_at === null ? width : place(left_after ?? entered_at);
  const least = place(entered_after ?? entered_at);
  const most = left_at === null ? width : place(left_at);
  return (
    <svg class="track" viewBox={`0 0 ${width} 12`} preserveAspectRatio="none" aria-hidden="true">
      <rect fill="var(--grey-200)" x="0" y="5.5" width={String(width)} height="1" />
      <rect
        fill="var(--grey-500)"
        x={shown(least)}
        y="4"
        width={shown(Math.max(2, most - least))}
        height="4"
      />
      {end < begin ? null : (
        <rect
          fill="var(--accent)"
          x={shown(begin)}
          y="0"
          width={shown(Math.max(4, end - begin))}
          height="12"
        />
      )}
    </svg>
  );
}

function shown(value: number): string {
  return value.toFixed(1);
}
