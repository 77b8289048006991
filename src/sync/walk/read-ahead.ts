// Reads the next pages of a walk before they are asked for, in parallel and under the client's limiter. A prediction is
// used only when it was for exactly the offset that is wanted; otherwise everything read ahead is given up.
import { withLinkedSignal } from '../../base/waiting.ts';
import type { Page } from '../../domain/page.ts';

export type ReadPage<Record_> = (offset: number, signal: AbortSignal) => Promise<Page<Record_>>;

export interface ReadAhead<Record_> {
  /**
   * The page at this offset, read ahead or read now.
   *
   * @param stride distance to the next offset that will be wanted; 0 reads nothing ahead
   */
  take(offset: number, stride: number): Promise<Page<Record_>>;
  /** Gives up what was read ahead. */
  discard(): void;
}

export interface ReadAheadOptions<Record_> {
  readonly read: ReadPage<Record_>;
  readonly pages: number;
  /** No page beginning at or beyond this offset is worth reading ahead; null when the length is unknown. */
  readonly expectedLength: number | null;
  readonly signal: AbortSignal;
}

export function createReadAhead<Record_>(options: ReadAheadOptions<Record_>): ReadAhead<Record_> {
  let queue: { readonly offset: number; readonly page: Promise<Page<Record_>> }[] = [];
  let generation = new AbortController();
  const limit = options.expectedLength ?? Number.POSITIVE_INFINITY;

  const begin = (offset: number) => {
    const page = withLinkedSignal([options.signal, generation.signal], (signal) =>
      options.read(offset, signal),
    );
    page.catch(() => undefined); // a page that is given up may fail unheard
    queue.push({ offset, page });
  };
  const discard = () => {
    if (queue.length === 0) return;
    queue = [];
    generation.abort();
    generation = new AbortController();
  };

  return {
    discard,
    take(offset, stride) {
      if (queue[0]?.offset !== offset) discard();
      if (queue.length === 0) begin(offset);
      const wanted = queue.shift();
      if (wanted === undefined) throw new Error('a page was begun above');
      let next = queue.at(-1)?.offset ?? offset;
      while (stride > 0 && queue.length < options.pages && next + stride < limit) {
        next += stride;
        begin(next);
      }
      return wanted.page;
    },
  };
}
