// Looks up keys in the database for the gate, and notes their use there. Lookups take one statement at a time
// for all requests. A request is answered by a statement that began after it came: so a key that was revoked
// before is refused, and any number of requests keeps one connection busy at most. The last use of a key is
// noted at most once a minute, gathered, and off the path of the request.

import type { Logger } from '../../base/logger.ts';
import { within } from '../../base/waiting.ts';
import type { KeyStore, KeysFound } from '../../store/keys/api-keys.ts';

export interface KeyFinder {
  /**
   * @param digest in hexadecimal; null to ask only whether there are keys
   * @throws what the database throws; Late when it does not answer in time
   */
  find(digest: string | null): Promise<KeysFound>;
}

interface Batch {
  readonly digests: Set<string>;
  readonly found: Promise<KeysFound>;
  readonly begin: () => Promise<void>;
}

const waitMs = 3_000;

export function createKeyFinder(keys: KeyStore): KeyFinder {
  /** It has not begun, so that requests can still join it. */
  let next: Batch | null = null;
  let isRunning = false;
  const run = async () => {
    isRunning = true;
    while (next !== null) {
      const batch: Batch = next;
      next = null;
      await batch.begin();
    }
    isRunning = false;
  };
  return {
    find(digest) {
      next ??= newBatch(keys);
      if (digest !== null) next.digests.add(digest);
      const { found } = next;
      if (!isRunning) void run();
      return within(waitMs, found);
    },
  };
}

function newBatch(keys: KeyStore): Batch {
  const digests = new Set<string>();
  let settle: (found: Promise<KeysFound>) => void = () => undefined;
  const found = new Promise<KeysFound>((resolve) => {
    settle = resolve;
  });
  const begin = async () => {
    const asked = keys.find([...digests]);
    settle(asked);
    // A silent connection must not hold up later requests.
    await within(waitMs, asked).catch(() => undefined);
  };
  return { digests, found, begin };
}

const everyMs = 60_000;
const gatherMs = 500;
/** A stop does not wait longer for a note. */
const closeMs = 500;

export function createUseNotes(keys: KeyStore, logger: Logger, monotonicMs: () => number) {
  const notedAt = new Map<string, number>();
  let gathered = new Set<string>();
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<void> = Promise.resolve();
  let isClosed = false;
  const write = async () => {
    timer = null;
    const prefixes = [...gathered];
    gathered = new Set();
    if (prefixes.length === 0) return;
    try {
      await keys.noteUse(prefixes);
    } catch (error) {
      // The next use after a minute is noted again. Requests that need the database report its failure.
      logger.debug({ err: error }, 'noting the use of keys failed');
    }
  };
  return {
    note(prefix: string) {
      const now = monotonicMs();
      if (isClosed || now - (notedAt.get(prefix) ?? Number.NEGATIVE_INFINITY) < everyMs) return;
      notedAt.set(prefix, now);
      gathered.add(prefix);
      timer ??= setTimeout(() => {
        writing = writing.then(write);
      }, gatherMs).unref();
    },
    /** Writes what is gathered, if the database answers soon, and stops. */
    async close() {
      isClosed = true;
      if (timer !== null) clearTimeout(timer);
      writing = writing.then(write);
      await within(closeMs, writing).catch(() => undefined);
    },
  };
}
