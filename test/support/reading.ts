// What the read API is answered from, for a test: a pool of its own, and the signal of changes.
import { Secret } from '../../src/base/secret.ts';
import type { Database } from '../../src/store/postgres/database.ts';
import { type ChangeSignal, openChangeSignal } from '../../src/store/reading/change-signal.ts';
import { onCleanup } from './cleanup.ts';
import { silentLogger } from './loggers.ts';
import { open } from './store.ts';

/** @param looking `listens` is false where the signal may only look now and then, every `lookEveryMs` */
export function openReading(
  url: string,
  { listens = true, lookEveryMs = 2_000 }: { readonly listens?: boolean; readonly lookEveryMs?: number } = {},
): { readonly readDatabase: Database; readonly changes: ChangeSignal } {
  const readDatabase = open(url, { readOnly: true, poolName: 'api', maxConnections: 4 });
  const changes = openChangeSignal({
    database: readDatabase,
    url: listens ? new Secret(url) : null,
    logger: silentLogger,
    lookEveryMs,
  });
  onCleanup(() => changes.close());
  return { readDatabase, changes };
}
