// Drives a walk (walk.ts) against a service: asks for what it wants, reads pages ahead, and hands pages on in order.
// Invariant: a page read ahead counts only while the list does not move.
import { sleep as realSleep, type Sleep } from '../../base/loop.ts';
import { isRefusal } from '../../domain/errors.ts';
import type { Page, PageRequest } from '../../domain/page.ts';
import type { WalkView } from './ledger.ts';
import { keysOf } from './overlap.ts';
import { createReadAhead, type ReadAhead } from './read-ahead.ts';
import type { Answer, Met, WalkPart, WalkRules, WalkState } from './state.ts';
import type { Verdict } from './verdict.ts';
import { answerWalk, newWalk, requestOf, resumeWalk, verdictOf, type WalkRequest } from './walk.ts';

export interface WalkOptions<Record_> extends WalkRules {
  readonly read: (request: PageRequest, signal: AbortSignal) => Promise<Page<Record_>>;
  /** Pages to read ahead. */
  readonly ahead: number;
  readonly resume?: WalkState | null;
  /** Takes the pages in order. The position is null where a walk cannot be resumed. */
  readonly onPage: (page: Page<Record_>, position: WalkState | null, part: WalkPart) => Promise<void>;
  /** Keeps the keys of the walk's pages; empty when the walk begins. */
  readonly met: Met & { add(key: string): void };
  /** How long to wait before an answer that may be a passing fault is asked for again; it doubles each time. */
  readonly secondThoughtMs: number;
  readonly sleep?: Sleep;
  readonly signal: AbortSignal;
}

/** Walks the whole list once. Rejects with the fault when a request fails for good; the last position can be resumed. */
export async function walkList<Record_>(options: WalkOptions<Record_>): Promise<Verdict> {
  const { met, onPage, resume = null, signal } = options;
  const view: WalkView = { rules: options, met };
  const ahead = createReadAhead({
    read: (offset, readSignal) => options.read(requestAt(options, offset), readSignal),
    pages: options.ahead,
    expectedLength: options.expectedLength,
    signal,
  });
  let state = resume === null ? newWalk() : resumeWalk(resume, view);
  try {
    for (let request = requestOf(state); request !== null; request = requestOf(state)) {
      signal.throwIfAborted();
      if (request.isSecondThought) await pause(state, options);
      const page = await readFor(state, request, ahead, options.paging);
      const step = answerWalk(state, view, answerOf(page));
      if (isMoved(state, step.state)) ahead.discard();
      state = step.state;
      if (page === null || step.part === null) continue;
      for (const item of page.items) met.add(item.key);
      await onPage(page, canResume(state) ? state : null, step.part);
    }
  } finally {
    ahead.discard();
  }
  return verdictOf(state);
}

/** Null where the request is refused for its offset, on a list that is not known to be paged. */
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
    // Once an offset was honoured, a refusal is a fault as any other.
    const isFirst = phase.name === 'forward' && evidence.overlaps === 0 && evidence.searches === 0;
    if (isFirst && paging === 'unknown' && isRefusal(error)) return null;
    throw error;
  }
}

function answerOf(page: Page<unknown> | null): Answer {
  return {
    keys: page === null ? [] : keysOf(page),
    hasUndecodable: page?.items.some((item) => item.kind === 'undecodable') ?? false,
    isRefused: page === null,
  };
}

/** Pages read ahead of a list that moved were answered before it did. */
function isMoved(before: WalkState, after: WalkState): boolean {
  const { grew, shrank } = after.evidence;
  return grew !== before.evidence.grew || shrank !== before.evidence.shrank;
}

/** A list without an order is read from its beginning each time, and a place that has to be read again is not forgotten. */
function canResume({ phase }: WalkState): boolean {
  const isDisplaced = phase.name === 'search' && phase.displaced.length > 0;
  return phase.name !== 'unordered' && !isDisplaced;
}

async function pause(
  { phase }: WalkState,
  options: Pick<WalkOptions<unknown>, 'sleep' | 'secondThoughtMs' | 'signal'>,
): Promise<void> {
  const readings = 'emptyReadings' in phase ? phase.emptyReadings : 1;
  const { sleep = realSleep, secondThoughtMs, signal } = options;
  await sleep(secondThoughtMs * 2 ** (readings - 1), signal);
}

/** The request for the page at an offset. */
function requestAt({ paging, limit }: WalkRules, offset: number): PageRequest {
  if (paging === 'documented') return { limit, offset };
  return offset === 0 ? {} : { offset };
}
