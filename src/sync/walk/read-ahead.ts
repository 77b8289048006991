// Reads the next pages of a walk ahead, in parallel and under the client's limiter. A page that was read
// ahead is used only at exactly its offset; if another offset is wanted, all pages read ahead are dropped.
// What is read ahead is bounded in bytes, taking the next pages to be as long as the one that came last.
import { withLinkedSignal } from '../../base/waiting.ts';
import type { Page } from '../../domain/page.ts';

export type ReadPage<Record_> = (offset: number, signal: AbortSignal) => Promise<Page<Record_>>;

export interface ReadAhead<Record_> {
  /**
   * The page at this offset, read ahead or now.
   *
   * @param stride distance between the next offsets; 0 reads nothing ahead
   */
  take(offset: number, stride: number): Promise<Page<Record_>>;
  /** Whether the page at this offset was asked for before the one before it was answered. */
  holds(offset: number): boolean;
  /** Drops the pages that were read ahead. */
  discard(): void;
}

/** How much is read ahead at the most. */
export interface AheadLimits<Record_> {
  readonly pages: number;
  readonly bytes: number;
  readonly sizeOf: (page: Page<Record_>) => number;
}

export interface ReadAheadOptions<Record_> {
  readonly read: ReadPage<Record_>;
  /** Null reads nothing ahead. */
  readonly limits: AheadLimits<Record_> | null;
  /** No page is read ahead at or beyond this offset; null when the length is unknown. */
  readonly expectedLength: number | null;
  readonly signal: AbortSignal;
}

export function createReadAhead<Record_>(options: ReadAheadOptions<Record_>): ReadAhead<Record_> {
  let queue: { readonly offset: number; readonly page: Promise<Page<Record_>> }[] = [];
  let generation = new AbortController();
  const end = options.expectedLength ?? Number.POSITIVE_INFINITY;
  /** None until a page has shown how long pages are. */
  let mostPages = 0;

  const learnSize = (page: Page<Record_>) => {
    if (options.limits === null) return;
    const { pages, bytes, sizeOf } = options.limits;
    mostPages = Math.min(pages, Math.floor(bytes / Math.max(1, sizeOf(page))));
  };
  const begin = (offset: number) => {
    const page = withLinkedSignal([options.signal, generation.signal], (signal) =>
      options.read(offset, signal),
    );
    // A dropped page may fail without anybody awaiting it.
    page.then(learnSize, () => undefined);
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
    holds: (offset) => queue[0]?.offset === offset,
    take(offset, stride) {
      if (queue[0]?.offset !== offset) discard();
      if (queue.length === 0) begin(offset);
      const wanted = queue.shift();
      if (wanted === undefined) throw new Error('a page was started above');
      let next = queue.at(-1)?.offset ?? offset;
      while (stride > 0 && queue.length < mostPages && next + stride < end) {
        next += stride;
        begin(next);
      }
      return wanted.page;
    },
  };
}
