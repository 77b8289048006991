// Walks a list that changes while it is read, so that every record which stays in it throughout is met.
// Each page begins a few records before the previous one ended and must show some of them again (joint.ts); the end is
// an empty answer that is confirmed; what arrived at the head meanwhile is read at last. docs/correctness.md has the
// argument. interface.md 4.1 and 8 leave order, maximum limit and consistency of pages open.
import { CustodyError } from '../domain/errors.ts';
import type { Page, PageRequest } from '../domain/page.ts';
import { readHead } from './head-read.ts';
import {
  displacedRecords,
  type Joined,
  joinPage,
  keptKeys,
  keysOf,
  leastShared,
  overlapFor,
  type Window,
} from './joint.ts';
import { createReadAhead } from './read-ahead.ts';
import { sweepUnordered } from './unordered-sweep.ts';
import { type ListEnd, newEvidence, type SweepEvidence, type Verdict } from './verdict.ts';

/** Where a walk stands: enough to go on with it after a stop. */
export interface WalkPosition {
  readonly window: Window;
  /** Records of the page that the window is the end of. */
  readonly received: number;
  /** Keys at the head of the list when the walk began. */
  readonly head: readonly string[];
  readonly evidence: SweepEvidence;
  readonly doubts: readonly string[];
}

/** What a page is to the walk: the place where it begins, its continuation, or something read over again. */
export type WalkPart = 'begin' | 'on' | 'again';

export interface WalkOptions<Record_> {
  readonly read: (request: PageRequest, signal: AbortSignal) => Promise<Page<Record_>>;
  /**
   * - `documented`: the list is paged by limit and offset
   * - `unknown`: it may be; the first request carries neither, later ones an offset, and a refusal or the same answer
   *   once more shows that the list was whole
   * - `none`: it was found to be answered whole, in one request
   */
  readonly paging: 'documented' | 'unknown' | 'none';
  /** Records asked for with each request where paging is documented. */
  readonly limit: number;
  /** Pages to read ahead. */
  readonly ahead: number;
  /** How many records the list is likely to hold, from what is mirrored; null when unknown. */
  readonly expectedLength: number | null;
  /** Pages after which a walk gives up: a list that grows as fast as it is read has no end. */
  readonly maxPages: number;
  readonly resume?: WalkPosition | null;
  /** Takes the pages in order. The position is null where a walk cannot be resumed. */
  readonly onPage: (page: Page<Record_>, position: WalkPosition | null, part: WalkPart) => Promise<void>;
  /** How many records `onPage` has met so far that were not known before. */
  readonly countNew: () => Promise<number>;
  readonly signal: AbortSignal;
}

/** The one doubt that concerns records and not the walk. */
export const undecodableDoubt = 'some records could not be decoded; they are in sync.quarantine';

