import { expect, test } from 'vitest';
import { createKeySet } from '../../../src/sync/run/key-set.ts';
import { readHead } from '../../../src/sync/walk/moves.ts';
import type { WalkState } from '../../../src/sync/walk/state.ts';
import { answerWalk, newWalk, requestOf, verdictOf } from '../../../src/sync/walk/walk.ts';

interface Service {
  keys: string[];
  /** What happens before an answer, by its number from 1; gives the size of the page. */
  readonly answer: (request: number, offset: number) => number;
}

interface Walked {
  /** What the walk had met before it came to the head again. */
  readonly met: readonly string[];
  readonly owed?: number;
}

const pageSize = 50;

/** Reads the head as a walk does that has just confirmed the end of the list. */
function readHeadOf(service: Service, { met: metBefore, owed = 0 }: Walked) {
  const met = createKeySet();
  for (const key of metBefore) met.add(key);
  const rules = { paging: 'documented', limit: pageSize, expectedLength: null, maxPages: 1_000 } as const;
  const window = { offset: service.keys.length - pageSize, keys: service.keys.slice(-pageSize) };
  const walked = newWalk();
  let state: WalkState = readHead({
    ...walked,
    window,
    received: pageSize,
    head: metBefore.slice(0, 40),
    unaccountedGrowth: owed,
    evidence: { ...walked.evidence, pageSize, pages: 10, grew: owed },
  });
  let requests = 0;
  for (let request = requestOf(state); request !== null; request = requestOf(state)) {
    requests += 1;
    const size = service.answer(requests, request.offset);
    const keys = service.keys.slice(request.offset, request.offset + size);
    state = answerWalk(state, { rules, met }, { keys, hasUndecodable: false, isRefused: false }).state;
    for (const key of keys) met.add(key);
  }
  return { ...verdictOf(state), met, requests };
}

const named = (name: string, count: number) => Array.from({ length: count }, (_, index) => `${name}${index}`);
const old = named('old', 200);

test('what moves to the head while it is read over several pages is met, also below a record that was first before', () => {
  const service: Service = {
    keys: [...named('new', 100), ...old],
    answer(request) {
      // An unread one moves to the head, and many after it: among them, in the end, the one that was first.
      if (request === 4)
        service.keys = ['new0', ...named('more', 60), 'moved', ...named('new', 100).slice(1), ...old];
      return 50;
    },
  };
  const { verified, met } = readHeadOf(service, { met: old });
  expect(verified).toBe(true);
  expect(met.has('more59')).toBe(true);
  expect(met.has('moved')).toBe(true);
});

test('a head that never stands still is not trusted', () => {
  let arrivals = 0;
  const service: Service = {
    keys: [...named('new', 100), ...old],
    answer() {
      service.keys = [`arrival${arrivals++}`, ...service.keys];
      return 50;
    },
  };
  expect(readHeadOf(service, { met: old })).toMatchObject({ verified: false });
});

test('a record below others that were updated in the same order as ever is found, for the list grew by it', () => {
  // Newest update first: a job touches the same 120 records in the same order, and 'jumped' was updated just
  // before.
  const keys = [...old.slice(0, 120), 'jumped', ...old.slice(120)];
  const { verified, met } = readHeadOf({ keys, answer: () => 50 }, { met: old, owed: 1 });
  expect(verified).toBe(true);
  expect(met.has('jumped')).toBe(true);
});
