// `custody-mirror migrate`: applies what is pending, or with --check only tells.
import { parseDatabaseConfig } from '../base/config.ts';
import { migrate } from '../store/migrate.ts';
import { pendingMigrations } from '../store/migrations.ts';
import { composeDatabase } from './compose.ts';
import { type ExitCode, exitCodes } from './exit.ts';
import { type CommandContext, withSurroundings } from './surroundings.ts';
import { count } from './terminal.ts';

export async function migrateCommand(context: CommandContext, checkOnly: boolean): Promise<ExitCode> {
  const config = parseDatabaseConfig(context);
  return await withSurroundings({ ...context, log: config.log }, async (surroundings, signal) => {
    const database = composeDatabase(config.database.url, surroundings);
    const names = checkOnly ? await pendingMigrations(database) : await migrate(database, { signal });
    const verb = checkOnly ? 'pending' : 'applied';
    context.stdout.write(
      names.length === 0
        ? 'The database is up to date.\n'
        : `${count(names.length, 'migration')} ${verb}: ${names.join(', ')}\n`,
    );
    return checkOnly && names.length > 0 ? exitCodes.failed : exitCodes.ok;
  });
}
