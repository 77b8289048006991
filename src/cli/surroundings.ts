// What every command lives in: its streams and environment, a logger, metrics, signals that stop it, and the release of
// whatever it acquired, last in first out.
import type { ConfigSources, LogConfig } from '../base/config.ts';
import { createReleasers, onStopSignals } from '../base/lifecycle.ts';
import { createLogger } from '../base/logger.ts';
import { createMetrics } from '../base/metrics.ts';
import type { Surroundings } from './compose.ts';
import { exitCodes } from './exit.ts';
import type { Output } from './terminal.ts';

export interface CommandContext extends ConfigSources {
  readonly stdout: Output;
  readonly stderr: Output;
  /** Ends the process now, without any release. */
  readonly exitAtOnce: (code: number) => void;
}

export interface SurroundingsOptions extends CommandContext {
  readonly log: LogConfig;
  /** Adds figures of the process itself to the metrics. */
  readonly processMetrics?: boolean;
}

/** A stop may take ten seconds in all; what is left when the work has stopped goes to the releases. */
const releaseWithinMs = 5_000;

/**
 * Does the work of a command. The first SIGTERM or SIGINT aborts the signal, the second ends the process at once.
 * Whatever was added to the releasers is released in the end.
 */
export async function withSurroundings<Value>(
  options: SurroundingsOptions,
  work: (surroundings: Surroundings, signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const logger = createLogger(options.log);
  const releasers = createReleasers(logger);
  const stop = new AbortController();
  const removeHandlers = onStopSignals(stop, (signal) => {
    logger.warn({ signal }, 'stopped at once');
    options.exitAtOnce(exitCodes.failed);
  });
  try {
    return await work({ logger, metrics: createMetrics(options.processMetrics), releasers }, stop.signal);
  } finally {
    await releasers.releaseAll(releaseWithinMs).catch(() => undefined);
    removeHandlers();
  }
}
