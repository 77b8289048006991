// Commits pages in order, several at once, while the walk reads on: a commit costs about as much as the rows of a page. While
// one group commits, the next is made ready and a third gathers, so that the server need not wait for the mirror. Of each
// there are only so many bytes, and no page waits for long, so that memory stays bounded.
import { sleep as realSleep, type Sleep } from '../../base/loop.ts';

export interface PageWriter<Entry> {
  /** Adds an entry; waits while too much is waiting. Rejects after a commit has failed. */
  push(entry: Entry): Promise<void>;
  /** Resolves when every entry is committed. */
  flush(): Promise<void>;
}

export interface PageWriterOptions<Entry, Group> {
  /** What an entry holds, in bytes or another measure of the limits below. */
  readonly sizeOf: (entry: Entry) => number;
  /** Makes a group ready for its commit. Called in order, possibly while the group before commits. */
  readonly prepare: (entries: readonly Entry[]) => Promise<Group>;
  readonly commit: (group: Group) => Promise<void>;
  /** So much commits at once; less waits for more. */
  readonly enough: number;
  /** So much is enough for the first group, so that the server has work soon; for each one after it, twice as much. */
  readonly enoughAtFirst: number;
  /** The longest that an entry waits for others. */
  readonly maxWaitMs: number;
  readonly sleep?: Sleep;
}

export function createPageWriter<Entry, Group>(options: PageWriterOptions<Entry, Group>): PageWriter<Entry> {
  const { commit } = options;
  const patience = createPatience(options, () => {
    if (failure === null) writing ??= write();
  });
  const gathered = createGathering(options);
  /** Made ready while the one before commits. */
  let ready: Promise<Group> | null = null;
  let writing: Promise<void> | null = null;
  let failure: { readonly error: unknown } | null = null;

  const take = () => {
    patience.end();
    return gathered.take();
  };
  const takeNext = () => {
    const next = ready ?? (gathered.isEnough() ? take() : null);
    ready = null;
    return next;
  };
  const write = async () => {
    try {
      for (let next: Promise<Group> | null = takeNext() ?? take(); next !== null; next = takeNext()) {
        const committed = commit(await next);
        // What gathered until now; `push` does it for what comes later.
        if (ready === null && gathered.isEnough()) ready = take();
        await committed;
      }
    } catch (error) {
      failure = { error };
      gathered.letIn();
    }
    writing = null;
    if (!gathered.isEmpty() && failure === null) patience.begin();
  };
  const throwIfFailed = () => {
    if (failure !== null) throw failure.error;
  };

  return {
    async push(entry) {
      throwIfFailed();
      gathered.add(entry);
      if (!gathered.isEnough() && writing === null) patience.begin();
      else if (writing === null) writing = write();
      else if (gathered.isEnough()) ready ??= take();
      while (gathered.isEnough() && writing !== null && failure === null) await gathered.room();
      throwIfFailed();
    },
    async flush() {
      while (failure === null && (writing !== null || !gathered.isEmpty())) {
        writing ??= write();
        await writing;
      }
      throwIfFailed();
    },
  };
}

/** Calls back once after its time, unless it was ended before. */
function createPatience(
  { maxWaitMs, sleep = realSleep }: { readonly maxWaitMs: number; readonly sleep?: Sleep },
  onOver: () => void,
) {
  let running: AbortController | null = null;
  return {
    begin() {
      if (running !== null) return;
      const own = new AbortController();
      running = own;
      sleep(maxWaitMs, own.signal).then(
        () => {
          if (running !== own) return;
          running = null;
          onOver();
        },
        () => undefined,
      );
    },
    end() {
      running?.abort();
      running = null;
    },
  };
}

/** The entries of the next group. */
function createGathering<Entry, Group>({
  sizeOf,
  prepare,
  enough,
  enoughAtFirst,
}: PageWriterOptions<Entry, Group>) {
  let entries: Entry[] = [];
  let size = 0;
  let enoughNow = enoughAtFirst;
  /** Who waits until there is room. */
  let blocked: (() => void)[] = [];

  const letIn = () => {
    for (const resume of blocked) resume();
    blocked = [];
  };
  return {
    letIn,
    isEmpty: () => entries.length === 0,
    isEnough: () => size >= enoughNow,
    add(entry: Entry) {
      entries.push(entry);
      size += sizeOf(entry);
    },
    /** Makes a group of them. */
    take(): Promise<Group> {
      const group = prepare(entries);
      // It may fail before anybody waits for it.
      group.catch(() => undefined);
      entries = [];
      size = 0;
      enoughNow = Math.min(enough, 2 * enoughNow);
      letIn();
      return group;
    },
    /** Resolves when they were taken, or at `letIn`. */
    room: () => new Promise<void>((resume) => blocked.push(resume)),
  };
}
