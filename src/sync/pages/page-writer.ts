// Writes pages in order behind the walk that reads them, several to a commit, because a commit costs about as much as the
// rows of a page. What has gathered while one commit was under way goes into the next. Few pages wait at a time, and none
// for long, so memory stays flat and the walk never runs far ahead of the database.
import { sleep as realSleep, type Sleep } from '../../base/loop.ts';

export interface PageWriter<Entry> {
  /** Takes an entry; waits while too many are waiting. Rejects once a commit has failed. */
  push(entry: Entry): Promise<void>;
  /** Resolves when everything taken is committed. */
  flush(): Promise<void>;
}

export interface PageWriterOptions<Entry> {
  readonly commit: (entries: readonly Entry[]) => Promise<void>;
  /** Entries that are worth a commit; fewer wait for more. */
  readonly enough: number;
  /** Entries that may wait while a commit is under way. */
  readonly maxWaiting: number;
  /** How long an entry waits for others. */
  readonly maxWaitMs: number;
  readonly sleep?: Sleep;
}

export function createPageWriter<Entry>(options: PageWriterOptions<Entry>): PageWriter<Entry> {
  const { commit, enough, maxWaiting, maxWaitMs, sleep = realSleep } = options;
  let waiting: Entry[] = [];
  let writing: Promise<void> | null = null;
  let patience: AbortController | null = null;
  let failed = false;
  let failure: unknown;

  const write = async (least: number) => {
    for (let wanted = least; waiting.length >= wanted && !failed; wanted = enough) {
      patience?.abort();
      patience = null;
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
    if (waiting.length > 0 && !failed) beginPatience();
  };
  const beginPatience = () => {
    if (patience !== null) return;
    const own = new AbortController();
    patience = own;
    sleep(maxWaitMs, own.signal).then(
      () => {
        if (patience !== own || failed) return;
        patience = null;
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
      else if (writing === null) beginPatience();
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
