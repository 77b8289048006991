// `custody-mirror serve`: pages, read API and /custody for all accounts of a database, without mirroring and
// without the key of the service. Any number of processes may do so, also on a streaming replica.
import { parseDatabaseConfig } from '../../base/config/config.ts';
import { untilAborted } from '../../base/waiting.ts';
import { readAllStatus } from '../../store/query/all-status.ts';
import { accountNames } from '../../store/run/accounts.ts';
import { checkSchema } from '../../store/schema/migrations.ts';
import { type CommandContext, withCommandScope } from '../setup/command-scope.ts';
import { composeDatabase, holderName } from '../setup/compose.ts';
import { type ExitCode, exitCodes } from '../setup/exit.ts';
import { listenHttp, serverOptions, warnOfOpenMetrics } from '../setup/http.ts';

export async function serveCommand(context: CommandContext): Promise<ExitCode> {
  const config = parseDatabaseConfig(context);
  return await withCommandScope(
    { ...context, log: config.log, processMetrics: true },
    async (scope, signal) => {
      const { logger } = scope;
      const http = { ...config.http, serve: 'all' as const };
      const holder = holderName();
      const database = composeDatabase(config.database.url, scope, { readOnly: true });
      await checkSchema(database);
      // Of an address that names none.
      const accounts = await accountNames(database);
      const account = accounts.find((name) => name === config.account) ?? accounts[0] ?? config.account;
      const health = () => ({
        alive: true,
        ready: !signal.aborted,
        role: signal.aborted ? ('stopping' as const) : ('reader' as const),
        holder,
        reasons: [],
      });
      const served = { database, account, accounts: () => accountNames(database) };
      const options = serverOptions({ ...config, http }, scope, served);
      const readAll = () => readAllStatus(database);
      const url = await listenHttp({ ...options, health, readAllStatus: readAll }, scope);
      logger.info({ url, http_host: http.host, version: options.version, account }, 'serving started');
      warnOfOpenMetrics(http, logger);
      await untilAborted(signal);
      logger.info('serving stopped');
      return exitCodes.ok;
    },
  );
}
