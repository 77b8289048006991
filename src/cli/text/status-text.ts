// What `custody-mirror status` prints: the verdict first, then what is mirrored, how fresh it is, and what is
// wrong. Pure. Foreign text in it cannot control the terminal.
import { anomalyInWords } from '../../domain/anomalies.ts';
import { agoInWords, grouped, lengthInWords, onOneLine } from '../../domain/words.ts';
import { isHealthy } from '../../status/health.ts';
import {
  completeness,
  countInWords,
  type Judgement,
  jobsInOrder,
  learnedInWords,
  mirroredInWords,
  runInWords,
  runJudgement,
  runRemarks,
  sealedInWords,
} from '../../status/words.ts';
import type { JobStatus, StatusReport } from '../../store/job-queries/status.ts';
import { type Cell, headings, layOut, type Pen, paint, plain, type Row, wrap } from './terminal.ts';

/** The report as text; ends with a line break. */
export function renderStatus(
  report: StatusReport,
  { color, width = 100 }: Pick<Pen, 'color'> & Partial<Pen>,
): string {
  const pen: Pen = { color, width: Math.max(40, width) };
  const sections = [
    head(report, pen),
    verdict(report, pen),
    section('Mirrored', mirroredRows(report), pen),
    section('Jobs', jobRows(report), pen, 'no job has run yet'),
    section('Open anomalies and quarantine', findingRows(report), pen, 'none'),
    section('Writer', writerRows(report), pen),
    ...(report.sealed === null ? [] : [section('Sealed history', sealedRows(report), pen)]),
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

function sealedRows(report: StatusReport): Row[] {
  return sealedInWords(report).map((words) => ({ cells: [plain(words)] }));
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
