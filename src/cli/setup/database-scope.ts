// The scope of a command that needs the database alone: its configuration, and the open database.
import { parseDatabaseConfig } from '../../base/config/config.ts';
import type { Database } from '../../store/postgres/database.ts';
import { type CommandContext, withCommandScope } from './command-scope.ts';
import { composeDatabase } from './compose.ts';

export async function withDatabase<Value>(
  context: CommandContext,
  work: (database: Database, account: string, signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const { account, database, log } = parseDatabaseConfig(context);
  return await withCommandScope({ ...context, log }, (scope, signal) =>
    work(composeDatabase(database.url, scope), account, signal),
  );
}
