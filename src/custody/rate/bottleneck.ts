// A Bottleneck for one process. Bottleneck 2.19.5 was made to share its state through Redis, and does in
// memory what it would do there: each step waits for a timer, which leaves 450 jobs a second, and it reads
// the wall clock, which may be set back, to keep a distance between jobs (`minTime`) that is not used here.
// docs/decisions/bottleneck-and-the-rate-controller.md
import Bottleneck from 'bottleneck';

/** The part of its store that is replaced. The version is pinned, and a test tries what is relied on. */
interface LocalStore {
  yieldLoop: () => Promise<void>;
  _nextRequest: number;
}

/** It runs no job until its reservoir is filled. */
export function createBottleneck(maxConcurrent: number): Bottleneck {
  const bottleneck = new Bottleneck({ maxConcurrent, reservoir: 0 });
  if ('_store' in bottleneck) runInProcess(bottleneck._store);
  return bottleneck;
}

function runInProcess(store: unknown): asserts store is LocalStore {
  if (typeof store !== 'object' || store === null) return;
  Object.assign(store, {
    // No distance is kept, so the next job may run now, whatever the wall clock says.
    yieldLoop: async () => Object.assign(store, { _nextRequest: 0 }),
  });
}
