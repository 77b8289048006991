// The Node.js for clients that do without older ones: ours, or the one of test/system/versions.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { arch, platform } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

let found: string | null | undefined;

/** Path of a Node.js 22 or newer; null where there is none to be had. */
export function modernNode(): string | null {
  found ??= find();
  return found;
}

function find(): string | null {
  if (process.env['TEST_CLIENTS'] !== '1') return null;
  if (Number(process.versions.node.split('.')[0]) >= 22) return process.execPath;
  const script = fileURLToPath(new URL('../../../scripts/install-version.mjs', import.meta.url));
  const { stdout } = spawnSync(process.execPath, [script, 'node-24'], { encoding: 'utf8' });
  const program = join(stdout.trim(), 'node_modules', `node-${platform()}-${arch()}`, 'bin', 'node');
  return existsSync(program) ? program : null;
}
