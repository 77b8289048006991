// `custody-mirror serve`: pages, read API and /custody for all accounts of a database, without mirroring and
// without the service's key. Any number of processes may run, also against a streaming replica.
import { setTimeout } from 'node:timers/promises';
import { parseDatabaseConfig } from '../../base/config/config.ts';
import { variables } from '../../base/config/variables.ts';
import type { Logger } from '../../base/logger.ts';
import { sleep } from '../../base/loop.ts';
import { nullIfStopped, untilAborted } from '../../base/waiting.ts';
import { readAllStatus } from '../../store/job-queries/status.ts';
import type { Database } from '../../store/postgres/database.ts';
import { accountNames } from '../../store/run/accounts.ts';
import { checkSchema } from '../../store/schema/migrations.ts';
import { type CommandContext, type ExitCode, exitCodes, withCommandScope } from '../setup/command-scope.ts';
import { composeDatabase, holderName, retryWhileBusy } from '../setup/compose.ts';
import { listenHttp, readersOptions, serverOptions } from '../setup/http.ts';

export async function serveCommand(context: CommandContext): Promise<ExitCode> {
  const config = parseDatabaseConfig(context);
  return await withCommandScope(
    { ...context, log: config.log, processMetrics: true, drainMs: config.http.drainMs },
    async (scope, signal) => {
      const { logger } = scope;
      const http = { ...config.http, serve: 'all' as const };
      const holder = holderName();
      const database = composeDatabase(config.database.url, scope, { readOnly: true });
      const readers = readersOptions(config, scope);
      const patience = { logger, signal, forMs: Number.POSITIVE_INFINITY };
      const account = await nullIfStopped(signal, () =>
        retryWhileBusy(patience, async () => {
          await checkSchema(database);
          // Reports a wrong HTTP_DATABASE_URL before a reader runs into it.
          return await shownAccount(config.account, readers.reading.readDatabase, logger, signal);
        }),
      );
      if (account === null) return exitCodes.ok;
      const health = () => ({
        ready: !signal.aborted,
        role: signal.aborted ? ('stopping' as const) : ('reader' as const),
        holder,
        reasons: signal.aborted ? ['stopping'] : [],
      });
      const served = { database, account, accounts: () => accountNames(database) };
      const options = { ...serverOptions(http, scope, served), ...readers };
      const readAll = () => readAllStatus(database);
      const url = await listenHttp({ ...options, health, readAllStatus: readAll }, scope);
      logger.info({ url, http_host: http.host, version: options.version, account }, 'serving started');
      await untilAborted(signal);
      await setTimeout(http.drainMs);
      logger.info('serving stopped');
      return exitCodes.ok;
    },
  );
}

/**
 * The account of an address that names none: CUSTODY_ACCOUNT, even if it is not mirrored yet, so that every
 * process shows the same; else the first account, which is awaited. Null when stopped meanwhile.
 */
async function shownAccount(named: string, database: Database, logger: Logger, signal: AbortSignal) {
  for (let asked = 0; ; asked += 1) {
    const accounts = await accountNames(database);
    if (named !== variables.CUSTODY_ACCOUNT.fallback) return named;
    const first = accounts.find((name) => name === named) ?? accounts[0];
    if (first !== undefined) return first;
    if (asked === 0) logger.info('waiting for the first account: start custody-mirror run');
    await sleep(2_000, signal).catch(() => undefined);
    if (signal.aborted) return null;
  }
}
