// The custody interface of the mirror, served over HTTP for a test.

import type { SandboxOptions } from '../../packages/sandbox/src/options.ts';
import { resources } from '../../src/domain/jobs.ts';
import type { Database } from '../../src/store/postgres/database.ts';
import { runCycle } from '../../src/sync/jobs/runners.ts';
import { openReading } from './api-source.ts';
import type { TestDatabase } from './database.ts';
import { type Mirror, openMirror } from './mirror.ts';
import { startServer } from './running-server.ts';
import { type Answer, askJson } from './served-sandbox.ts';

export interface ServedCustody {
  /** Where the interface begins. */
  readonly url: string;
  readonly readDatabase: Database;
  get(path: string): Promise<Answer>;
}

/** Serves what a database holds. */
export async function serveCustody(
  { url }: Pick<TestDatabase, 'url'>,
  account = 'default',
): Promise<ServedCustody> {
  const reading = openReading(url);
  const server = await startServer({ reading, account });
  const base = `${server.url}/custody`;
  return { url: base, readDatabase: reading.readDatabase, get: (path) => askJson(base + path) };
}

/** A sandbox, its mirror after one cycle, and the interface of the mirror. */
export async function serveMirrored(
  options: SandboxOptions = {},
): Promise<{ readonly mirror: Mirror } & ServedCustody> {
  const mirror = await openMirror(options);
  await runCycle(mirror.context, resources, {});
  return { mirror, ...(await serveCustody(mirror)) };
}
