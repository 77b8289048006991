// The answer of a page of days in one sentence.
import { counted } from '../../../domain/words.ts';
import type { Given } from '../../api/answer/parameters.ts';
import type { ReconciledDay } from '../page/api.ts';
import { Notice } from '../parts/notice.tsx';
import { dayInWords } from '../view/days.ts';
import type { ShownDays } from './days.ts';

interface VerdictProps {
  readonly rows: readonly ReconciledDay[];
  readonly shown: ShownDays;
  readonly given: Given;
  readonly isWhole: boolean;
}

/** The answer in a sentence; only where the page holds all assets of its days. */
export function Verdict({ rows, shown, given, isWhole }: VerdictProps) {
  if (!isWhole || given['asset_id'] !== undefined || given['is_explained'] !== undefined || rows.length === 0)
    return null;
  const count = (state: boolean | null) => rows.filter(({ is_explained }) => is_explained === state).length;
  const [bad, unknown] = [count(false), count(null)];
  const span = `from ${dayInWords(shown.first)} to ${dayInWords(shown.last)}`;
  if (bad > 0)
    return (
      <Notice tone="bad" title={`${counted(bad, 'difference')} without an explanation`}>
        <p>
          Among {counted(rows.length, 'figure')} {span}.{' '}
          {unknown > 0 ? `${counted(unknown, 'figure')} not known.` : ''}
        </p>
      </Notice>
    );
  return (
    <Notice
      tone={unknown > 0 ? 'note' : 'good'}
      title={
        unknown > 0
          ? `${counted(unknown, 'figure')} not known, all others explained`
          : 'Transactions explain every balance'
      }
    >
      <p>
        {counted(rows.length, 'figure')} {span}.
      </p>
    </Notice>
  );
}
