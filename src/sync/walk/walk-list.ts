// Drives a walk (walk.ts) against a service: makes its requests, reads pages ahead, and passes the pages on
// in order. Invariant: pages read ahead are used only while they show a list that did not move.
import { sleep as realSleep, type Sleep } from '../../base/loop.ts';
import { withLinkedSignal } from '../../base/waiting.ts';
import { isRefusal } from '../../domain/errors.ts';
import type { Page, PageRequest } from '../../domain/page.ts';
import type { WalkView } from './ledger.ts';
import { keysOf } from './overlap.ts';
import type { SeenKeys, WalkAnswer, WalkPart, WalkRules, WalkState } from './state.ts';
import type { Verdict } from './verdict.ts';
import { answerWalk, newWalk, requestOf, resumeWalk, verdictOf, type WalkRequest } from './walk.ts';

export interface WalkOptions<Record_> extends WalkRules {
  readonly read: (request: PageRequest, signal: AbortSignal) => Promise<Page<Record_>>;
  /** Null reads one page after the other. */
  readonly ahead: AheadLimits<Record_> | null;
  readonly resume?: WalkState | null;
  /** Receives the pages in order. The position is null when the walk could not be resumed from there. */
  readonly onPage: (page: Page<Record_>, position: WalkState | null, part: WalkPart) => Promise<void>;
  /** Collects the keys of the walk, those of a page after `onPage`; empty at the start. */
  readonly met: SeenKeys & { add(key: string): void };
  /** How long to wait before an empty list is read again; doubles each time. */
  readonly recheckMs: number;
  readonly sleep?: Sleep;
  readonly signal: AbortSignal;
}

/** Walks the whole list once. Rejects when a request fails for good; the last position can be resumed. */
export async function walkList<Record_>(options: WalkOptions<Record_>): Promise<Verdict> {
  const { met, onPage, resume = null, signal } = options;
  const view: WalkView = { rules: options, met };
  const ahead = createReadAhead(
    (offset, readSignal) => options.read(requestAt(options, offset), readSignal),
    options,
  );
  let state = resume === null ? newWalk() : resumeWalk(resume, view);
  // The frame of a loop would keep each page while the next one is read.
  const turn = async (request: WalkRequest) => {
    if (request.isRecheck) await pause(state, options);
    const isAhead = state.phase.name === 'forward' && ahead.holds(request.offset);
    const page = await readFor(state, request, ahead, options.paging);
    const step = answerWalk(state, view, answerOf(page));
    if (isMoved(state, step.state)) {
      ahead.discard();
      // It may be older than the page before it, and show a removal as growth: it is asked for again.
      if (isAhead) return;
    }
    state = step.state;
    if (page === null || step.part === null) return;
    await onPage(page, canResume(state) ? state : null, step.part);
    for (const item of page.items) met.add(item.key);
  };
  try {
    for (let request = requestOf(state); request !== null; request = requestOf(state)) {
      signal.throwIfAborted();
      await turn(request);
    }
  } finally {
    ahead.discard();
  }
  return verdictOf(state);
}

/** Reads a page; null when the service refuses the offset on a list that is not known to be paged. */
async function readFor<Record_>(
  { phase, evidence }: WalkState,
  { offset, stride }: WalkRequest,
  ahead: ReadAhead<Record_>,
  paging: WalkRules['paging'],
): Promise<Page<Record_> | null> {
  if (phase.name !== 'forward') ahead.discard();
  try {
    return await ahead.take(offset, stride);
  } catch (error) {
    // After an offset was honoured, a refusal is a fault like any other.
    const isFirst = phase.name === 'forward' && evidence.overlaps === 0 && evidence.searches === 0;
    if (isFirst && paging === 'unknown' && isRefusal(error)) return null;
    throw error;
  }
}

function answerOf(page: Page<unknown> | null): WalkAnswer {
  return {
    keys: page === null ? [] : keysOf(page),
    hasUndecodable: page?.items.some((item) => item.kind === 'undecodable') ?? false,
    isRefused: page === null,
  };
}

/** Whether the page shows that the list moved: then pages that were read ahead are out of date. */
function isMoved(before: WalkState, after: WalkState): boolean {
  const { grew, shrank } = after.evidence;
  return grew !== before.evidence.grew || shrank !== before.evidence.shrank;
}

/** A list without an order is read from its beginning; a search would forget the displaced records. */
function canResume({ phase }: WalkState): boolean {
  const isDisplaced = phase.name === 'search' && phase.displaced.length > 0;
  return phase.name !== 'unordered' && !isDisplaced;
}

async function pause(
  { phase }: WalkState,
  options: Pick<WalkOptions<unknown>, 'sleep' | 'recheckMs' | 'signal'>,
): Promise<void> {
  const readings = 'emptyReadings' in phase ? phase.emptyReadings : 1;
  const { sleep = realSleep, recheckMs, signal } = options;
  await sleep(recheckMs * 2 ** (readings - 1), signal);
}

function requestAt({ paging, limit }: WalkRules, offset: number): PageRequest {
  if (paging === 'documented') return { limit, offset };
  return offset === 0 ? {} : { offset };
}

// Reads the next pages of a walk ahead, in parallel and under the client's limiter. A page that was read
// ahead is used only at exactly its offset; if another offset is wanted, all pages read ahead are dropped.
// Reading ahead is bounded in bytes, assuming that the next pages are as long as the one that came last.

type ReadAhead<Record_> = ReturnType<typeof createReadAhead<Record_>>;

/** How much is read ahead at the most. */
interface AheadLimits<Record_> {
  readonly pages: number;
  readonly bytes: number;
  readonly sizeOf: (page: Page<Record_>) => number;
}

/** No page is read ahead at or beyond the expected length. */
export function createReadAhead<Record_>(
  read: (offset: number, signal: AbortSignal) => Promise<Page<Record_>>,
  { ahead, expectedLength, signal }: Pick<WalkOptions<Record_>, 'ahead' | 'expectedLength' | 'signal'>,
) {
  let queue: { readonly offset: number; readonly page: Promise<Page<Record_>> }[] = [];
  let generation = new AbortController();
  const end = expectedLength ?? Number.POSITIVE_INFINITY;
  /** None until a page has shown how long pages are. */
  let mostPages = 0;

  const learnSize = (page: Page<Record_>) => {
    if (ahead === null) return;
    const { pages, bytes, sizeOf } = ahead;
    mostPages = Math.min(pages, Math.floor(bytes / Math.max(1, sizeOf(page))));
  };
  const begin = (offset: number) => {
    const page = withLinkedSignal([signal, generation.signal], (either) => read(offset, either));
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
    /** Drops the pages that were read ahead. */
    discard,
    /** Whether the page at this offset was asked for before the one before it was answered. */
    holds: (offset: number) => queue[0]?.offset === offset,
    /**
     * The page at this offset, read ahead or now.
     *
     * @param stride distance between the next offsets; 0 reads nothing ahead
     */
    take(offset: number, stride: number): Promise<Page<Record_>> {
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
