// Walks a changing list without I/O: what is read ahead is answered when it is asked for, as by a service.
import type { Verdict } from '../../../../src/sync/walk/verdict.ts';
import { answerWalk, newWalk, requestOf, verdictOf } from '../../../../src/sync/walk/walk.ts';
import { createChangingList, type RandomWorld, randomOf, rulesOf } from './random-world.ts';

export interface RandomWalk {
  readonly verdict: Verdict;
  readonly requests: number;
  /** Requests since the list stood still; null if it never did. */
  readonly requestsAtRest: number | null;
  /** Records that stayed and were not met. */
  readonly missed: readonly string[];
  /** The list at each answer that the walk took, and how many times it changed since the one before. */
  readonly moments: readonly {
    readonly keys: readonly string[];
    readonly changes: number;
    readonly met: number;
  }[];
  readonly metInOrder: readonly string[];
}

export function walkRandomly(world: RandomWorld): RandomWalk {
  const list = createChangingList(world);
  const random = randomOf(world.seed + 1);
  const rules = rulesOf(world);
  const size = Math.min(world.limit, world.clamp ?? world.limit);
  const first = list.keys;
  const met = new Set<string>();
  const moments: { keys: readonly string[]; changes: number; met: number }[] = [];
  let ahead: { readonly offset: number; readonly keys: readonly string[] }[] = [];
  let requests = 0;
  let changes = 0;
  let restedAt: number | null = null;
  let walk = newWalk();

  const ask = (offset: number) => {
    requests += 1;
    if (requests > 1 && requests < world.restFrom && random() * world.every < 1) {
      list.change();
      changes += 1;
    }
    if (requests >= world.restFrom) restedAt ??= requests;
    return { offset, keys: list.keys.slice(offset, offset + size) };
  };
  for (let request = requestOf(walk); request !== null; request = requestOf(walk)) {
    if (walk.phase.name !== 'forward' || ahead[0]?.offset !== request.offset) ahead = [];
    const page = ahead.shift() ?? ask(request.offset);
    let last = ahead.at(-1)?.offset ?? request.offset;
    while (request.stride > 0 && ahead.length < world.ahead) {
      last += request.stride;
      ahead.push(ask(last));
    }
    moments.push({ keys: list.keys, changes, met: met.size });
    changes = 0;
    const answer = { keys: page.keys, hasUndecodable: false, isRefused: false };
    const { state } = answerWalk(walk, { rules, met }, answer);
    const { grew, shrank } = state.evidence;
    if (grew !== walk.evidence.grew || shrank !== walk.evidence.shrank) ahead = [];
    walk = state;
    for (const key of page.keys) met.add(key);
  }
  return {
    verdict: verdictOf(walk),
    requests,
    requestsAtRest: restedAt === null ? null : requests - restedAt + 1,
    missed: first.filter((key) => !list.removed.has(key) && !met.has(key)),
    moments,
    metInOrder: [...met],
  };
}

/**
 * Whether each missed record came in front of a met one in a moment in which the list changed in another way
 * too: what no reading can tell (docs/correctness.md). Pages read ahead make a moment longer.
 */
export function isHidden({ missed, moments, metInOrder }: RandomWalk, ahead: number): boolean {
  return missed.every((key) =>
    moments.some((moment, index) => {
      const before = moments[Math.max(0, index - 1 - ahead)]?.keys ?? [];
      const changes = moments
        .slice(Math.max(0, index - ahead), index + 1)
        .reduce((sum, one) => sum + one.changes, 0);
      return changes > 1 && overtakes(key, before, moment.keys, metInOrder.slice(0, moment.met));
    }),
  );
}

function overtakes(key: string, before: readonly string[], after: readonly string[], met: readonly string[]) {
  const [stood, stands] = [before.indexOf(key), after.indexOf(key)];
  const behind = new Set(after.slice(stands));
  const infront = new Set(before.slice(0, stood));
  const there = new Set(after);
  return met.some((other) => infront.has(other) && (behind.has(other) || !there.has(other)));
}
