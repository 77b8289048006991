// What became of a transaction: its status in a sentence, all its statuses, its other changes and its record.
// Each change happened between two readings, so durations are the shortest and the longest possible.
import { parse, stringify } from 'lossless-json';
import type { GetUsualTimesAnswer, TransactionWithHistory } from '../api/ask.ts';
import { capitalized, counted, lengthInWords, onOneLine, pathSegment } from '../api/words.ts';
import { Export } from '../parts/export.tsx';
import { Badge, isStuck, Notice, statusJudgement, typeInWords } from '../parts/notice.tsx';
import { type Column, Table, textColumn } from '../parts/table.tsx';
import { Between, Moment, UntrustedText } from '../parts/values.tsx';
import { useView } from '../view/view.ts';
import { between, waitInWords } from './rows.tsx';

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

/** Zero stands for less than the time between two readings: it was done when it was first seen. */
function atLeast(seconds: number): string {
  return seconds === 0 ? 'one read' : lengthInWords(Math.ceil(seconds) * 1000);
}

type Change = ReturnType<typeof changesOf>[number];

function changesOf({ revisions }: TransactionWithHistory) {
  return revisions.flatMap(({ observed_at: at, changed_fields, before, after }) =>
    changed_fields.map((field) => ({ at, field, before: before[field], after: after[field] })),
  );
}

export function Revisions({ transaction }: { readonly transaction: TransactionWithHistory }) {
  const { transaction_id } = transaction;
  return (
    <Table
      id="changes"
      caption="Other changes"
      noun="change"
      columns={columns}
      rows={changesOf(transaction)}
      empty="Only its status has changed."
      source={{ path: `/v1/transactions/${pathSegment(transaction_id)}/revisions` }}
    />
  );
}

const columns: readonly Column<Change>[] = [
  { title: 'Seen at', cell: ({ at }) => <Moment at={at} as="short" /> },
  textColumn(
    'Field',
    ({ field }) => fields.get(field) ?? field.replace(/^raw\./, 'field of the record: ').replaceAll('_', ' '),
  ),
  { title: 'Before', cell: ({ before }) => <Value value={before} /> },
  { title: 'After', cell: ({ after }) => <Value value={after} /> },
];

const fields = new Map([
  ['txn_hash', 'hash'],
  ['blockexplorer_link', 'link to the explorer'],
  ['missing_since', 'no longer listed since'],
]);

/** An absent value is distinguished from an empty one. */
function Value({ value }: { readonly value: unknown }) {
  if (value === undefined || value === null) return <span class="soft">none</span>;
  if (value === '') return <span class="soft">empty</span>;
  return <UntrustedText text={typeof value === 'string' ? value : JSON.stringify(value)} most={500} />;
}

const longest = 60_000;

export function RawRecord({ text }: { readonly text: string }) {
  const { data } = parse(text) as { readonly data: { readonly raw: unknown } };
  const record = visible(stringify(data.raw, null, 2) ?? '');
  const isCut = record.length > longest;
  return (
    <section>
      <h2>Record as received</h2>
      <p class="soft">All fields, as of the last change, in the order in which the database keeps them.</p>
      <details>
        <summary>Show the record</summary>
        <pre class="raw" dir="ltr">
          {record.slice(0, longest)}
        </pre>
        {isCut ? <p>Truncated: see the JSON of this transaction.</p> : null}
      </details>
    </section>
  );
}

/** Characters that change the direction of text or are not seen, as `\\u202e`; line breaks stay. */
function visible(json: string): string {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return json.replace(/[\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u007f-\u009f]/gu, (found) =>
    found.split('').map(escaped).join(''),
  );
}
