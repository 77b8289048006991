// What `custody-mirror status --all` prints: one line per account of a database, followed by its problems.
import { agoInWords, onOneLine } from '../../domain/words.ts';
import { isHealthy } from '../../status/health.ts';
import type { StatusReport } from '../../store/job-queries/status.ts';
import { headings, layOut, type Pen, plain, type Row } from './terminal.ts';

/** Ends with a line break. */
export function renderAccounts(reports: readonly StatusReport[], { color, width }: Pen): string {
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
