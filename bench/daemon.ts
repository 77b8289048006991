// Daemons that a bench watches, each with a port that is free.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export function startDaemon(env: Readonly<Record<string, string>>): ChildProcess {
  const program = fileURLToPath(new URL('../src/cli/main.js', import.meta.url));
  return spawn(process.execPath, [program, 'run'], {
    env: { PATH: process.env['PATH'] ?? '', HTTP_PORT: '0', ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
}

export function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}

/** Stops them all at once, and waits for their ends. */
export async function stopDaemons(daemons: readonly ChildProcess[]): Promise<void> {
  const running = daemons.filter(isRunning);
  for (const daemon of running) daemon.kill();
  await Promise.all(running.map((daemon) => once(daemon, 'exit')));
}
