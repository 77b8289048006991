// A limit on the addresses of a process (`ulimit -v`, LimitAS=, shared hosting): what does not talk to the
// custody service works, and what does names the limit. And several addresses: each is waited for long enough.
import { getDefaultAutoSelectFamilyAttemptTimeout } from 'node:net';
import { expect, test } from 'vitest';
import { environment, serveSandbox } from '../../support/command.ts';
import { testDatabase } from '../../support/database.ts';
import { runProcess } from '../../support/process.ts';

const launcher = ['sh', '-c', 'ulimit -v 8000000; exec "$@"', 'sh'];

test('behind ulimit -v the commands without the service work, and sync names the limit', async () => {
  const [service, database] = await Promise.all([serveSandbox(), testDatabase()]);
  const env = environment(service, database, { CUSTODY_RETRIES: '0' });
  expect(await runProcess(['--version'], { launcher })).toMatchObject({ code: 0, stderr: '' });
  expect(await runProcess(['migrate'], { env, launcher })).toMatchObject({ code: 0 });
  const synced = await runProcess(['sync'], { env, launcher });
  expect(synced.code).toBe(1);
  expect(synced.stdout + synced.stderr).toMatch(/NETWORK: .*WebAssembly.*ulimit -v/);
  // Nothing is mirrored, which is what they say.
  for (const command of ['status', 'verify']) {
    const { stdout, stderr } = await runProcess([command], { env, launcher });
    expect(stdout + stderr).not.toMatch(/RangeError|WebAssembly\.|at .*\.js:/);
    expect(stdout + stderr).not.toBe('');
  }
});

test('an address of several is waited for longer than the quarter of a second of Node.js', async () => {
  const show =
    "process.on('exit', () => console.log(require('node:net').getDefaultAutoSelectFamilyAttemptTimeout()))";
  const preload = `data:text/javascript,${encodeURIComponent(`import { createRequire } from 'node:module'; const require = createRequire('/'); ${show}`)}`;
  const { stdout } = await runProcess(['--version'], { env: { NODE_OPTIONS: `--import "${preload}"` } });
  expect(Number(stdout.split('\n').at(-2))).toBeGreaterThanOrEqual(1_000);
  expect(getDefaultAutoSelectFamilyAttemptTimeout()).toBeLessThan(1_000);
});
