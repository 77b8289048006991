// Commits pages in order, several at once, while the walk reads on: a commit costs about as much as the rows
// of a page. Invariant: one group commits at a time, at most one more waits, and a third gathers; of each
// there are only so many bytes, so that memory stays bounded. No page waits long for others.
import { sleep as realSleep, type Sleep } from '../../base/loop.ts';

export interface PageWriterOptions<Entry> {
  /** What an entry holds, in bytes or another measure of the limits below. */
  readonly sizeOf: (entry: Entry) => number;
  readonly commit: (group: readonly Entry[]) => Promise<void>;
  /** The size of a group; less waits for more. */
  readonly enough: number;
  /** Enough for the first group, so that the server has work soon; twice as much for each after it. */
  readonly enoughAtFirst: number;
  /** The longest that an entry waits for others. */
  readonly maxWaitMs: number;
  readonly sleep?: Sleep;
}

/** The group that commits, and the one after it. */
const mostUnderWay = 2;
/** An entry of this many times `enough` is committed before more is taken: an answer may be very long. */
const muchMoreThanEnough = 8;

export function createPageWriter<Entry>(options: PageWriterOptions<Entry>) {
  const { sizeOf, commit, enough, maxWaitMs, sleep = realSleep } = options;
  let gathered: Entry[] = [];
  let size = 0;
  let enoughNow = options.enoughAtFirst;
  let flushTimer: AbortController | null = null;
  const underWay: Promise<void>[] = [];
  /** Each commit waits for the one before it, and after one has failed there is none. */
  let lastCommit = Promise.resolve();
  let isFailed = false;

  const take = () => {
    flushTimer?.abort();
    flushTimer = null;
    const group = gathered;
    gathered = [];
    size = 0;
    enoughNow = Math.min(enough, 2 * enoughNow);
    lastCommit = lastCommit.then(() => commit(group));
    underWay.push(lastCommit);
    lastCommit.then(
      () => void underWay.shift(),
      () => {
        isFailed = true;
      },
    );
  };
  /** Takes the gathered entries as soon as there is room. */
  const takeNext = async () => {
    while (underWay.length >= mostUnderWay) await underWay[0];
    if (isFailed) await lastCommit;
    if (gathered.length > 0) take();
  };
  const startFlushTimer = () => {
    const timer = new AbortController();
    // `push` and `flush` report a failure.
    sleep(maxWaitMs, timer.signal)
      .then(() => (timer.signal.aborted ? undefined : takeNext()))
      .catch(() => undefined);
    return timer;
  };

  const flush = async () => {
    await takeNext();
    await lastCommit;
  };

  return {
    /** Adds an entry; waits while too much is waiting. Rejects after a commit has failed. */
    async push(entry: Entry): Promise<void> {
      if (isFailed) await lastCommit;
      gathered.push(entry);
      const added = sizeOf(entry);
      size += added;
      flushTimer ??= startFlushTimer();
      if (added >= muchMoreThanEnough * enough) await flush();
      else if (size >= enoughNow) await takeNext();
    },
    /** Resolves when every entry is committed. */
    flush,
  };
}
