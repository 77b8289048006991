// The PostgreSQL that tests start for themselves: the version that TEST_POSTGRES_VERSION names, else the
// newest there is.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { unprivilegedAccount } from '../../packages/demo/src/embedded-postgres/binaries.ts';
import { placeCluster } from '../../packages/demo/src/embedded-postgres/cluster.ts';
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from '../../packages/demo/src/embedded-postgres/server.ts';
import { newDataDirectory } from './data-directory.ts';

/** The major version that the development dependency `embedded-postgres` is of. */
export const newestPostgres = '18';

const versionOfRun = () => process.env['TEST_POSTGRES_VERSION'] || newestPostgres;

/** Names that cluster, for the workers. */
const madeCluster = 'TEST_CLUSTER';

/**
 * Starts the server of the run. It keeps, in its directory and as long as that, the cluster with which each
 * other server begins: initdb takes a second of processor.
 */
export async function startFirstPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const dataDirectory = newDataDirectory('custody-mirror-cluster');
  const empty = await startEmbeddedPostgres({
    dataDirectory,
    persistent: true,
    installedIn: installedIn(versionOfRun()),
  });
  await empty.stop();
  process.env[madeCluster] = empty.dataDirectory;
  const server = await startPostgres(options);
  const kept = join(server.dataDirectory, 'custody-mirror.cluster');
  const { status, stderr } = spawnSync('mv', [empty.dataDirectory, kept], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  process.env[madeCluster] = kept;
  return server;
}

/** An embedded PostgreSQL, of the version the run is for unless another is named. */
export async function startPostgres(
  options: EmbeddedPostgresOptions,
  version = versionOfRun(),
): Promise<EmbeddedPostgres> {
  if (version === versionOfRun()) copyCluster(options.dataDirectory);
  // Nothing that a test writes has to outlive the machine.
  const settings = { fsync: 'off', ...options.settings };
  return await startEmbeddedPostgres({ ...options, settings, installedIn: installedIn(version) });
}

function copyCluster(wished: string): void {
  const made = process.env[madeCluster];
  if (!made) return;
  const { directory } = placeCluster(wished, unprivilegedAccount());
  if (existsSync(directory)) return;
  // The owner of the files stays.
  const { status, stderr } = spawnSync('cp', ['-a', made, directory], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}

function installedIn(version: string): string | undefined {
  return version === newestPostgres ? undefined : installVersion(`postgres-${version}`);
}

/** Of those below test/system/versions. @returns the folder whose node_modules hold it */
export function installVersion(name: string): string {
  const script = fileURLToPath(new URL('../../scripts/install-version.mjs', import.meta.url));
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, name], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return stdout.trim();
}
