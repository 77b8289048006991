// Writes pages in order behind the walk that reads them: what has gathered while one commit was under way goes into the
// next. Few pages wait at a time, so memory stays flat and the walk never runs far ahead of the database.
export interface PageWriter<Entry> {
  /** Takes an entry; waits while too many are waiting. Rejects once a commit has failed. */
  push(entry: Entry): Promise<void>;
  /** Resolves when everything taken is committed. */
  flush(): Promise<void>;
}

export interface PageWriterOptions<Entry> {
  readonly commit: (entries: readonly Entry[]) => Promise<void>;
  readonly maxWaiting: number;
}

export function createPageWriter<Entry>({ commit, maxWaiting }: PageWriterOptions<Entry>): PageWriter<Entry> {
  let waiting: Entry[] = [];
  let writing: Promise<void> | null = null;
  let failed = false;
  let failure: unknown;

  const write = async () => {
    while (waiting.length > 0 && !failed) {
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
  };
  const throwIfFailed = () => {
    if (failed) throw failure;
  };

  return {
    async push(entry) {
      throwIfFailed();
      waiting.push(entry);
      writing ??= write();
      while (waiting.length >= maxWaiting && writing !== null) await writing;
      throwIfFailed();
    },
    async flush() {
      while (writing !== null) await writing;
      throwIfFailed();
    },
  };
}
