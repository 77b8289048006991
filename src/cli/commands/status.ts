// `custody-mirror status`: what is mirrored, how fresh, and what is wrong, for people or as JSON.
import { MirrorError } from '../../domain/errors.ts';
import { isHealthy } from '../../status/health.ts';
import { readStatus, type StatusReport } from '../../store/job-queries/status.ts';
import type { Database } from '../../store/postgres/database.ts';
import { sqlState } from '../../store/postgres/database-errors.ts';
import { accountNames } from '../../store/run/accounts.ts';
import { checkSchema } from '../../store/schema/migrations.ts';
import type { CommandContext } from '../setup/command-scope.ts';
import { withDatabase } from '../setup/compose.ts';
import { type ExitCode, exitCodes } from '../setup/exit.ts';
import { renderAccounts } from '../text/accounts-text.ts';
import { renderStatus } from '../text/status-text.ts';
import { hasColor } from '../text/terminal.ts';

export interface StatusCommandOptions {
  readonly json: boolean;
  /** One line for each account of the database. */
  readonly all: boolean;
}

export async function statusCommand(
  context: CommandContext,
  { json: asJson, all }: StatusCommandOptions,
): Promise<ExitCode> {
  return await withDatabase(context, async (database, account) => {
    if (all) return await tellAll(context, database, asJson);
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

/** Not healthy if any of them is not, or if there is none. */
async function tellAll(context: CommandContext, database: Database, asJson: boolean): Promise<ExitCode> {
  await checkSchema(database);
  const reports: StatusReport[] = [];
  for (const account of await accountNames(database)) reports.push(await read(database, account));
  const checked = reports.map((report) => ({ ...isHealthy(report), ...report }));
  const pen = { color: hasColor(context), width: context.stdout.columns ?? 100 };
  context.stdout.write(asJson ? `${JSON.stringify(checked, null, 2)}\n` : renderAccounts(reports, pen));
  return checked.length > 0 && checked.every(({ healthy }) => healthy) ? exitCodes.ok : exitCodes.failed;
}

async function read(database: Database, account: string): Promise<StatusReport> {
  try {
    await checkSchema(database);
    return await readStatus(database, account);
  } catch (error) {
    if (sqlState(error) !== insufficientPrivilege) throw error;
    throw new MirrorError(
      'DATABASE-REFUSED',
      'status reads internal tables of the mirror: use the DATABASE_URL of the daemon. A reader role finds the same data in reporting.health_problems, reporting.sync_health and reporting.data_freshness',
      { cause: error },
    );
  }
}

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const insufficientPrivilege = '42501';
