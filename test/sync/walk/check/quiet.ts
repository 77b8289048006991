// Whether the answers that a walk was given are those of a list that nobody changed. What such answers hide,
// no reading can tell: whoever calls a list at rest verified calls this one verified too.
import { requestOf } from '../../../../src/sync/walk/walk.ts';
import type { Node } from './explore.ts';

export function looksAtRest(last: Node): boolean {
  const keyAt = new Map<number, string>();
  const placeOf = new Map<string, number>();
  let emptyFrom = Number.POSITIVE_INFINITY;
  for (let node = last; node.parent !== null; node = node.parent) {
    const { parent, event, page } = node;
    const request = requestOf(parent.walk);
    if (event.kind === 'change' || request === null) continue;
    if (page === '') emptyFrom = Math.min(emptyFrom, request.offset);
    for (const [index, key] of [...page].entries()) {
      const place = request.offset + index;
      if ((keyAt.get(place) ?? key) !== key || (placeOf.get(key) ?? place) !== place) return false;
      keyAt.set(place, key);
      placeOf.set(key, place);
    }
  }
  return [...keyAt.keys()].every((place) => place < emptyFrom);
}
