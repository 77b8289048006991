// The scope of a command: its streams and environment, a logger, metrics, the signals that stop it, and the
// release of what it acquired, last in first out.
import type { DestinationStream } from 'pino';
import type { LogConfig } from '../../base/config/config.ts';
import type { ConfigSources } from '../../base/config/reader.ts';
import { onStopSignals } from '../../base/lifecycle.ts';
import { createLogger, type Logger } from '../../base/logger.ts';
import { createMetrics, type Metrics } from '../../base/metrics.ts';
import type { Output } from '../../base/output.ts';
import { createReleasers, type Releasers } from '../../base/releasers.ts';
import { unlessOverdue } from '../../base/waiting.ts';
import type { LiveLine } from '../text/terminal.ts';
import { exitCodes } from './exit.ts';
import { startTracing } from './tracing.ts';

export interface CommandContext extends ConfigSources {
  readonly stdout: Output;
  /** Takes the log too, so that lines come out whole and in order. */
  readonly stderr: Output;
  /** Exits the process now, without releasing anything. */
  readonly exitAtOnce: (code: number) => void;
  /** Aborted by a signal that arrives before the command handles signals; call `release` when it does. */
  readonly early: { readonly signal: AbortSignal; readonly release: () => void };
}

/** What a command works with. */
export interface CommandScope {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly releasers: Releasers;
}

export interface CommandScopeOptions extends CommandContext {
  readonly log: LogConfig;
  /** A line on the terminal below the log; it is removed at the end. */
  readonly line?: LiveLine;
  /** Takes the log instead of standard error. */
  readonly destination?: DestinationStream;
  /** Adds figures of the process itself to the metrics. */
  readonly processMetrics?: boolean;
  /** How long the work goes on after a signal on purpose, in milliseconds. Default 0. */
  readonly drainMs?: number;
}

/** A stop may take ten seconds in all: work that exceeds its share is abandoned. */
const workWithinMs = 5_000;
const releaseWithinMs = 3_000;

/**
 * Runs the work of a command. The first signal to stop aborts the signal, the second exits the process at
 * once. At the end the releasers release what the work added to them.
 */
export async function withCommandScope<Value>(
  options: CommandScopeOptions,
  work: (scope: CommandScope, signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const { line, log, stderr } = options;
  const shown = line === undefined || !stderr.isTTY ? stderr : above(line, stderr);
  const logger = createLogger({ ...log, destination: options.destination ?? shown });
  const metrics = createMetrics(options.processMetrics);
  stderr.watch?.({
    onDrop: () => metrics.logLinesDropped.inc(),
    onTaken: (lines) => logger.warn({ lines }, 'log lines were dropped'),
  });
  const releasers = createReleasers(logger);
  const stop = new AbortController();
  const removeHandlers = onStopSignals(stop, (signal) => {
    logger.warn({ signal }, 'stopped at once');
    options.exitAtOnce(exitCodes.failed);
  });
  options.early.release();
  if (options.early.signal.aborted) stop.abort(options.early.signal.reason);
  try {
    await startTracing(options.env, releasers, logger);
    const scope = { logger, metrics, releasers };
    return await unlessOverdue(stop.signal, workWithinMs + (options.drainMs ?? 0), () =>
      work(scope, stop.signal),
    );
  } finally {
    line?.clear();
    await releasers.releaseAll(releaseWithinMs).catch(() => undefined);
    removeHandlers();
  }
}

/** Writes over the line, whose next change shows it again below. */
function above(line: LiveLine, output: Output): DestinationStream {
  return {
    write(text) {
      line.clear();
      output.write(text);
    },
  };
}
