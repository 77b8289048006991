// Names for frequent statements of readers: the server keeps a named statement parsed and, if possible,
// planned. A statement gets a name when it is used several times within a minute. A reader's connection lives
// for two minutes (pool.ts), which bounds how many it keeps.
import { createHash } from 'node:crypto';

export interface PreparedStatementCache {
  /**
   * The name under which to prepare the statement; undefined if it should not be prepared.
   *
   * @param atOnce whether to prepare it on first use
   */
  nameOf(text: string, atOnce?: boolean): string | undefined;
  /**
   * Stops naming statements: each transaction may get another server connection, as behind a pooler.
   */
  giveUp(): void;
}

const windowMs = 60_000;
const leastAsked = 3;
const mostNamed = 40;
/** Maximum number of texts counted in a window. */
const mostCounted = 400;

export function createPreparedStatementCache(
  monotonicMs: () => number = () => performance.now(),
): PreparedStatementCache {
  let names = new Map<string, string>();
  const used = new Map<string, string>();
  const asked = new Map<string, number>();
  let begunAt = monotonicMs();
  let isGivenUp = false;
  return {
    nameOf(text, atOnce = false) {
      if (isGivenUp) return undefined;
      if (monotonicMs() - begunAt > windowMs) {
        begunAt = monotonicMs();
        names = new Map(used);
        used.clear();
        asked.clear();
      }
      const times = (asked.get(text) ?? 0) + 1;
      if (asked.size < mostCounted || asked.has(text)) asked.set(text, times);
      const isNew = (times >= leastAsked || atOnce) && names.size < mostNamed;
      const name = names.get(text) ?? (isNew ? nameFor(text) : undefined);
      if (name === undefined) return undefined;
      names.set(text, name);
      used.set(text, name);
      return name;
    },
    giveUp() {
      isGivenUp = true;
    },
  };
}

/** The same text gets the same name in every process. */
function nameFor(text: string): string {
  return `custody_mirror_${createHash('sha256').update(text).digest('hex').slice(0, 40)}`;
}
