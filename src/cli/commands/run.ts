// `custody-mirror run`: the daemon. Serves health, metrics and pages from the first moment, writes when it holds the
// lease, and stops within ten seconds of being asked to.
import { type Config, parseConfig } from '../../base/config.ts';
import { createHeartbeat } from '../../base/heartbeat.ts';
import { sleep } from '../../base/loop.ts';
import { unlessStopped } from '../../base/waiting.ts';
import { isThisMachine } from '../../http/admission.ts';
import { createHttpServer } from '../../http/server.ts';
import { runDaemon } from '../../scheduler/daemon.ts';
import { pingDatabase } from '../../store/postgres/database.ts';
import { readStatus } from '../../store/query/status.ts';
import type { SyncTools } from '../../sync/run/context.ts';
import type { JobOutcome } from '../../sync/run/run-job.ts';
import { type CommandContext, withSurroundings } from '../setup/command-scope.ts';
import { composeTools, holderName, type Surroundings } from '../setup/compose.ts';
import { type ExitCode, exitCodes } from '../setup/exit.ts';
import { packageVersion } from '../setup/package-info.ts';

/** Work that does not end by itself after a stop is left to its fate, so that the process ends in time. */
const stopWithinMs = 4_000;
/** The page and the metrics are at most so old, also when nobody asked for long. */
const statusEveryMs = 15_000;

export async function runCommand(context: CommandContext): Promise<ExitCode> {
  const config = parseConfig(context);
  return await withSurroundings(
    { ...context, log: config.log, processMetrics: true },
    async (surroundings, signal) => {
      await serveAndMirror(config, surroundings, signal, {});
      surroundings.logger.info('daemon stopped');
      return exitCodes.ok;
    },
  );
}

export interface DaemonWatch {
  /** Listens on a free port where HTTP_PORT is taken. */
  readonly anyPortWill?: boolean;
  readonly onListening?: (url: string) => void;
  readonly onOutcome?: (outcome: JobOutcome) => void;
}

/**
 * Mirrors until the signal is aborted.
 *
 * @throws MirrorError `SCHEMA-NEWER` when a newer version migrates the database meanwhile; others at the start only
 */
export async function serveAndMirror(
  config: Config,
  surroundings: Surroundings,
  signal: AbortSignal,
  watch: DaemonWatch,
): Promise<void> {
  const { logger, metrics, releasers } = surroundings;
  const tools = await composeUnlessStopped(config, surroundings, signal);
  if (tools === null) return;
  const holder = holderName();
  let role: 'starting' | 'writer' | 'standby' | 'stopping' = 'starting';
  const { account } = config.custody;
  // Turns are bounded by the timeouts of the database and the pauses between them.
  const heartbeat = createHeartbeat(Math.max(300_000, 3 * config.leaseTtlMs));
  const shown = {
    host: config.http.host,
    allowedHosts: config.http.allowedHosts,
    token: config.http.token,
    metrics,
    logger,
    version: packageVersion(),
    health: () => ({
      alive: heartbeat.isAlive(),
      ready: role === 'writer' || role === 'standby',
      role,
      holder,
      reasons: role === 'starting' ? ['the daemon has not yet tried for the lease'] : [],
    }),
    readStatus: () => readStatus(tools.database, account),
    checkDatabase: () => pingDatabase(tools.database),
    refreshMs: statusEveryMs,
  };
  const serveOn = async (port: number) => {
    const server = createHttpServer({ ...shown, port });
    const { url } = await server.listen();
    releasers.add('http', () => server.close());
    return url;
  };
  const url = await serveOn(config.http.port).catch((error: unknown) => {
    if (watch.anyPortWill) return serveOn(0);
    throw error;
  });
  logger.info(
    { account, url, http_host: config.http.host, version: packageVersion(), resources: config.resources },
    'daemon started',
  );
  if (!isThisMachine(config.http.host) && config.http.token === null)
    logger.warn(
      { http_host: config.http.host },
      'pages and metrics are open to everybody who reaches this address; HTTP_TOKEN closes them',
    );
  watch.onListening?.(url);
  signal.addEventListener('abort', () => {
    role = 'stopping';
  });
  const daemon = runDaemon({
    config,
    tools,
    holder,
    signal,
    onTurn: heartbeat.beat,
    onRole: (next) => {
      if (!signal.aborted) role = next;
    },
    ...(watch.onOutcome === undefined ? {} : { onOutcome: watch.onOutcome }),
  });
  await Promise.race([daemon, stopDeadline(signal)]);
}

/** Whoever is asked to stop before there is anything to stop has stopped. */
async function composeUnlessStopped(
  config: Config,
  surroundings: Surroundings,
  signal: AbortSignal,
): Promise<SyncTools | null> {
  try {
    return await unlessStopped(signal, () => composeTools(config, surroundings, signal));
  } catch (error) {
    if (signal.aborted && error === signal.reason) return null;
    throw error;
  }
}

async function stopDeadline(signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  await sleep(stopWithinMs, new AbortController().signal);
}
