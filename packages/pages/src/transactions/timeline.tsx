// The statuses of a transaction one below the other, with how long each took and what is usual. Each change
// happened between two readings, so durations are shown as the shortest and the longest possible.

import { counted, lengthInWords, onOneLine } from '../../../../src/domain/words.ts';
import { type GetUsualTimesAnswer, pathSegment, type TransactionWithHistory } from '../api/interface.ts';
import { Export } from '../parts/export.tsx';
import { Badge } from '../parts/notice.tsx';
import { statusJudgement, typeInWords } from '../parts/transaction-types.ts';
import { Between, Moment } from '../parts/values.tsx';
import { useView } from '../view/view.ts';
import { between } from './words.ts';

type Usual = GetUsualTimesAnswer['data'];
type Entry = TransactionWithHistory['timeline'][number];

export interface TimelineProps {
  readonly transaction: TransactionWithHistory;
  readonly usual: Usual;
}

export function Timeline({ transaction, usual }: TimelineProps) {
  const { now } = useView();
  const path = `/v1/transactions/${pathSegment(transaction.transaction_id)}/timeline`;
  return (
    <section id="timeline">
      <h2>Timeline</h2>
      <ol class="timeline">
        {transaction.timeline.map((entry) => (
          <li>
            <Badge {...statusJudgement(entry.status)} /> {lasted(entry, transaction, now)}
            <p class="soft">{began(entry)}</p>
          </li>
        ))}
      </ol>
      <p>{usualInWords(usual, transaction)}</p>
      <p class="small">The service announces no changes: each happened between two reads.</p>
      <p class="beside">
        <Export source={{ path }} name="Timeline" />
      </p>
    </section>
  );
}

function began({ entered_bound, entered_after, entered_at }: Entry) {
  if (entered_bound === 'before the mirror began')
    return ['Began before the initial sync, which read it at ', <Moment at={entered_at} />];
  const word = entered_bound === 'first sighting' ? 'First seen ' : 'Began ';
  return [word, <Between after={entered_after} by={entered_at} />];
}

/** Shortest and longest time in a status, as the readings prove them. */
function lasted(entry: Entry, { is_open }: TransactionWithHistory, now: string): string {
  const { entered_after, entered_at, left_after, left_at, is_current } = entry;
  if (is_current) return is_open === true ? `for at least ${between(entered_at, now)}` : '';
  const least = between(entered_at, left_after) ?? '0 s';
  const most = between(entered_after, left_at);
  return `took ${least === most || most === null ? `at least ${least}` : `${least} to ${most}`}`;
}

function usualInWords(
  { completed, median_seconds, p95_seconds }: Usual,
  { transaction_type, asset_id }: TransactionWithHistory,
): string {
  const which = `${typeInWords(transaction_type).toLowerCase()} of ${onOneLine(asset_id ?? 'this asset').slice(0, 40)}`;
  if (completed < 5 || median_seconds === null || p95_seconds === null)
    return `The usual duration is not known: ${completed === 0 ? 'none' : 'only a few'} of this kind (${which}) have been observed from start to completion.`;
  return `95 % of the last ${counted(completed, 'completed transaction')} of this kind (${which}) completed within ${atLeast(p95_seconds)}, half of them within ${atLeast(median_seconds)}.`;
}

/** Zero is the time between two readings at most: it was done when it was first seen. */
function atLeast(seconds: number): string {
  return seconds === 0 ? 'one read' : lengthInWords(Math.ceil(seconds) * 1000);
}
