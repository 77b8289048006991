// What a test acquired is released when that test ends; what was acquired outside a test, when its file ends;
// what one run of a property acquired, when that run ends. Releases run last in, first out, also after a
// failure.
import { AsyncLocalStorage } from 'node:async_hooks';
import { afterAll, onTestFinished } from 'vitest';

type Release = () => Promise<void>;

const atFileEnd: Release[] = [];
const atRunEnd = new AsyncLocalStorage<Release[]>();

export function onCleanup(release: Release): void {
  const ofRun = atRunEnd.getStore();
  if (ofRun !== undefined) {
    ofRun.push(release);
    return;
  }
  try {
    onTestFinished(release);
  } catch {
    atFileEnd.push(release);
  }
}

/**
 * One of the many runs of a test: together they would hold more databases and connections than the server
 * has.
 */
export function oneRun<Args extends unknown[]>(
  run: (...args: Args) => Promise<void>,
): (...args: Args) => Promise<void> {
  return async (...args) => {
    const releases: Release[] = [];
    try {
      await atRunEnd.run(releases, () => run(...args));
    } finally {
      await releaseAll(releases);
    }
  };
}

/** Called once per file by vitest (setupFiles in vitest.config.ts). */
export function registerFileCleanup(): void {
  afterAll(() => releaseAll(atFileEnd));
}

async function releaseAll(releases: Release[]): Promise<void> {
  for (let release = releases.pop(); release !== undefined; release = releases.pop()) await release();
}
