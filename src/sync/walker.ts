// Walks a list that changes while it is read, so that every record which stays in it throughout is met.
// Each page begins a few records before the previous one ended and must show some of them again (joint.ts); the end is
// an empty answer that is confirmed; what arrived at the head meanwhile is read at last. docs/correctness.md has the
// argument. interface.md 4.1 and 8 leave order, maximum limit and consistency of pages open.
import { isRefusal } from '../domain/errors.ts';
import type { Page } from '../domain/page.ts';
import { readHead } from './head-read.ts';
import {
  isSteady,
  type Joined,
  joinPage,
  keptKeys,
  keysOf,
  leastShared,
  overlapFor,
  type Window,
} from './joint.ts';
import { createPatience } from './patience.ts';
import { createReadAhead } from './read-ahead.ts';
import { sweepUnordered } from './unordered-sweep.ts';
import { type ListEnd, newEvidence, type SweepEvidence, settledDoubt, type Verdict } from './verdict.ts';
import { requestAt, type WalkOptions, type WalkPart, type WalkPosition } from './walk-options.ts';

/** The one doubt that concerns records and not the walk. */
export const undecodableDoubt = 'some records could not be decoded; they are in sync.quarantine';

const maxRestarts = 3;
const maxSearchSteps = 10;
const emptyReadings = 3;
const emptyReadingsAgainstExpectation = 6;

/** Walks the whole list once. Rejects with the fault when a request fails for good; the last position can be resumed. */
export async function walkList<Record_>(options: WalkOptions<Record_>): Promise<Verdict> {
  return createWalk(options).run();
}

