// What a test acquired is released when that test ends; what was acquired outside a test, when its file ends.
// Releases run last in, first out, also after a failure.
import { afterAll, onTestFinished } from 'vitest';

const atFileEnd: (() => Promise<void>)[] = [];

export function onCleanup(release: () => Promise<void>): void {
  try {
    onTestFinished(release);
  } catch {
    atFileEnd.push(release);
  }
}

/** Called once per file by vitest (setupFiles in vitest.config.ts). */
export function registerFileCleanup(): void {
  afterAll(async () => {
    for (let release = atFileEnd.pop(); release !== undefined; release = atFileEnd.pop()) await release();
  });
}
