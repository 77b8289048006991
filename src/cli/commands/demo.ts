// `custody-mirror demo`: an embedded PostgreSQL, the sandbox and the daemon in one process, without any
// configuration. World and mirror are recreated at each start, with a history up to the start of the daemon.
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../../../packages/demo/src/embedded-postgres/server.ts';
import { accumulate, demoIntroduction, demoSummary } from '../../../packages/demo/src/history/demo-text.ts';
import {
  createDemoWorld,
  fillMirror,
  type WorldOptions,
} from '../../../packages/demo/src/history/demo-world.ts';
import { parseFaults } from '../../../packages/sandbox/src/faults/fault-kinds.ts';
import { isPortRefused } from '../../base/bind-error.ts';
import { type Config, parseConfig, parseLogConfig } from '../../base/config/config.ts';
import { nullIfStopped } from '../../base/waiting.ts';
import type { JobOutcome } from '../../sync/run/run-job.ts';
import {
  type CommandContext,
  type CommandScope,
  type ExitCode,
  exitCodes,
  withCommandScope,
} from '../setup/command-scope.ts';
import { createLiveLine, type LiveLine } from '../text/terminal.ts';
import { serveAndMirror } from './run.ts';
import { namingOptions } from './sandbox.ts';

interface DemoOptions extends WorldOptions {
  readonly faults: string;
}

const databaseName = 'custody';
const preferredPorts = { postgres: 54_329, http: 8_787 };
/** How often a line is written without a terminal. */
const summaryEveryMs = 10_000;
export async function demoCommand(context: CommandContext, options: DemoOptions): Promise<ExitCode> {
  // The demo includes an unreadable record, which would cause a warning every minute.
  const { LOG_LEVEL: level = 'error', LOG_FORMAT: format = 'pretty' } = context.env;
  const log = parseLogConfig({
    ...context,
    env: { ...context.env, LOG_LEVEL: level, LOG_FORMAT: format },
  });
  const faults = namingOptions(() => parseFaults(options.faults));
  const line = createLiveLine(context.stdout);
  return await withCommandScope({ ...context, log, line }, async (scope, signal) => {
    const { releasers } = scope;
    line.show('Starting PostgreSQL …');
    const databaseUrl = await startDatabase(scope, signal);
    const world = createDemoWorld(options);
    const { sandbox } = world;
    releasers.add('sandbox', () => sandbox.close());
    const service = await sandbox.listen();
    const config = demoConfig(context, databaseUrl, service.url, sandbox.apiKey);
    line.show('Simulating 90 days …');
    const highlights = options.history
      ? await nullIfStopped(signal, () => fillMirror(config, scope, signal, world))
      : null;
    if (signal.aborted) return exitCodes.ok;
    sandbox.faults.set(faults);
    sandbox.start();
    const totals = showSummary(context, line, scope);
    await serveAndMirror(config, scope, signal, {
      listen: onPreferredPort,
      onListening: (pageUrl) => {
        line.clear();
        const addresses = { databaseUrl, serviceUrl: service.url, apiKey: sandbox.apiKey, pageUrl };
        context.stdout.write(demoIntroduction(addresses, highlights));
      },
      onOutcome: (outcome) => accumulate(totals, outcome),
    });
    return exitCodes.ok;
  });
}

/** Prints a summary of mirrored data now and then. @returns the collector of outcomes */
function showSummary(
  { stdout }: CommandContext,
  line: LiveLine,
  { releasers }: CommandScope,
): Map<string, JobOutcome> {
  const totals = new Map<string, JobOutcome>();
  const began = performance.now();
  const summary = () => demoSummary(totals, (performance.now() - began) / 1000);
  const timer = setInterval(
    () => (stdout.isTTY ? line.show(summary()) : stdout.write(`${summary()}\n`)),
    stdout.isTTY ? 1_000 : summaryEveryMs,
  );
  releasers.add('summary', () => {
    clearInterval(timer);
    line.clear();
  });
  return totals;
}

/** @returns the address of an empty database on a PostgreSQL that the scope stops */
async function startDatabase({ releasers, logger }: CommandScope, signal: AbortSignal): Promise<string> {
  const dataDirectory = join(process.cwd(), '.data', 'postgres');
  const postgres = await onPreferredPort(preferredPorts.postgres, (port) =>
    startEmbeddedPostgres({ dataDirectory, persistent: true, port, logger, signal }),
  );
  releasers.add('postgres', () => postgres.stop());
  await postgres.recreateDatabase(databaseName);
  return postgres.url(databaseName);
}

function demoConfig(
  { isTerminal, env }: CommandContext,
  databaseUrl: string,
  baseUrl: string,
  key: string,
): Config {
  return parseConfig({
    isTerminal,
    env: {
      DATABASE_URL: databaseUrl,
      CUSTODY_BASE_URL: baseUrl,
      CUSTODY_API_KEY: key,
      SCHEDULE_TRANSACTIONS: '*/5 * * * * *',
      SCHEDULE_BALANCES: '*/15 * * * * *',
      SCHEDULE_DOCUMENTS: '* * * * *',
      ...Object.fromEntries(Object.entries(env).filter(([name]) => name.startsWith('SCHEDULE_'))),
      HTTP_PORT: String(preferredPorts.http),
      LEASE_TTL_MS: '10000',
    },
  });
}

/** Uses the well-known port, or a free one if it is taken. */
async function onPreferredPort<Value>(port: number, start: (port: number) => Promise<Value>): Promise<Value> {
  try {
    return await start(port);
  } catch (error) {
    if (!isPortRefused(error)) throw error;
    return await start(0);
  }
}
