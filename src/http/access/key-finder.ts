// Looks up keys in the database for the gate, and notes their use there. Lookups take one statement at a time
// for all requests. A request is answered by a statement that began after it came: so a key that was revoked
// before is refused, and any number of requests keeps one connection busy at most. The last use of a key is
// noted at most once a minute, off the path of the request.

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

const waitMs = 3_000;

export function createKeyFinder(keys: KeyStore): KeyFinder {
  /** The lookup that has not begun, so that requests can still join it. */
  let next: { readonly digests: Set<string>; readonly found: Promise<KeysFound> } | null = null;
  let running: Promise<unknown> = Promise.resolve();
  const queue = () => {
    const digests = new Set<string>();
    const found = running.then(() => {
      next = null;
      return keys.find([...digests]);
    });
    // A silent connection must not hold up later requests.
    running = running.then(() => within(waitMs, found)).catch(() => undefined);
    return { digests, found };
  };
  return {
    find(digest) {
      next ??= queue();
      if (digest !== null) next.digests.add(digest);
      return within(waitMs, next.found);
    },
  };
}

const everyMs = 60_000;
/** A stop does not wait longer for a note. */
const closeMs = 500;

export function createUseNotes(keys: KeyStore, logger: Logger, monotonicMs: () => number) {
  const notedAt = new Map<string, number>();
  let writing: Promise<void> = Promise.resolve();
  return {
    note(prefix: string) {
      const now = monotonicMs();
      if (now - (notedAt.get(prefix) ?? Number.NEGATIVE_INFINITY) < everyMs) return;
      notedAt.set(prefix, now);
      // The next use after a minute is noted again. Requests that need the database report its failure.
      writing = writing
        .then(() => keys.noteUse(prefix))
        .catch((error: unknown) => logger.debug({ err: error }, 'noting the use of a key failed'));
    },
    /** Waits for the notes, if the database takes them soon. */
    close: () => within(closeMs, writing).catch(() => undefined),
  };
}
