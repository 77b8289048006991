// Where the clients are that scripts/install-clients.mjs installs. `npm run test:clients` has them run; `npm
// test` stays quick.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface Installed {
  readonly directory: string;
  /** Why it cannot be run, for the name of a test; empty where it can. */
  readonly missing: string;
}

/** A key of `commands` in scripts/install-clients.mjs. */
type Kind = 'python' | 'schemathesis' | 'node' | 'java' | 'spark' | 'debezium' | 'helm' | 'go' | 'prometheus';

export function installed(kind: Kind): Installed {
  if (process.env['TEST_CLIENTS'] !== '1')
    return { directory: '', missing: ' (skipped: npm run test:clients runs it)' };
  const script = fileURLToPath(new URL('../../../scripts/install-clients.mjs', import.meta.url));
  const { stdout } = spawnSync(process.execPath, [script, '--where', kind], { encoding: 'utf8' });
  const directory = stdout.trim();
  return {
    directory,
    missing: directory === '' ? ` (skipped: its packages for ${kind} could not be had)` : '',
  };
}
