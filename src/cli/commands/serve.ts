// `custody-mirror serve`: pages, read API and /custody for all accounts of a database, without mirroring and
// without the key of the service. Any number of processes may do so, also on a streaming replica.
import { parseDatabaseConfig } from '../../base/config/config.ts';
import { untilAborted } from '../../base/waiting.ts';
import { pingDatabase } from '../../store/postgres/database.ts';
import { readAllStatus } from '../../store/query/all-status.ts';
import { readStatus } from '../../store/query/status.ts';
import { accountNames } from '../../store/run/accounts.ts';
import { checkSchema } from '../../store/schema/migrations.ts';
import { type CommandContext, withCommandScope } from '../setup/command-scope.ts';
import { composeDatabase, holderName } from '../setup/compose.ts';
import { type ExitCode, exitCodes } from '../setup/exit.ts';
import {
  figuresOption,
  listenHttp,
  readersOptions,
  statusEveryMs,
  warnOfOpenMetrics,
} from '../setup/http.ts';
import { packageVersion } from '../setup/package-info.ts';

export async function serveCommand(context: CommandContext): Promise<ExitCode> {
  const config = parseDatabaseConfig(context);
  return await withCommandScope(
    { ...context, log: config.log, processMetrics: true },
    async (scope, signal) => {
      const { logger, metrics } = scope;
      const http = { ...config.http, serve: 'all' as const };
      const holder = holderName();
      const database = composeDatabase(config.database.url, scope, { readOnly: true });
      await checkSchema(database);
      const readers = readersOptions(config, scope);
      // A wrong HTTP_DATABASE_URL is told here, before a reader meets it.
      const accounts = await accountNames(readers.reading.readDatabase);
      // Of an address that names none. One that was chosen stays chosen, also before it is mirrored.
      const isChosen = config.account !== 'default' || accounts.includes(config.account);
      const account = isChosen ? config.account : (accounts[0] ?? config.account);
      const version = packageVersion();
      const health = () => ({
        alive: true,
        ready: !signal.aborted,
        role: signal.aborted ? ('stopping' as const) : ('reader' as const),
        holder,
        reasons: [],
      });
      const url = await listenHttp(
        {
          ...http,
          ...readers,
          account,
          metrics,
          logger,
          version,
          health,
          readStatus: () => readStatus(database, account),
          readAllStatus: () => readAllStatus(database),
          ...figuresOption(http, database, () => accountNames(database)),
          checkDatabase: () => pingDatabase(database),
          refreshMs: statusEveryMs,
        },
        scope,
      );
      logger.info({ url, http_host: http.host, version, account }, 'serving started');
      warnOfOpenMetrics(http, logger);
      await untilAborted(signal);
      logger.info('serving stopped');
      return exitCodes.ok;
    },
  );
}
