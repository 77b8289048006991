// How a transaction stands, in a sentence: done, ended without success, vanished, or open, and then since
// when, what it waits for, and how long transactions like it take.
import { capitalized, counted, lengthInWords, onOneLine } from '../../../domain/words.ts';
import type { Tone } from '../../../status/words.ts';
import type { GetUsualTimesAnswer, TransactionWithHistory } from '../page/api.ts';
import { Notice } from '../parts/notice.tsx';
import { typeInWords } from '../parts/transaction-types.ts';
import { Moment } from '../parts/values.tsx';
import { useView } from '../view/view.ts';
import { between, statusJudgement, waitInWords } from './words.ts';

type Usual = GetUsualTimesAnswer['data'];

interface StandingProps {
  readonly transaction: TransactionWithHistory;
  /** Only for an open one. */
  readonly usual: Usual | null;
}

export function Standing({ transaction, usual }: StandingProps) {
  const { status, missing_since, is_open } = transaction;
  const { word, tone } = statusJudgement(status);
  if (missing_since !== null)
    return (
      <Notice tone="bad" title={`${capitalized(word)}, and no longer shown by the service`}>
        <p>
          The service has not shown it since <Moment at={missing_since} />: two complete readings of the list
          did not hold it, and asking for it by its identifier did not find it.
          {is_open === null ? ' It was not done then; its later status is unknown.' : ''}
        </p>
      </Notice>
    );
  if (is_open === true && usual !== null) return <Open transaction={transaction} usual={usual} />;
  return (
    <Notice tone={tone} title={capitalized(word)}>
      <Settled transaction={transaction} />
    </Notice>
  );
}

function Settled({ transaction }: Omit<StandingProps, 'usual'>) {
  const { settled_at, first_seen_after, first_seen_at, is_older_than_mirror, timeline } = transaction;
  if (settled_at === null)
    return <p>It was settled before the mirror first saw it. When that was is not known.</p>;
  const [last] = timeline.slice(-1);
  // The mirror knows bounds: it was seen open until the reading before the one that showed it settled.
  const longest = is_older_than_mirror ? null : between(first_seen_after, settled_at);
  const least =
    last === undefined || is_older_than_mirror ? null : between(first_seen_at, last.entered_after);
  const isSeen = timeline.length > 1 && least !== null;
  return (
    <p>
      First seen so at <Moment at={settled_at} as="both" />.{' '}
      {longest === null
        ? ''
        : isSeen
          ? `From its creation to this it took at least ${least} and at most ${longest}.`
          : `From its creation to this it took at most ${longest}.`}
    </p>
  );
}

function Open({
  transaction,
  usual,
}: {
  readonly transaction: TransactionWithHistory;
  readonly usual: Usual;
}) {
  const view = useView();
  const { status, first_seen_at, is_older_than_mirror, status_since } = transaction;
  const openMs = Date.parse(view.now) - Date.parse(first_seen_at);
  const isLate = usual.p95_seconds !== null && openMs > usual.p95_seconds * 1000;
  const tone: Tone = isLate ? 'bad' : 'note';
  const word = onOneLine(status).slice(0, 60);
  return (
    <Notice
      tone={tone}
      title={`Open for ${is_older_than_mirror ? 'at least ' : ''}${lengthInWords(openMs)}: ${word}${isLate ? ', longer than usual' : ''}`}
    >
      <p>
        {waitInWords(status)} The service has shown it as {word} since <Moment at={status_since} as="both" />
        {'; it gives no reason.'}
      </p>
      <p>{usualInWords(usual, transaction)}</p>
    </Notice>
  );
}

function usualInWords(
  { completed, median_seconds, p95_seconds }: Usual,
  { transaction_type, asset_id }: TransactionWithHistory,
): string {
  const which = `${typeInWords(transaction_type).toLowerCase()} of ${onOneLine(asset_id ?? 'this asset').slice(0, 40)}`;
  if (completed < 5 || median_seconds === null || p95_seconds === null)
    return `How long this usually takes is not known: the mirror has seen ${completed === 0 ? 'none' : 'only a few'} of this kind (${which}) completed from its beginning.`;
  return `95 % of the last ${counted(completed, `completed transaction`)} of this kind (${which}) were done within ${atLeast(p95_seconds)}, half of them within ${atLeast(median_seconds)}.`;
}

/** Zero is the time between two readings at most: it was done when it was first seen. */
function atLeast(seconds: number): string {
  return seconds === 0 ? 'one reading' : lengthInWords(Math.ceil(seconds) * 1000);
}
