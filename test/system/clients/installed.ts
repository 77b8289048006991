// Where the clients are that scripts/install-clients.mjs installs. `npm run test:clients` has them run; `npm
// test` stays quick. With TEST_CLIENTS=quick, as CI has it, those are left out that take minutes.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface Installed {
  readonly directory: string;
  /** Why it cannot be run, for the name of a test; empty where it can. */
  readonly missing: string;
}

/** A key of `commands` in scripts/install-clients.mjs. */
type Kind =
  | 'python'
  | 'schemathesis'
  | 'node'
  | 'java'
  | 'spark'
  | 'superset'
  | 'debezium'
  | 'helm'
  | 'kubernetes'
  | 'go'
  | 'prometheus';

export function installed(kind: Kind, { takesMinutes = false } = {}): Installed {
  const wanted = process.env['TEST_CLIENTS'];
  if (wanted !== '1' && wanted !== 'quick')
    return { directory: '', missing: ' (skipped: npm run test:clients runs it)' };
  if (wanted === 'quick' && takesMinutes)
    return { directory: '', missing: ' (skipped: it takes minutes, so only npm run test:clients runs it)' };
  const script = fileURLToPath(new URL('../../../scripts/install-clients.mjs', import.meta.url));
  const { stdout } = spawnSync(process.execPath, [script, '--where', kind], { encoding: 'utf8' });
  const directory = stdout.trim();
  return {
    directory,
    missing: directory === '' ? ` (skipped: its packages for ${kind} could not be had)` : '',
  };
}
