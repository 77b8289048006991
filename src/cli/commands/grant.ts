// `custody-mirror grant <role>`: makes a role a reader of the mirror; with --prices or --fee-rules a writer
// of these manually maintained tables, with --serve the role of `serve`. --check reports whether it is one.
import { counted } from '../../domain/words.ts';
import { readingAccounts } from '../../store/roles/account-readers.ts';
import { checkGrants, grant, reading, serving, writing } from '../../store/roles/grants.ts';
import type { Privilege, ReaderReport } from '../../store/roles/reader-privileges.ts';
import type { FilledTable, WriterReport } from '../../store/roles/writer-privileges.ts';
import { type Alteration, findAlterations } from '../../store/schema/alterations.ts';
import type { CommandContext } from '../setup/command-scope.ts';
import { withDatabase } from '../setup/compose.ts';
import { type ExitCode, exitCodes } from '../setup/exit.ts';

export interface GrantCommandOptions {
  /** Only report; change nothing. */
  readonly check: boolean;
  /** The only accounts that it is to read; all if left out. */
  readonly account?: readonly string[];
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
  { account: accounts, check: checkOnly, prices, feeRules, serve }: GrantCommandOptions,
): Promise<ExitCode> {
  return await withDatabase(context, async (database) => {
    const filled: FilledTable[] = [
      ...(prices ? (['asset_prices'] as const) : []),
      ...(feeRules ? (['fee_rules'] as const) : []),
    ];
    const act = checkOnly ? checkGrants : grant;
    if (filled.length > 0) {
      const report = await act(database, role, writing(filled));
      const line = `${role} ${writerVerdict(report, filled, checkOnly)}.`;
      const options = `${prices ? ' --prices' : ''}${feeRules ? ' --fee-rules' : ''}`;
      return print(context, line, report, checkOnly, [], `custody-mirror grant${options}`);
    }
    if (accounts !== undefined) {
      const report = await act(database, role, readingAccounts(accounts));
      const line = `${role} ${accountsVerdict(report, role, accounts, checkOnly)}.`;
      return print(context, line, report, checkOnly, [], `custody-mirror grant --account ${accounts}`);
    }
    const report = await act(database, role, serve ? serving : reading);
    const altered = await findAlterations(database);
    const hidden = altered.some(({ bends }) => bends)
      ? ', but changes made by others may distort what it sees'
      : '';
    const line = checkOnly
      ? `${role} ${serve ? serverVerdict(report) : verdict(report)}${hidden}.`
      : serve
        ? `${role} is now what custody-mirror serve needs in DATABASE_URL, also after later migrations.`
        : `${role} now reads ${readable(report)}, and whatever is added to custody and reporting later.`;
    return print(context, line, report, checkOnly, altered, `custody-mirror grant${serve ? ' --serve' : ''}`);
  });
}

function print(
  { stdout }: CommandContext,
  line: string,
  report: Pick<ReaderReport, 'lacks' | 'exceeds' | 'creates'>,
  checkOnly: boolean,
  altered: readonly Alteration[],
  command = 'custody-mirror grant',
): ExitCode {
  const bending = altered.filter(({ bends }) => bends).map(({ what, fix }) => `warning: ${what}; ${fix}`);
  const faults = [...faultsOf(report, command), ...bending];
  stdout.write(`${[line, ...faults, ...notesOf(report)].join('\n')}\n`);
  return checkOnly && faults.length > 0 ? exitCodes.failed : exitCodes.ok;
}

function writerVerdict(
  { lacks, exceeds }: WriterReport,
  filled: readonly FilledTable[],
  checkOnly: boolean,
): string {
  const tables = filled.map((table) => `custody.${table}`).join(' and ');
  if (lacks.length > 0) return `cannot write ${tables}`;
  const more = exceeds.length > 0 ? ', and can do more' : '';
  return checkOnly
    ? `writes ${tables}${more === '' ? ' and nothing else' : more}`
    : `now reads and writes ${tables}${more}`;
}

function verdict({ lacks, exceeds }: ReaderReport): string {
  if (lacks.length > 0)
    return exceeds.length > 0 ? 'cannot read everything and can do more than read' : 'cannot read everything';
  return exceeds.length > 0 ? 'reads everything and can do more' : 'reads everything and writes nothing';
}

function accountsVerdict(
  { lacks, exceeds }: ReaderReport,
  role: string,
  accounts: readonly string[],
  checkOnly: boolean,
): string {
  const read = `${accounts.join(', ')} in the schemas custody_${role}, reporting_${role} and sync_${role}`;
  if (lacks.length > 0) return `cannot read everything of ${accounts.join(', ')}`;
  if (exceeds.length > 0) return `reads ${read}, and can do or see more`;
  return checkOnly ? `reads ${read}, and nothing else` : `now reads ${read}`;
}

function serverVerdict({ lacks, exceeds }: ReaderReport): string {
  if (lacks.length > 0) return 'cannot serve everything';
  return exceeds.length > 0 ? 'can serve, and can do more' : 'can serve, and can do nothing else';
}

function readable(report: ReaderReport): string {
  return report.readable
    .map(({ schema, count }) => `${counted(count, 'table or view', 'tables and views')} of ${schema}`)
    .join(', ');
}

/** Privileges that the role has beyond reading, or lacks for it: one line each, with the fix. */
function faultsOf({ lacks, exceeds }: Pick<ReaderReport, 'lacks' | 'exceeds'>, command: string): string[] {
  return [
    ...inWords(lacks).map(({ what, onDatabase }) =>
      onDatabase
        ? `warning: lacks ${what}; the database owner has to grant it`
        : `warning: lacks ${what}; ${command} gives it`,
    ),
    ...inWords(exceeds).map(({ what, through }) =>
      through === null
        ? `warning: also has ${what}; revoke it by hand`
        : `warning: also has ${what}, through ${through}; revoke it there, by hand`,
    ),
  ];
}

function notesOf({ creates }: Pick<ReaderReport, 'creates'>): string[] {
  return inWords(creates).map(
    ({ what }) =>
      `note: has ${what}; a foreign key from a table made there would hold up the mirror's writes`,
  );
}

/** The most items that are named; the rest are counted. */
const namedThings = 3;

/** One entry for equal privileges on several items through the same roles. */
function inWords(privileges: readonly Privilege[]) {
  const byThing = groups(privileges, ({ on, through }) => JSON.stringify([on, through]));
  const alike = groups(
    byThing.map(([first, ...rest]) => ({
      ...first,
      all: [first, ...rest].map(({ privilege }) => privilege).join(', '),
    })),
    ({ all, through }) => JSON.stringify([all, through]),
  );
  return alike.map((things) => {
    const [{ all, on, through }] = things;
    const names = things.slice(0, namedThings).map((thing) => thing.on);
    const rest = things.length - names.length;
    const more = rest > 0 ? ` and ${counted(rest, 'more', 'more')}` : '';
    return { what: `${all} on ${names.join(', ')}${more}`, through, onDatabase: on.startsWith('database ') };
  });
}

function groups<Item>(items: readonly Item[], keyOf: (item: Item) => string): [Item, ...Item[]][] {
  const found = new Map<string, [Item, ...Item[]]>();
  for (const item of items) {
    const group = found.get(keyOf(item));
    if (group === undefined) found.set(keyOf(item), [item]);
    else group.push(item);
  }
  return [...found.values()];
}