function createWalk<Record_>(options: WalkOptions<Record_>) {
  const { onPage, signal, resume = null } = options;
  const evidence: SweepEvidence = resume
    ? { ...resume.evidence, resumed: resume.evidence.resumed + 1 }
    : newEvidence();
  const doubts = new Set<string>(resume?.doubts);
  let window: Window = resume?.window ?? { offset: 0, keys: [] };
  let received = resume?.received ?? 0;
  let head: readonly string[] = resume?.head ?? [];
  const patience = createPatience(evidence, options.maxPages);
  /** What the last page was read for: going on, or making sure of the end. */
  let readBy: 'walk' | 'end' = 'walk';
  let orderProbed = false;
  /** Pages come shorter than asked for although the list goes on (interface.md 8 shows no maximum limit). */
  let clamped = evidence.pages > 1 && evidence.pageSize < options.limit;

  const readPage = (offset: number, readSignal: AbortSignal) =>
    options.read(requestAt(options, offset), readSignal);
  const ahead = createReadAhead({
    read: readPage,
    pages: options.ahead,
    expectedLength: options.expectedLength,
    signal,
  });
  const read = (offset: number) => {
    patience.ask();
    return readPage(offset, signal);
  };
  const join = (offset: number, page: Page<Record_>) =>
    joinPage(window, offset, keysOf(page), Math.max(received, evidence.pageSize));
  const endOf = (at: Window) => at.offset + at.keys.length;

  const verdict = (end: ListEnd): Verdict => ({
    verified: doubts.size === 0 && end !== 'unconfirmed',
    end,
    evidence,
    doubts: [...doubts],
  });
  const doubtful = (doubt: string): Verdict => {
    doubts.add(doubt);
    return verdict('unconfirmed');
  };

  /** Makes the page the new window and hands it on. */
  async function accept(page: Page<Record_>, next: Window, part: WalkPart = 'on'): Promise<void> {
    const keys = keysOf(page);
    window = next;
    received = keys.length;
    readBy = 'walk';
    if (head.length < keptKeys) head = [...new Set([...head, ...keys])].slice(0, keptKeys);
    evidence.pages += 1;
    evidence.records += keys.length;
    evidence.pageSize = Math.max(evidence.pageSize, keys.length);
    await hand(page, part);
  }

  async function hand(page: Page<Record_>, part: WalkPart): Promise<void> {
    if (page.items.some((item) => item.kind === 'undecodable')) doubts.add(undecodableDoubt);
    await onPage(page, position(), part);
  }

  /** Hands on a page that leads the walk nowhere: what it shows was observed all the same. */
  async function passBy(page: Page<Record_>): Promise<void> {
    if (page.items.length > 0) await hand(page, 'again');
  }

  function position(): WalkPosition {
    const from = Math.max(0, window.keys.length - keptKeys);
    return {
      window: { offset: window.offset + from, keys: window.keys.slice(from) },
      received,
      head,
      evidence: { ...evidence },
      doubts: [...doubts],
    };
  }

  async function run(): Promise<Verdict> {
    if (window.keys.length === 0) {
      const first = await read(0);
      if (first.items.length === 0) {
        const found = await readUntilNotEmpty();
        if (found === null) return verdict('empty');
        patience.endFalsely(found.items.length);
        await begin(found);
      } else await begin(first);
      if (options.paging === 'none') return verdict('whole');
    }
    for (;;) {
      signal.throwIfAborted();
      const exhausted = patience.exhausted();
      if (exhausted !== null) return doubtful(exhausted);
      const step = await advance();
      if (step === 'ended') break;
      if (step === 'whole') return verdict('whole');
      if (step === 'without-order') return sweepWithoutOrder();
      if (step !== 'on') return doubtful(step.doubt);
    }
    ahead.discard();
    if (!(await readHead({ read, head, onPage: (page) => hand(page, 'again') })))
      doubts.add('the head of the list kept changing while it was read again');
    return verdict('confirmed');
  }

  async function begin(page: Page<Record_>): Promise<void> {
    head = [];
    await accept(page, { offset: 0, keys: keysOf(page) }, 'begin');
  }

  /** An empty first page is asked for again, more often when records are known. Null when it stays empty. */
  async function readUntilNotEmpty(): Promise<Page<Record_> | null> {
    const readings = options.expectedLength ? emptyReadingsAgainstExpectation : emptyReadings;
    for (let reading = 1; reading < readings; reading += 1) {
      const page = await read(0);
      if (page.items.length > 0) return page;
    }
    return null;
  }

  /** Reads the first page once more before a second page is joined to it, and compares the order of the records. */
  async function orderIsSteady(): Promise<boolean> {
    for (let probe = 0; probe < 2; probe += 1) {
      const before = window.keys;
      const page = await read(0);
      if (page.items.length === 0) continue; // the walk itself will tell whether that was true
      await begin(page);
      if (isSteady(before, window.keys)) return true;
    }
    return false;
  }

  type Step = 'on' | 'ended' | 'whole' | 'without-order' | { readonly doubt: string };

  /** One page further, whatever that takes. */
  async function advance(): Promise<Step> {
    const asked = options.paging === 'documented' ? options.limit : Number.POSITIVE_INFINITY;
    const isFull = received >= evidence.pageSize && (clamped || received >= asked);
    if (isFull && window.offset === 0 && !orderProbed) {
      orderProbed = true;
      if (!(await orderIsSteady())) return 'without-order';
    }
    // A page that is not full is likely the last: ask for what follows it, and overlap only if something does.
    const overlap = isFull ? overlapFor(received) : 0;
    const offset = endOf(window) - overlap;
    const stride = isFull && evidence.pages > 2 ? received - overlap : 0;
    patience.ask();
    const page = await ahead.take(offset, stride).catch((error: unknown) => {
      if (options.paging === 'unknown' && isRefusal(error)) return null;
      throw error;
    });
    if (page === null) return 'whole'; // paging is refused here, so the first answer was all there is
    if (page.items.length === 0) return confirmEnd();
    const joint = join(offset, page);
    if (joint.kind === 'lost') {
      await passBy(page);
      if (isFull) return findOverlap(offset);
      clamped = true;
      noteCut();
      const wanted = overlapFor(evidence.pageSize);
      return wanted === 0 ? 'without-order' : findOverlap(endOf(window) - wanted);
    }
    if (joint.repeated) {
      await passBy(page);
      if (await isRepeatedAt(offset + page.items.length))
        return options.paging === 'unknown'
          ? 'whole'
          : { doubt: 'the service answers every offset with the same page' };
    }
    if (joint.fresh > 0) noteCut();
    patience.join(joint.fresh);
    return acceptJoined(page, joint);
  }

  async function isRepeatedAt(offset: number): Promise<boolean> {
    const page = await read(offset);
    if (page.items.length === 0) return false;
    await passBy(page);
    const joint = join(offset, page);
    return joint.kind === 'joined' && joint.repeated;
  }

  /** Something follows the last page, so it ended where its limit did. */
  function noteCut(): void {
    if (readBy === 'walk') evidence.shortestCut = Math.min(evidence.shortestCut || received, received);
  }

  async function acceptJoined(page: Page<Record_>, joint: Joined, next = joint.window): Promise<'on'> {
    evidence.joints += 1;
    // Pages read ahead of a list that moved were answered before it did.
    if (joint.shift !== 0) ahead.discard();
    if (joint.shift > 0) evidence.grew += joint.shift;
    else evidence.shrank -= joint.shift;
    await accept(page, next);
    return 'on';
  }

  /**
   * The page that should have continued the walk did not: the list shrank before this place, or was reordered. Looks
   * from `start` towards the head for the place where the walk stood; when it is not found, the walk begins anew.
   *
   * @param atEnd nothing was found at the end of the window: its last records may be gone
   */
  async function findOverlap(start: number, atEnd = false): Promise<Step> {
    ahead.discard();
    if (clamped && !orderProbed && window.offset === 0) {
      orderProbed = true;
      if (!(await orderIsSteady())) return 'without-order';
    } else evidence.searches += 1;
    const stride = Math.max(1, received - overlapFor(received));
    for (
      let step = 0, offset = start;
      step < maxSearchSteps;
      step += 1, offset = Math.max(0, offset - stride)
    ) {
      const page = await read(offset);
      const joint = page.items.length > 0 ? join(offset, page) : null;
      if (joint?.kind === 'joined') {
        patience.find(joint.fresh);
        return acceptJoined(page, joint, atEnd ? nextAtEnd(page, offset, joint) : joint.window);
      }
      await passBy(page);
      if (offset === 0) break;
    }
    evidence.restarts += 1;
    if (evidence.restarts > maxRestarts) return 'without-order';
    const first = await read(0);
    if (first.items.length === 0) return confirmEnd();
    await begin(first);
    return 'on';
  }

  /** Where a page ends before the window does, what the window ended with may be gone: it is not to be waited for. */
  function nextAtEnd(page: Page<Record_>, offset: number, joint: Joined): Window {
    return joint.fresh === 0 && !joint.reachesEnd ? { offset, keys: keysOf(page) } : joint.window;
  }

  /** An answer said that nothing follows. Believes it only with the page before it and a second answer. */
  async function confirmEnd(): Promise<Step> {
    ahead.discard();
    // Few records of overlap: however short the answer is cut, one more would show that the list goes on.
    const overlap = Math.max(
      leastShared(window, evidence.pageSize),
      Math.min(3, Math.floor(evidence.pageSize / 3)),
    );
    let before = Math.max(0, endOf(window) - overlap);
    for (let stride = 1; ; stride *= 2, before = Math.max(0, before - stride)) {
      const page = await read(before);
      if (page.items.length === 0) {
        if (before > 0) continue;
        if ((await readUntilNotEmpty()) === null) return 'ended';
        patience.endFalsely(0);
        return 'on';
      }
      const joint = join(before, page);
      patience.tryEnd();
      if (joint.kind === 'lost') {
        await passBy(page);
        return findOverlap(before, true);
      }
      // A page may end where its limit ends. The overlap alone, or on a list that never stands still a page shorter than
      // others, shows that the list does.
      const longest = patience.isEndRestless() ? Math.max(overlap, evidence.pageSize - 1) : overlap;
      const mayBeCut = evidence.shortestCut > 0 && page.items.length >= evidence.shortestCut;
      if (joint.fresh === 0 && joint.reachesEnd && page.items.length <= longest && !mayBeCut) {
        const after = await read(before + page.items.length);
        if (after.items.length === 0) {
          await passBy(page);
          return 'ended';
        }
        await passBy(page);
        await passBy(after);
      }
      patience.endFalsely(joint.fresh);
      if (mayBeCut && patience.isEndRestless())
        return { doubt: 'pages are cut too short to tell where the list ends' };
      await acceptJoined(page, joint, nextAtEnd(page, before, joint));
      readBy = 'end';
      return 'on';
    }
  }

  async function sweepWithoutOrder(): Promise<Verdict> {
    ahead.discard();
    const settled = await sweepUnordered({
      read,
      onPage: (page) => onPage(page, null, 'again'),
      countNew: options.countNew,
      maxPages: options.maxPages,
      evidence,
      signal,
    });
    return doubtful(
      settled
        ? settledDoubt
        : 'the order of the list differs from one request to the next, and every sweep found new records',
    );
  }

  return { run };
}
