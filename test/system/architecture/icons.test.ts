// The shapes of the icons are those of the package that they come from.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

test('the shapes of the icons are those of lucide-static', () => {
  const script = fileURLToPath(new URL('../../../scripts/generate-icons.mjs', import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});
