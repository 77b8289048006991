// `custody-mirror key create|list|revoke`: the keys of the read API. The key is printed once, to standard
// output only.
import { digestOfKey, makeApiKey } from '../../base/api-key.ts';
import { createKey, listKeys, type NewKey, revokeKey } from '../../store/keys/api-keys.ts';
import type { Database } from '../../store/postgres/database.ts';
import { checkSchema } from '../../store/schema/migrations.ts';
import type { CommandContext } from '../setup/command-scope.ts';
import { withDatabase } from '../setup/compose.ts';
import { type ExitCode, exitCodes } from '../setup/exit.ts';
import { createdInWords, keysAsJson, renderKeys, revokedInWords } from '../text/key-text.ts';
import { hasColor } from '../text/terminal.ts';

export async function keyCreateCommand(
  context: CommandContext,
  name: string,
  options: Omit<NewKey, 'name' | 'prefix' | 'digest'>,
): Promise<ExitCode> {
  return await withKeys(context, async (database) => {
    const { key, prefix } = makeApiKey();
    const made = await createKey(database, { ...options, name, prefix, digest: digestOfKey(key.reveal()) });
    context.stderr.write(createdInWords(made));
    context.stdout.write(`${key.reveal()}\n`);
  });
}

export async function keyListCommand(context: CommandContext, asJson: boolean): Promise<ExitCode> {
  return await withKeys(context, async (database) => {
    const keys = await listKeys(database);
    const color = hasColor(context);
    context.stdout.write(
      asJson ? keysAsJson(keys) : renderKeys(keys, { color, width: context.stdout.columns ?? 160 }),
    );
  });
}

export async function keyRevokeCommand(context: CommandContext, prefixOrName: string): Promise<ExitCode> {
  return await withKeys(context, async (database) => {
    context.stdout.write(revokedInWords(await revokeKey(database, prefixOrName)));
  });
}

async function withKeys(
  context: CommandContext,
  work: (database: Database) => Promise<void>,
): Promise<ExitCode> {
  return await withDatabase(context, async (database) => {
    await checkSchema(database);
    await work(database);
    return exitCodes.ok;
  });
}
