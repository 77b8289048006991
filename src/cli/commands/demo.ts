// `custody-mirror demo`: an embedded PostgreSQL, the sandbox and the daemon in one process, with nothing configured.
// The mirror begins empty each time, because the sandbox's world does.

import { join } from 'node:path';
import { isPortRefused } from '../../base/bind-error.ts';
import { type Config, parseConfig, parseLogConfig } from '../../base/config/config.ts';
import { startEmbeddedPostgres } from '../../embedded-postgres/server.ts';
import { createSandbox } from '../../sandbox/sandbox.ts';
import type { JobOutcome } from '../../sync/run/run-job.ts';
import { type CommandContext, withCommandScope } from '../setup/command-scope.ts';
import type { CommandScope } from '../setup/compose.ts';
import { type ExitCode, exitCodes } from '../setup/exit.ts';
import { demoIntroduction, demoSummary } from '../text/demo-text.ts';
import { createLiveLine } from '../text/terminal.ts';
import { serveAndMirror } from './run.ts';

export interface DemoOptions {
  readonly transactions: number;
  readonly seed: number;
  readonly faults: string;
}

const databaseName = 'custody';
const preferredPorts = { postgres: 54_329, http: 8_787 };
/** How often a line is written where there is no terminal. */
const summaryEveryMs = 10_000;

export async function demoCommand(context: CommandContext, options: DemoOptions): Promise<ExitCode> {
  const { LOG_LEVEL: level = 'warn', LOG_FORMAT: format = 'pretty' } = context.env;
  const log = parseLogConfig({
    ...context,
    env: { ...context.env, LOG_LEVEL: level, LOG_FORMAT: format },
  });
  const line = createLiveLine(context.stdout);
  return await withCommandScope({ ...context, log, line }, async (scope, signal) => {
    const { releasers } = scope;
    context.stdout.write('Starting PostgreSQL …\n');
    const databaseUrl = await startDatabase(scope, signal);
    const sandbox = createSandbox(options);
    releasers.add('sandbox', () => sandbox.close());
    const service = await sandbox.listen();
    sandbox.start();

    const totals = new Map<string, JobOutcome>();
    const began = performance.now();
    const summary = () =>
      demoSummary(totals, (performance.now() - began) / 1000, sandbox.world.transactionCount());
    const timer = setInterval(
      () => (context.stdout.isTTY ? line.show(summary()) : context.stdout.write(`${summary()}\n`)),
      context.stdout.isTTY ? 1_000 : summaryEveryMs,
    );
    releasers.add('summary', () => {
      clearInterval(timer);
      line.clear();
    });
    await serveAndMirror(demoConfig(context, databaseUrl, service.url, sandbox.apiKey), scope, signal, {
      listen: onPreferredPort,
      onListening: (url) =>
        context.stdout.write(
          demoIntroduction({ databaseUrl, serviceUrl: service.url, apiKey: sandbox.apiKey, pageUrl: url }),
        ),
      onOutcome: (outcome) => accumulate(totals, outcome),
    });
    return exitCodes.ok;
  });
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
  { isTerminal }: CommandContext,
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
      HTTP_PORT: String(preferredPorts.http),
      LEASE_TTL_MS: '5000',
    },
  });
}

function accumulate(totals: Map<string, JobOutcome>, outcome: JobOutcome): void {
  const before = totals.get(outcome.job);
  totals.set(outcome.job, {
    ...outcome,
    inserted: outcome.inserted + (before?.inserted ?? 0),
    changed: outcome.changed + (before?.changed ?? 0),
  });
}

/** Takes the well-known port, or any free one where it is taken. */
async function onPreferredPort<Value>(port: number, start: (port: number) => Promise<Value>): Promise<Value> {
  try {
    return await start(port);
  } catch (error) {
    if (!isPortRefused(error)) throw error;
    return await start(0);
  }
}
