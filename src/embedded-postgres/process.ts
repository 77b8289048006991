// Starting one of PostgreSQL's programs so that it ends with us, even when we are killed: nothing runs on unattended,
// and nothing that was to be removed is left behind.
import { type ChildProcess, spawn } from 'node:child_process';
import { Duplex, type Readable } from 'node:stream';
import { type Account, runAs } from './binaries.ts';

/**
 * A shell that leaves a watcher behind and becomes the program. The watcher's line to us breaks when our process ends,
 * however it does; unless told before that the program has ended, it interrupts the program and removes what is not kept.
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

/** @param discard what to remove should we be killed before the program has ended; null for nothing */
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
    // Its own session, so that the terminal's Ctrl-C reaches us alone and the program is ended in order.
    detached: true,
  });
  const { stderr } = child;
  const line = child.stdio[3];
  if (stderr === null || !(line instanceof Duplex))
    throw new Error('a program was started without its pipes');
  line.on('error', () => undefined).resume();
  // Not by standard input, which Node closes before it tells of the exit.
  child.on('exit', () => line.end('released\n'));
  const ended = new Promise<void>((done) => child.on('error', () => done()).on('close', () => done()));
  return { child, stderr, ended };
}

export function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null || child.pid === undefined;
}
