// `custody-mirror migrate`: applies pending migrations, or only checks with --check.
import { counted } from '../../domain/words.ts';
import { migrate } from '../../store/schema/migrate.ts';
import { pendingMigrations } from '../../store/schema/migrations.ts';
import { findAlterations } from '../../store/schema/plain-tables.ts';
import { type CommandContext, type ExitCode, exitCodes } from '../setup/command-scope.ts';
import { withDatabase } from '../setup/compose.ts';

export async function migrateCommand(
  context: CommandContext,
  { check: checkOnly }: { readonly check: boolean },
): Promise<ExitCode> {
  return await withDatabase(context, async (database, _account, signal) => {
    const names = checkOnly ? await pendingMigrations(database) : await migrate(database, { signal });
    const verb = checkOnly ? 'pending' : 'applied';
    context.stdout.write(
      names.length === 0
        ? 'The database is up to date.\n'
        : `${counted(names.length, 'migration')} ${verb}: ${names.join(', ')}\n`,
    );
    for (const { what, fix, bends } of await findAlterations(database))
      context.stdout.write(`${bends ? 'warning' : 'note'}: ${what}; ${fix}\n`);
    return checkOnly && names.length > 0 ? exitCodes.failed : exitCodes.ok;
  });
}
