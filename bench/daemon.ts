// Daemons that a bench watches, each with a port that is free.
import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const program = fileURLToPath(new URL('../src/cli/main.js', import.meta.url));

export interface DaemonStart {
  readonly command: string;
  /** The program of another version. */
  readonly file: string;
  readonly stdio: StdioOptions;
}

export function startDaemon(
  env: Readonly<Record<string, string>>,
  { command = 'run', file = program, stdio = ['ignore', 'inherit', 'inherit'] }: Partial<DaemonStart> = {},
): ChildProcess {
  return spawn(process.execPath, [file, command], {
    env: { PATH: process.env['PATH'] ?? '', HTTP_PORT: '0', ...env },
    stdio,
  });
}

/** What the image sets for Node.js and the C library. */
export function settingsOfImage(): Readonly<Record<string, string>> {
  const dockerfile = readFileSync('Dockerfile', 'utf8');
  return Object.fromEntries(
    [...dockerfile.matchAll(/\b(NODE_OPTIONS|MALLOC_\w+)=(\S+)/g)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  );
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
