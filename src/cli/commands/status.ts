// `custody-mirror status`: what is mirrored, how fresh, and what is wrong, for people or as JSON.

import { anomalyInWords } from '../../domain/anomalies.ts';
import { MirrorError } from '../../domain/errors.ts';
import { agoInWords, grouped, lengthInWords, onOneLine } from '../../domain/words.ts';

import {
  completeness,
  countInWords,
  isHealthy,
  type Judgement,
  jobsInOrder,
  learnedInWords,
  mirroredInWords,
  runInWords,
  runJudgement,
  runRemarks,
  sealedInWords,
} from '../../status/words.ts';
import {
  type JobStatus,
  readAllStatus,
  readStatus,
  type StatusReport,
} from '../../store/job-queries/status.ts';
import type { Database } from '../../store/postgres/database.ts';
import { sqlState } from '../../store/postgres/database-errors.ts';
import { checkSchema } from '../../store/schema/migrations.ts';
import { type CommandContext, type ExitCode, exitCodes } from '../setup/command-scope.ts';
import { withDatabase } from '../setup/compose.ts';
import {
  type Cell,
  headings,
  layOut,
  type Pen,
  paint,
  penOf,
  plain,
  type Row,
  wrap,
} from '../text/terminal.ts';

interface StatusCommandOptions {
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
    const report = await read(database, (mirror) => readStatus(mirror, account));
    const health = isHealthy(report);
    context.stdout.write(
      asJson
        ? `${JSON.stringify({ ...health, ...report }, null, 2)}\n`
        : renderStatus(report, penOf(context)),
    );
    return health.healthy ? exitCodes.ok : exitCodes.failed;
  });
}

/** Not healthy if any of them is not, or if there is none. */
async function tellAll(context: CommandContext, database: Database, asJson: boolean): Promise<ExitCode> {
  const reports = await read(database, readAllStatus);
  const checked = reports.map((report) => ({ ...isHealthy(report), ...report }));
  context.stdout.write(
    asJson ? `${JSON.stringify(checked, null, 2)}\n` : renderAccounts(reports, penOf(context)),
  );
  return checked.length > 0 && checked.every(({ healthy }) => healthy) ? exitCodes.ok : exitCodes.failed;
}

