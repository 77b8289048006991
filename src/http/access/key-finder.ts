// Looks keys up, with one statement at a time for all requests. A request is answered by a statement that
// began after it came: so a key that was revoked before is refused, and any number of requests keeps one
// connection busy at most.
import { within } from '../../base/waiting.ts';
import type { KeyStore, KeysFound } from '../../store/keys/key-lookup.ts';

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
    // A connection that says nothing any more must not hold up those who come later.
    await within(waitMs, asked).catch(() => undefined);
  };
  return { digests, found, begin };
}
