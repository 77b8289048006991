// A folder of a test's own, which is gone with the test.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onCleanup } from './cleanup.ts';

export function newFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `custody-mirror-${name}-`));
  onCleanup(async () => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }));
  return folder;
}