async function read<Read>(database: Database, work: (database: Database) => Promise<Read>): Promise<Read> {
  try {
    await checkSchema(database);
    return await work(database);
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

// What `custody-mirror status` prints: the verdict first, then what is mirrored, how fresh it is, and what is
// wrong. Pure. Foreign text in it cannot control the terminal.

/** The report as text; ends with a line break. */
export function renderStatus(
  report: StatusReport,
  { color, width = 100 }: Pick<Pen, 'color'> & Partial<Pen>,
): string {
  const pen: Pen = { color, width: Math.max(40, width) };
  const sealed = sealedInWords(report).map((words) => ({ cells: [plain(words)] }));
  const sections = [
    head(report, pen),
    verdict(report, pen),
    section('Mirrored', mirroredRows(report), pen),
    section('Jobs', jobRows(report), pen, 'no job has run yet'),
    section('Open anomalies and quarantine', findingRows(report), pen, 'none'),
    section('Writer', writerRows(report), pen),
    ...(sealed.length === 0 ? [] : [section('Sealed history', sealed, pen)]),
    section('Learned about the service', learnedRows(report), pen, 'nothing yet'),
  ];
  return `${sections.map((lines) => lines.map((line) => line.trimEnd()).join('\n')).join('\n\n')}\n`;
}

function head({ account, baseUrl, readAt }: StatusReport, pen: Pen): string[] {
  const title = `custody-mirror, account ${onOneLine(account)}`;
  const from = baseUrl === null ? 'not yet bound to an address' : onOneLine(baseUrl);
  const read = `${from}, read at ${readAt.slice(0, 19).replace('T', ' ')} UTC`;
  return [
    ...wrap(title, pen.width).map((line) => paint(line, 'strong', pen.color)),
    ...wrap(read, pen.width).map((line) => paint(line, 'faint', pen.color)),
  ];
}

function verdict(report: StatusReport, pen: Pen): string[] {
  const { healthy, reasons } = isHealthy(report);
  if (healthy) return [paint('Healthy', 'good', pen.color)];
  return [
    paint('Needs attention', 'bad', pen.color),
    ...reasons.flatMap((reason) =>
      wrap(onOneLine(reason), pen.width - 4).map((line, index) => `${index === 0 ? '  - ' : '    '}${line}`),
    ),
  ];
}

function section(title: string, rows: readonly Row[], pen: Pen, none = ''): string[] {
  const lines =
    rows.length === 0 ? [paint(none, 'faint', pen.color)] : layOut(rows, pen.width - 2, pen.color);
  return [paint(title, 'strong', pen.color), ...lines.map((line) => `  ${line}`)];
}

function mirroredRows(report: StatusReport): Row[] {
  return mirroredInWords(report).map((mirrored) => ({
    cells: [
      plain(mirrored.resource),
      mirrored.count === null ? plain(countInWords(mirrored)) : numeric(mirrored.count, 'plain'),
      plain(mirrored.remarks.join('; ')),
    ],
  }));
}

function jobRows(report: StatusReport): Row[] {
  const rows = jobsInOrder(report).map((job) => jobRow(job, report.readAt));
  return rows.length === 0 ? [] : [headings(['job', 'last success', 'last run', 'complete', '']), ...rows];
}

function jobRow(job: JobStatus, now: string): Row {
  const { lastRun, lastSucceededAt, lastVerifiedAt } = job;
  const complete = completeness(job);
  const verifiedBefore =
    lastRun.verified !== true && lastVerifiedAt !== null
      ? [`Last verified ${agoInWords(lastVerifiedAt, now)}.`]
      : [];
  return {
    cells: [
      plain(onOneLine(job.job)),
      plain(agoInWords(lastSucceededAt, now)),
      judged(runJudgement(lastRun)),
      complete === null ? plain('') : judged(complete),
      plain(runInWords(lastRun)),
    ],
    beneath: [...runRemarks(job), ...verifiedBefore],
  };
}

function findingRows({ anomalies, quarantine, readAt }: StatusReport): Row[] {
  const row = (open: number, what: string, where: string, observedAt: string | null): Row => ({
    cells: [
      numeric(open, 'note'),
      plain(observedAt === null ? '' : `last seen ${agoInWords(observedAt, readAt)}`),
      plain(`${what} (${where})`),
    ],
  });
  return [
    ...quarantine
      .filter(({ open }) => open > 0)
      .map(({ resource, open, lastObservedAt }) =>
        row(open, `${onOneLine(resource)} that could not be read`, 'see sync.quarantine', lastObservedAt),
      ),
    ...anomalies.map(({ kind, open, lastObservedAt }) => {
      const name = onOneLine(kind);
      const words = anomalyInWords(kind);
      return words === null
        ? row(open, name, 'see sync.anomalies', lastObservedAt)
        : row(open, words, `${name}, see sync.anomalies`, lastObservedAt);
    }),
  ];
}

function writerRows({ lease, readAt, expected }: StatusReport): Row[] {
  const isDaemons = expected.some(({ startedBy }) => startedBy === 'daemon');
  const next = isDaemons ? 'custody-mirror run is started' : 'custody-mirror sync or run is started';
  if (lease === null) return [{ cells: [plain(`no process: nothing is mirrored until ${next}`)] }];
  const heldMs = lease.acquiredAt === null ? 0 : Date.parse(readAt) - Date.parse(lease.acquiredAt);
  return [{ cells: [plain(onOneLine(lease.holder)), plain(`for ${lengthInWords(heldMs)}`)] }];
}

function learnedRows(report: StatusReport): Row[] {
  const { readAt } = report;
  return learnedInWords(report).map(({ fact, value, evidence, updatedAt }) => ({
    cells: [
      plain(onOneLine(fact)),
      plain(onOneLine(value)),
      plain(`${agoInWords(updatedAt, readAt)}: ${onOneLine(evidence)}`),
    ],
  }));
}

function numeric(value: number, tone: Cell['tone']): Cell {
  return { text: grouped(value), tone, right: true };
}

function judged({ word, tone }: Judgement): Cell {
  return { text: word, tone };
}

// What `custody-mirror status --all` prints: one line per account of a database, followed by its problems.

/** Ends with a line break. */
function renderAccounts(reports: readonly StatusReport[], { color, width }: Pen): string {
  if (reports.length === 0) return 'No account is mirrored in this database yet: start custody-mirror run.\n';
  const rows = [headings(['account', 'last success', 'state']), ...reports.map(rowOf)];
  return `${layOut(rows, Math.max(40, width), color)
    .map((line) => line.trimEnd())
    .join('\n')}\n`;
}

function rowOf(report: StatusReport): Row {
  const { healthy, reasons } = isHealthy(report);
  const successes = report.jobs.flatMap(({ lastSucceededAt }) => lastSucceededAt ?? []).sort();
  return {
    cells: [
      plain(onOneLine(report.account)),
      plain(agoInWords(successes.at(-1) ?? null, report.readAt)),
      healthy ? { text: 'Healthy', tone: 'good' } : { text: 'Needs attention', tone: 'bad' },
    ],
    beneath: reasons.map((reason) => onOneLine(reason)),
  };
}
