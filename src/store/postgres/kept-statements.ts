// Which statements and plans the server keeps. Statements of readers are kept parsed, and where it can planned: for a small answer that
// is most of what it costs. Those are kept that were asked several times within a minute. A connection lives for minutes only (pool.ts),
// which bounds how many it keeps and how old their plans are.
import { createHash } from 'node:crypto';

export interface KeptStatements {
  /**
   * The name under which a connection keeps the statement; undefined when it shall not.
   *
   * @param atOnce from the first time on
   */
  nameOf(text: string, atOnce?: boolean): string | undefined;
  /** Names no statement any more: another server connection may stand behind ours for each transaction, as behind a pooler. */
  giveUp(): void;
}

const windowMs = 60_000;
const leastAsked = 3;
const mostKept = 40;
/** So many texts are counted in a window. */
const mostCounted = 400;

export function createKeptStatements(monotonicMs: () => number = () => performance.now()): KeptStatements {
  const kept = new Map<string, { readonly name: string; isUsed: boolean }>();
  const asked = new Map<string, number>();
  let begunAt = monotonicMs();
  let isGivenUp = false;
  const beginWindow = (now: number) => {
    begunAt = now;
    asked.clear();
    for (const [text, statement] of kept)
      if (statement.isUsed) statement.isUsed = false;
      else kept.delete(text);
  };
  return {
    nameOf(text, atOnce = false) {
      if (isGivenUp) return undefined;
      const now = monotonicMs();
      if (now - begunAt > windowMs) beginWindow(now);
      const known = kept.get(text);
      if (known !== undefined) {
        known.isUsed = true;
        return known.name;
      }
      const times = (asked.get(text) ?? 0) + 1;
      if (asked.size < mostCounted || asked.has(text)) asked.set(text, times);
      if ((times < leastAsked && !atOnce) || kept.size >= mostKept) return undefined;
      asked.delete(text);
      // The same name is the same text, whichever process made it.
      const name = `custody_mirror_${createHash('sha256').update(text).digest('hex').slice(0, 40)}`;
      kept.set(text, { name, isUsed: true });
      return name;
    },
    giveUp() {
      isGivenUp = true;
    },
  };
}
