// Commits pages in order, several at once, while the walk reads on: a commit costs about as much as the rows of a page.
// Pages that arrive during a commit go into the next one. Few pages wait, and none for long, so that memory stays bounded.
import { sleep as realSleep, type Sleep } from '../../base/loop.ts';

export interface PageWriter<Entry> {
  /** Adds an entry; waits while too many are waiting. Rejects after a commit has failed. */
  push(entry: Entry): Promise<void>;
  /** Resolves when every entry is committed. */
  flush(): Promise<void>;
}

export interface PageWriterOptions<Entry> {
  readonly commit: (entries: readonly Entry[]) => Promise<void>;
  /** So many entries commit at once; fewer wait for more. */
  readonly enough: number;
  /** Entries that may wait while a commit is under way. */
  readonly maxWaiting: number;
  /** The longest that an entry waits for others. */
  readonly maxWaitMs: number;
  readonly sleep?: Sleep;
}

export function createPageWriter<Entry>(options: PageWriterOptions<Entry>): PageWriter<Entry> {
  const { commit, enough, maxWaiting, maxWaitMs, sleep = realSleep } = options;
  let waiting: Entry[] = [];
  let writing: Promise<void> | null = null;
  let waitingForMore: AbortController | null = null;
  let failed = false;
  let failure: unknown;

  const write = async (least: number) => {
    for (let wanted = least; waiting.length >= wanted && !failed; wanted = enough) {
      waitingForMore?.abort();
      waitingForMore = null;
      const entries = waiting;
      waiting = [];
      try {
        await commit(entries);
      } catch (error) {
        failed = true;
        failure = error;
      }
    }
    writing = null;
    if (waiting.length > 0 && !failed) waitForMore();
  };
  const waitForMore = () => {
    if (waitingForMore !== null) return;
    const own = new AbortController();
    waitingForMore = own;
    sleep(maxWaitMs, own.signal).then(
      () => {
        if (waitingForMore !== own || failed) return;
        waitingForMore = null;
        writing ??= write(1);
      },
      () => undefined,
    );
  };
  const throwIfFailed = () => {
    if (failed) throw failure;
  };

  return {
    async push(entry) {
      throwIfFailed();
      waiting.push(entry);
      if (waiting.length >= enough) writing ??= write(enough);
      else if (writing === null) waitForMore();
      while (waiting.length >= maxWaiting && writing !== null) await writing;
      throwIfFailed();
    },
    async flush() {
      while (writing !== null) await writing;
      while (waiting.length > 0 && !failed) {
        writing ??= write(1);
        await writing;
      }
      throwIfFailed();
    },
  };
}
