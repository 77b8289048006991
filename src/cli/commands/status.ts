// `custody-mirror status`: what is mirrored, how fresh, and what is wrong, for people or as JSON.
import { MirrorError } from '../../domain/errors.ts';
import { isHealthy } from '../../status/health.ts';
import type { Database } from '../../store/postgres/database.ts';
import { sqlState } from '../../store/postgres/database-errors.ts';
import { readStatus, type StatusReport } from '../../store/query/status.ts';
import { checkSchema } from '../../store/schema/migrations.ts';
import type { CommandContext } from '../setup/command-scope.ts';
import { withDatabase } from '../setup/compose.ts';
import { type ExitCode, exitCodes } from '../setup/exit.ts';
import { renderStatus } from '../text/status-text.ts';
import { hasColor } from '../text/terminal.ts';

export async function statusCommand(context: CommandContext, asJson: boolean): Promise<ExitCode> {
  return await withDatabase(context, async (database, account) => {
    const report = await read(database, account);
    const health = isHealthy(report);
    context.stdout.write(
      asJson
        ? `${JSON.stringify({ ...health, ...report }, null, 2)}\n`
        : renderStatus(report, {
            color: hasColor(context),
            width: context.stdout.columns ?? 100,
          }),
    );
    return health.healthy ? exitCodes.ok : exitCodes.failed;
  });
}

async function read(database: Database, account: string): Promise<StatusReport> {
  try {
    await checkSchema(database);
    return await readStatus(database, account);
  } catch (error) {
    if (sqlState(error) !== insufficientPrivilege) throw error;
    throw new MirrorError(
      'DATABASE-REFUSED',
      'status reads tables that are the mirror’s own: give it the DATABASE_URL of the daemon. A role that only reads finds the same in reporting.health_problems, reporting.sync_health and reporting.data_freshness',
      { cause: error },
    );
  }
}

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const insufficientPrivilege = '42501';
