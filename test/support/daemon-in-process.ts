// The daemon of a mirror in this process, without its command line and its server.
import { type DaemonOptions, runDaemon } from '../../src/scheduler/daemon.ts';
import { releaseLease } from '../../src/store/run/leases.ts';
import { onCleanup } from './cleanup.ts';
import { capturingLogger } from './loggers.ts';
import type { Mirror } from './mirror.ts';

interface RunningDaemon {
  readonly entries: ReturnType<typeof capturingLogger>['entries'];
  /** Stops it and waits for its end, which comes with the end of the test at the latest. */
  end(): Promise<void>;
  /** The error with which it ends by itself. */
  failure(): Promise<unknown>;
}

/** Starts it; it takes over the lease that the mirror of the test holds. */
export async function startDaemonOf(
  { config, context }: Pick<Mirror, 'config' | 'context'>,
  options: Pick<DaemonOptions, 'onOutcome' | 'againBackoff' | 'sealing' | 'verify'> = {},
): Promise<RunningDaemon> {
  await releaseLease(context.database, context.lease);
  const stop = new AbortController();
  const { logger, entries } = capturingLogger();
  const daemon = runDaemon({
    config,
    tools: { ...context, logger },
    holder: 'daemon',
    signal: stop.signal,
    onRole: () => undefined,
    ...options,
  });
  // It may end before `end` or `failure` asks how.
  daemon.catch(() => undefined);
  let failing: Promise<unknown> | undefined;
  const end = async () => {
    stop.abort();
    await (failing ?? daemon);
  };
  onCleanup(end);
  const failure = () => {
    failing = daemon.catch((error: unknown) => error);
    return failing;
  };
  return { entries, end, failure };
}
