// The scope of a command: its streams and environment, a logger, metrics, the signals that stop it, and the
// release of what it acquired, last in first out.

import { createRequire } from 'node:module';
import { context, DiagLogLevel, diag, trace } from '@opentelemetry/api';
import type { DestinationStream } from 'pino';
import { isBindPassing } from '../../base/bind-error.ts';
import type { LogConfig } from '../../base/config/config.ts';
import type { ConfigSources, Environment } from '../../base/config/reader.ts';
import { onStopSignals, StopRequested } from '../../base/lifecycle.ts';
import { createLogger, type Logger } from '../../base/logger.ts';
import { createMetrics, type Metrics } from '../../base/metrics.ts';
import type { Output } from '../../base/output.ts';
import { createReleasers, type Releasers, unlessStopped } from '../../base/waiting.ts';
import { MirrorError } from '../../domain/errors.ts';
import type { LiveLine } from '../text/terminal.ts';

// How a command ends: its exit code, and a failure as a message that names the thing and the fix.

/** A rejected key has its own code for `sync`, and for `verify` that it could not verify. */
export const exitCodes = { ok: 0, failed: 1, configuration: 2, keyRejected: 3, unverified: 3 } as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

export function exitCodeOf(error: unknown): ExitCode {
  return error instanceof MirrorError && error.code === 'CONFIGURATION' && !isBindPassing(error)
    ? exitCodes.configuration
    : exitCodes.failed;
}

/** The message for a failure, with a stack only if the failure was unexpected. */
export function describeFailure(error: unknown): string {
  if (error instanceof MirrorError) {
    if (error.code === 'CONFIGURATION')
      return `Invalid configuration:\n${error.message.replace(/^/gm, '  ')}`;
    return `${error.message} (${error.code})`;
  }
  if (error instanceof StopRequested) return error.message;
  if (error instanceof Error) return error.stack ?? error.message;
  return String(error);
}

// Sends traces when the standard variables of OpenTelemetry ask for it: an endpoint, or
// OTEL_TRACES_EXPORTER=otlp. The SDK is loaded only then. It reads the rest of its variables (endpoint,
// headers, sampler, batches, resource) itself.

const endpoints = ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT'] as const;

function wantsTraces(env: Environment): boolean {
  if (env['OTEL_SDK_DISABLED']?.trim().toLowerCase() === 'true') return false;
  const exporter = env['OTEL_TRACES_EXPORTER']?.trim() ?? '';
  return exporter === '' ? endpoints.some((name) => env[name]) : exporter.split(',').includes('otlp');
}

/** Starts sending traces if they are enabled; the release sends the rest. */
async function startTracing(env: Environment, releasers: Releasers, logger: Logger): Promise<void> {
  if (!wantsTraces(env)) return;
  const [
    { BasicTracerProvider, BatchSpanProcessor },
    { OTLPTraceExporter },
    { AsyncLocalStorageContextManager },
    resources,
  ] = await Promise.all([
    import('@opentelemetry/sdk-trace-base'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/context-async-hooks'),
    import('@opentelemetry/resources'),
  ]);
  diag.setLogger(complaints(logger), { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
  const named = resources.resourceFromAttributes({
    'service.name': 'custody-mirror',
    'service.version': packageVersion(),
  });
  // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES take precedence over ours.
  const given = resources.detectResources({ detectors: [resources.envDetector, resources.hostDetector] });
  const provider = new BasicTracerProvider({
    resource: resources.defaultResource().merge(named).merge(given),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  trace.setGlobalTracerProvider(provider);
  const protocol =
    env['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'] ?? env['OTEL_EXPORTER_OTLP_PROTOCOL'] ?? 'http/json';
  if (protocol !== 'http/json')
    logger.warn({ protocol }, 'traces are sent as http/json, the only supported protocol');
  logger.info('traces are sent');
  releasers.add('traces', async () => {
    await provider.shutdown();
    trace.disable();
    context.disable();
    diag.disable();
  });
}

/** Messages of the SDK without their arguments, which may hold headers with secrets. */
function complaints(logger: Logger) {
  const note = (message: string) => logger.warn({ reason: message.slice(0, 300) }, 'sending traces failed');
  const nothing = () => undefined;
  return { error: note, warn: note, info: nothing, debug: nothing, verbose: nothing };
}

/** The package's own version. */
export function packageVersion(): string {
  return createRequire(import.meta.url)('custody-mirror/package.json').version;
}

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

interface CommandScopeOptions extends CommandContext {
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
    const graceMs = workWithinMs + (options.drainMs ?? 0);
    return await unlessStopped(stop.signal, () => work(scope, stop.signal), graceMs);
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
