// Starts a program of PostgreSQL so that it ends when we end, even when we are killed. Files that had to be
// removed are then removed too.
import { type ChildProcess, spawn } from 'node:child_process';
import { Duplex, type Readable } from 'node:stream';
import { type Account, runAs } from './binaries.ts';

/**
 * A shell that starts a watcher and then becomes the program. The watcher reads a pipe that breaks when our
 * process ends. If the program has not ended by then, the watcher interrupts it and removes the directory
 * `discard`.
 */
const watched = `
( ( read -r word <&3
    [ "$word" = released ] && exit
    kill -INT $$
    [ -n "$discard" ] || exit
    tries=0
    while kill -0 $$ && [ $tries -lt 100 ]; do sleep 0.2; tries=$((tries + 1)); done
    rm -rf -- "$discard"
  ) >/dev/null 2>&1 & )
unset discard
exec "$@" 3<&-
`;

export interface WatchedProcess {
  /** The program itself: its process id is the child's. */
  readonly child: ChildProcess;
  readonly stderr: Readable;
  /** Resolves when the program has ended, or could not be started. */
  readonly ended: Promise<void>;
}

/** @param discard directory to remove if we are killed before the program has ended; null for none */
export function spawnWatched(
  command: readonly string[],
  account: Account,
  discard: string | null,
): WatchedProcess {
  const { env, ...as } = runAs(account);
  const child = spawn('/bin/sh', ['-c', watched, 'sh', ...command], {
    ...as,
    env: { ...env, discard: discard ?? '' },
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    // A separate session: Ctrl-C in the terminal reaches only us, and we stop the program in order.
    detached: true,
  });
  const { stderr } = child;
  const line = child.stdio[3];
  if (stderr === null || !(line instanceof Duplex)) throw new Error('the program has no pipes');
  line.on('error', () => undefined).resume();
  // Standard input would not do: Node.js closes it before it reports the exit.
  child.on('exit', () => line.end('released\n'));
  const ended = new Promise<void>((done) => child.on('error', () => done()).on('close', () => done()));
  return { child, stderr, ended };
}

export function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null || child.pid === undefined;
}
