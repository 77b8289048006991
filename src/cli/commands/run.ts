// `custody-mirror run`: the daemon. Serves health, metrics and pages from the start, writes while it holds
// the lease, and stops within ten seconds of a signal.
import { type Config, parseConfig } from '../../base/config/config.ts';
import type { Logger } from '../../base/logger.ts';
import { nullIfStopped, unlessStalled } from '../../base/waiting.ts';
import type { ProcessState } from '../../http/request/status-source.ts';
import { runDaemon } from '../../scheduler/daemon.ts';
import { observeProcess } from '../../server/metrics-source.ts';
import { createProcessFacts, withProcessFacts } from '../../status/process-facts.ts';
import type { JobOutcome } from '../../sync/run/run-job.ts';
import {
  type CommandContext,
  type CommandScope,
  type ExitCode,
  exitCodes,
  packageVersion,
  withCommandScope,
} from '../setup/command-scope.ts';
import { composeTools, holderName } from '../setup/compose.ts';
import { listenHttp, readersOptions, serverOptions } from '../setup/http.ts';
import { sealingOf, verifierOf, verifiersOf, warnOfExposedKey } from '../setup/verifying.ts';

/** After a stop, work that does not end by itself is abandoned. */
const stopsWithinMs = 4_000;

export async function runCommand(
  context: CommandContext,
  { check: checkOnly }: { readonly check: boolean },
): Promise<ExitCode> {
  const config = parseConfig(context);
  if (checkOnly) {
    context.stdout.write(`The variables of account ${config.custody.account} are valid.\n`);
    return exitCodes.ok;
  }
  return await withCommandScope(
    { ...context, log: config.log, processMetrics: true },
    async (scope, signal) => {
      warnOfExposedKey(context, scope.logger);
      await serveAndMirror(config, scope, signal, {});
      scope.logger.info('daemon stopped');
      return exitCodes.ok;
    },
  );
}

export interface DaemonWatch {
  /** Opens the port; by default HTTP_PORT and no other. */
  readonly listen?: (port: number, open: (port: number) => Promise<string>) => Promise<string>;
  readonly onListening?: (url: string) => void;
  readonly onOutcome?: (outcome: JobOutcome) => void;
}

/**
 * Mirrors until the signal is aborted.
 *
 * @throws MirrorError `SCHEMA-NEWER`, `ACCOUNT-MISSING`, `JOB-STALLED` as `runDaemon`; others at the start
 */
export async function serveAndMirror(
  config: Config,
  scope: CommandScope,
  signal: AbortSignal,
  watch: DaemonWatch,
): Promise<void> {
  const { logger } = scope;
  const sealing = sealingOf(config.seal);
  const tools = await nullIfStopped(signal, () =>
    composeTools(config, scope, signal, Number.POSITIVE_INFINITY),
  );
  if (tools === null) return;
  const holder = holderName();
  let role: ProcessState['role'] = 'starting';
  const facts = createProcessFacts();
  const health = () => ({
    failing: facts.failing(),
    ready: role === 'writer' || role === 'standby',
    role,
    holder,
    reasons: role === 'starting' ? ['the daemon has not tried to take the lease yet'] : [],
  });
  const { listen = (port, open) => open(port) } = watch;
  const { account } = config.custody;
  scope.metrics.registry.setDefaultLabels({ account });
  // Created once: if the port is taken, another one is tried.
  const served = { database: tools.database, account, accounts: async () => [account] };
  const readers = config.http.serve === 'all' ? readersOptions(config, scope) : {};
  const server = serverOptions(config.http, scope, served);
  const options = {
    ...{ ...server, ...readers, health },
    readStatus: async () => withProcessFacts(await server.readStatus(), facts.failing()),
    onScrape: () => observeProcess(scope.metrics, facts),
  };
  const url = await listen(config.http.port, (port) => listenHttp({ ...options, port }, scope));
  tellStart(config, logger, url);
  watch.onListening?.(url);
  signal.addEventListener('abort', () => {
    role = 'stopping';
  });
  let turns = 0;
  const daemon = {
    config,
    tools,
    holder,
    sealing,
    verify: sealing === undefined ? undefined : verifierOf(sealing, verifiersOf(config.seal)),
    facts,
    onTurn: () => {
      turns += 1;
    },
    onRole: (next: 'writer' | 'standby') => {
      if (!signal.aborted) role = next;
    },
    ...(watch.onOutcome === undefined ? {} : { onOutcome: watch.onOutcome }),
  };
  // Iterations are bounded by the timeouts of the database and the pauses between them.
  const limitMs = Math.max(300_000, 3 * config.leaseTtlMs);
  const limits = { name: 'the daemon', limitMs, progress: () => turns, stopsWithinMs };
  await nullIfStopped(signal, () =>
    unlessStalled(limits, signal, (either) => runDaemon({ ...daemon, signal: either })),
  );
}

function tellStart({ custody, http, resources, schedule }: Config, logger: Logger, url: string): void {
  const { host } = http;
  logger.info(
    {
      account: custody.account,
      url,
      http_host: host,
      version: packageVersion(),
      resources,
      schedules: schedule.expressions,
    },
    'daemon started',
  );
}
