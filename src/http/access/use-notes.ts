// Notes when keys were last used: at most once a minute each, gathered, and off the path of the request.
import type { Logger } from '../../base/logger.ts';
import { within } from '../../base/waiting.ts';
import type { KeyStore } from '../../store/keys/key-lookup.ts';

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
      // The next use after a minute is noted again. A failing database is told by whoever needs it.
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
