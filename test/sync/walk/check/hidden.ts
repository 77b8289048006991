// Which misses no reading can tell: a record comes over the walk's place unread, and something else changes
// between the same two answers that takes its trace away (docs/correctness.md, "What no reading can tell").
import type { Node } from './explore.ts';
import { isBeyondPromise, type List } from './world.ts';

/**
 * Whether each missed record came in front of a met one in a moment in which the list changed in another way
 * too.
 */
export function isHidden(last: Node, missed: List): boolean {
  const moments = momentsOf(last);
  return [...missed].every((key) =>
    moments.some(({ before, after, met, changes }) => changes > 1 && overtakes(key, before, after, met)),
  );
}

interface Moment {
  readonly before: List;
  readonly after: List;
  /** Records met before this moment. */
  readonly met: List;
  readonly changes: number;
}

/** What happened to the list between each answer and the next. */
function momentsOf(last: Node): readonly Moment[] {
  const moments: Moment[] = [];
  let after = last.list;
  let changes = 0;
  for (let node = last; node.parent !== null; node = node.parent) {
    if (node.event.kind === 'change') {
      changes += 1;
      continue;
    }
    moments.push({ before: node.list, after, met: node.met, changes });
    after = node.list;
    changes = 0;
  }
  return moments;
}

function overtakes(key: string, before: List, after: List, met: List): boolean {
  return [...met].some(
    (other) =>
      before.includes(other) &&
      before.indexOf(other) < before.indexOf(key) &&
      (!after.includes(other) || after.indexOf(key) < after.indexOf(other)),
  );
}

/** Whether a record was moved to neither end of the list. */
export function hasMoveBeyondPromise(last: Node): boolean {
  for (let node = last; node.parent !== null; node = node.parent) {
    const { event } = node;
    if (event.kind === 'change' && isBeyondPromise(event.change, node.list.length)) return true;
  }
  return false;
}
