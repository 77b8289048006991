import { expect, test } from 'vitest';
import { runProcess, startProcess } from '../../support/process.ts';

test('a process is started, watched and ended in order', async () => {
  const sandbox = startProcess(['sandbox', '--port', '0', '--transactions', '10']);
  const [, address = ''] = await sandbox.output(/listens at (http:\S+)/);
  expect((await fetch(`${address}/transactions`)).status).not.toBe(200);
  sandbox.kill('SIGTERM');
  expect(await sandbox.exit()).toEqual({ code: 0, signal: null });
  await expect(sandbox.output(/never written/)).rejects.toThrow(/the process ended.*listens at/s);
});

test('a process is killed', async () => {
  const sandbox = startProcess(['sandbox', '--port', '0', '--transactions', '10']);
  await sandbox.output(/listens at/);
  await expect(sandbox.exit(1)).rejects.toThrow('in vain for the end of the process');
  sandbox.kill('SIGKILL');
  expect(await sandbox.exit()).toEqual({ code: null, signal: 'SIGKILL' });
});

test('a process has no environment but the one it is given', async () => {
  const given = await runProcess(['status'], { env: { LOG_LEVEL: 'loud' } });
  expect(given.code).not.toBe(0);
  expect(given.stdout + given.stderr).toContain('LOG_LEVEL');
  expect(given.stdout + given.stderr).toContain('DATABASE_URL');
});