const maxRestarts = 3;
const maxSearchSteps = 10;
const maxIdlePages = 20;
const maxFalseEnds = 200;
const quietEndAttempts = 10;
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
  let idlePages = 0;
  let endAttempts = 0;
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
  const read = (offset: number) => readPage(offset, signal);
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
    if (head.length < keptKeys) head = [...new Set([...head, ...keys])].slice(0, keptKeys);
    evidence.pages += 1;
    evidence.records += keys.length;
    evidence.pageSize = Math.max(evidence.pageSize, keys.length);
    if (page.items.some((item) => item.kind === 'undecodable')) doubts.add(undecodableDoubt);
    await onPage(page, position(), part);
  }

  /** Hands on a page that leads the walk nowhere: what it shows was observed all the same. */
  async function passBy(page: Page<Record_>): Promise<void> {
    if (page.items.length > 0) await onPage(page, position(), 'again');
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
        await begin(found);
      } else await begin(first);
      if (options.paging === 'none') return verdict('whole');
    }
    for (let pages = 0; ; pages += 1) {
      signal.throwIfAborted();
      if (pages > options.maxPages) return doubtful('the list grew faster than it could be read');
      const step = await advance();
      if (step === 'ended') break;
      if (step === 'whole') return verdict('whole');
      if (step === 'without-order') return sweepWithoutOrder();
      if (step !== 'on') return doubtful(step.doubt);
    }
    ahead.discard();
    if (!(await readHead({ read, head, onPage: (page) => onPage(page, position(), 'again') })))
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
      if (page.items.length > 0) {
        evidence.falseEnds += 1;
        return page;
      }
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
      const { shared, displaced } = displacedRecords(before, window.keys);
      const comparable = Math.min(before.length, window.keys.length);
      if (displaced <= Math.ceil(comparable / 10) && shared >= comparable / 2) return true;
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
      const wanted = overlapFor(evidence.pageSize);
      return wanted === 0 ? 'without-order' : findOverlap(endOf(window) - wanted);
    }
    if (joint.repeated) {
      if (options.paging === 'unknown') return 'whole';
      await passBy(page);
      if (await isRepeatedAt(offset + page.items.length))
        return { doubt: 'the service answers every offset with the same page' };
    }
    idlePages = joint.fresh > 0 ? 0 : idlePages + 1;
    if (idlePages > maxIdlePages) return { doubt: 'the list grew faster than it could be read' };
    return acceptJoined(page, joint);
  }

  async function isRepeatedAt(offset: number): Promise<boolean> {
    const page = await read(offset);
    if (page.items.length === 0) return false;
    await passBy(page);
    const joint = join(offset, page);
    return joint.kind === 'joined' && joint.repeated;
  }

  async function acceptJoined(page: Page<Record_>, joint: Joined): Promise<'on'> {
    evidence.joints += 1;
    if (joint.shift > 0) evidence.grew += joint.shift;
    else evidence.shrank -= joint.shift;
    await accept(page, joint.window);
    return 'on';
  }

  /**
   * The page that should have continued the walk did not: the list shrank before this place, or was reordered. Looks
   * from `start` towards the head for the place where the walk stood; when it is not found, the walk begins anew.
   */
  async function findOverlap(start: number): Promise<Step> {
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
      if (joint?.kind === 'joined') return acceptJoined(page, joint);
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
        return evidence.falseEnds > maxFalseEnds
          ? { doubt: 'the list kept ending where it had not ended' }
          : 'on';
      }
      const joint = join(before, page);
      if (joint.kind === 'lost') {
        await passBy(page);
        return findOverlap(before);
      }
      // A page may end where its limit ends. The overlap alone, or on a list that never stands still a page shorter than
      // others, shows that the list does.
      const longest = endAttempts < quietEndAttempts ? overlap : Math.max(overlap, evidence.pageSize - 1);
      endAttempts += 1;
      if (joint.fresh === 0 && joint.reachesEnd && page.items.length <= longest) {
        const after = await read(before + page.items.length);
        if (after.items.length === 0) {
          await passBy(page);
          return 'ended';
        }
        await passBy(page);
        await passBy(after);
      }
      evidence.falseEnds += 1;
      if (evidence.falseEnds > maxFalseEnds) return { doubt: 'the list kept ending where it had not ended' };
      return acceptJoined(page, joint);
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
        ? 'the order of the list differs from one request to the next; the last of several sweeps found nothing new'
        : 'the order of the list differs from one request to the next, and every sweep found new records',
    );
  }

  return { run };
}

function requestAt(
  { paging, limit }: Pick<WalkOptions<unknown>, 'paging' | 'limit'>,
  offset: number,
): PageRequest {
  if (paging === 'documented') return { limit, offset };
  return offset === 0 ? {} : { offset };
}

/** The service refused the request itself, which for a parameter it does not know is the expected answer. */
function isRefusal(error: unknown): boolean {
  return error instanceof CustodyError && error.fault.kind === 'permanent';
}
