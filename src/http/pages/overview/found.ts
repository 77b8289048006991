// What the overview shows of a question that may take long: the rows of the answer that is kept
// (page/cached-answers.ts), or that there is none yet.
import type { Rows } from '../page/ask.ts';
import type { LastAnswer } from '../page/cached-answers.ts';

export type Found<Row> =
  /** Being computed for the first time, or it could not be. */
  | { readonly state: 'pending' | 'failed' }
  | {
      readonly state: 'known';
      readonly askedAt: string;
      readonly rows: readonly Row[];
      /** There are more rows, or days that were not reached. */
      readonly isPart: boolean;
    };

export function foundOf<Row>(last: LastAnswer<Rows<Row>>): Found<Row> {
  if (last === null) return { state: 'pending' };
  if ('failed' in last) return { state: 'failed' };
  // Never read: the freshness of the resource says so.
  if ('unknown' in last) return { state: 'known', askedAt: last.askedAt, rows: [], isPart: false };
  const { answer, askedAt } = last;
  // The time limit ended before a day with a row was found; the other days are unknown.
  if (answer.data.length === 0 && answer.next_cursor !== null) return { state: 'pending' };
  return { state: 'known', askedAt, rows: answer.data, isPart: answer.next_cursor !== null };
}

export function rowsOf<Row>(found: Found<Row>): readonly Row[] {
  return found.state === 'known' ? found.rows : [];
}
