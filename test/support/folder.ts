// An empty folder of a test's own, which goes with everything in it when the test ends.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onCleanup } from './cleanup.ts';

/** @param mode wider where others look into it, such as a server that runs as another user */
export function newFolder(mode = 0o700): string {
  const folder = mkdtempSync(join(tmpdir(), 'custody-mirror-'));
  chmodSync(folder, mode);
  onCleanup(async () => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
  return folder;
}
