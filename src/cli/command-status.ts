// `custody-mirror status`: what is mirrored, how fresh, and what is wrong, for people or as JSON.
import { parseDatabaseConfig } from '../base/config.ts';
import { checkSchema } from '../store/migrations.ts';
import { readStatus } from '../store/status.ts';
import { isHealthy } from '../store/status-health.ts';
import { composeDatabase } from './compose.ts';
import { type ExitCode, exitCodes } from './exit.ts';
import { renderStatus } from './status-text.ts';
import { type CommandContext, withSurroundings } from './surroundings.ts';

export async function statusCommand(context: CommandContext, asJson: boolean): Promise<ExitCode> {
  const config = parseDatabaseConfig(context);
  return await withSurroundings({ ...context, log: config.log }, async (surroundings) => {
    const database = composeDatabase(config.database.url, surroundings);
    await checkSchema(database);
    const report = await readStatus(database, config.account);
    const health = isHealthy(report);
    context.stdout.write(
      asJson
        ? `${JSON.stringify({ ...health, ...report }, null, 2)}\n`
        : renderStatus(report, {
            color: context.isTerminal && context.env['NO_COLOR'] === undefined,
            width: context.stdout.columns ?? 100,
          }),
    );
    return health.healthy ? exitCodes.ok : exitCodes.failed;
  });
}
