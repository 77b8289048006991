// `custody-mirror grant <role>`: makes a role a reader of the mirror; with --prices or --fee-rules a writer
// of these manually maintained tables, with --serve the role of `serve`.
import { counted } from '../../domain/words.ts';
import {
  type FilledTable,
  type Granted,
  grant,
  reading,
  serving,
  writing,
} from '../../store/roles/grants.ts';
import { type CommandContext, type ExitCode, exitCodes } from '../setup/command-scope.ts';
import { withDatabase } from '../setup/compose.ts';

interface GrantCommandOptions {
  /** The role is that of `serve`. */
  readonly serve: boolean;
  /** The role is to write custody.asset_prices instead of reading the mirror. */
  readonly prices: boolean;
  /** The role is to write custody.fee_rules instead of reading the mirror. */
  readonly feeRules: boolean;
}

export async function grantCommand(
  context: CommandContext,
  role: string,
  { prices, feeRules, serve }: GrantCommandOptions,
): Promise<ExitCode> {
  return await withDatabase(context, async (database) => {
    const filled: FilledTable[] = [
      ...(prices ? (['asset_prices'] as const) : []),
      ...(feeRules ? (['fee_rules'] as const) : []),
    ];
    const purpose = filled.length > 0 ? writing(filled) : serve ? serving : reading;
    const granted = await grant(database, role, purpose);
    const tables = filled.map((table) => `custody.${table}`).join(' and ');
    const verdict =
      filled.length > 0
        ? `now reads and writes ${tables}`
        : serve
          ? 'is now what custody-mirror serve needs in DATABASE_URL, also after later migrations'
          : `now reads ${inWords(granted)}, and whatever is added to custody and reporting later`;
    context.stdout.write(`${role} ${verdict}.\n`);
    if (!granted.mayConnect)
      context.stdout.write('It may not connect to the database yet: the database owner has to grant it.\n');
    return exitCodes.ok;
  });
}

function inWords({ readable }: Granted): string {
  return readable
    .map(({ schema, count }) => `${counted(count, 'table or view', 'tables and views')} of ${schema}`)
    .join(', ');
}
