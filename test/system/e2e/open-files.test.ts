// A limit of open files that is too low is named by its number, before it breaks something.
import { execFileSync, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const built = fileURLToPath(new URL('../../../dist/src/cli/main.js', import.meta.url));
const hasLimits = execFileSync('uname', { encoding: 'utf8' }).trim() === 'Linux';
const unlessSkipped = hasLimits ? '' : ' (skipped: only Linux tells the limit)';

test.skipIf(!hasLimits).each([
  [64, ['run', 'sync']],
  [128, ['serve', 'status']],
])(`with %i open files no command starts: %j${unlessSkipped}`, (limit, commands) => {
  for (const command of commands) {
    const { status, stdout, stderr } = spawnSync(
      'sh',
      ['-c', `ulimit -n ${limit} && exec "$@"`, 'sh', process.execPath, built, command],
      { encoding: 'utf8', env: { PATH: process.env['PATH'] } },
    );
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(
      new RegExp(`^The limit of open files is ${limit} \\(ulimit -n\\), .* at least 256.*\\n$`),
    );
  }
});

test.skipIf(!hasLimits)(`the limit that is asked for is enough to start${unlessSkipped}`, () => {
  const { status, stderr } = spawnSync(
    'sh',
    ['-c', 'ulimit -n 256 && exec "$@"', 'sh', process.execPath, built, 'run'],
    { encoding: 'utf8', env: { PATH: process.env['PATH'] } },
  );
  expect(status).toBe(2);
  expect(stderr).toContain('DATABASE_URL');
});
