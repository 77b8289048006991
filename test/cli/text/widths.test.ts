// What commands print at 40, 80 and 200 columns: no line is longer, and no number or word is cut or lost.
import { expect, test } from 'vitest';
import { renderStatus } from '../../../src/cli/commands/status.ts';
import { fixesFor, outcomeLines, progressLine } from '../../../src/cli/commands/sync.ts';
import { createFindingList } from '../../../src/cli/doctor/finding.ts';
import { createLiveLine, wrap } from '../../../src/cli/text/terminal.ts';
import { job, lastRun, outcome, problem, secondsAgo, statusReport } from '../../support/status-report.ts';

const widths = [40, 80, 200];
const words = (text: string) => text.split(/\s+/).filter((word) => word !== '');
const longest = (text: string) => Math.max(...text.split('\n').map((line) => line.length));

const failed = {
  job: 'transactions',
  status: 'failed',
  errorCode: 'NETWORK',
  errorMessage: 'transactions: NETWORK: fetch failed: connect ECONNREFUSED 127.0.0.1:54321',
} as const;
const outcomes = [
  outcome({
    coverage: { met: 1_234_567, listLength: 1_234_567, listShown: null, isResumed: false },
    records: 1_234_567,
    inserted: 1_234_000,
    changed: 567,
    quarantined: 12,
    seconds: 1_234.5,
  }),
  outcome(failed),
  outcome({ ...failed, job: 'vaults' }),
];

test.each(widths)('the status at %i columns', (width) => {
  const report = statusReport({
    problems: [problem()],
    jobs: [
      job('transactions', {
        lastRun: lastRun({ status: 'failed', recordsRead: 1_234_567, errorMessage: 'no 12,345,678' }),
      }),
      job('balances'),
    ],
    anomalies: [{ kind: 'unknown-value', open: 1_234_567, lastObservedAt: secondsAgo(4_000) }],
    quarantine: [{ resource: 'transactions', open: 7_654_321, lastObservedAt: secondsAgo(5) }],
  });
  const text = renderStatus(report, { color: false, width });
  expect(longest(text)).toBeLessThanOrEqual(width);
  expect(words(text).toSorted()).toEqual(
    words(renderStatus(report, { color: false, width: 1_000 })).toSorted(),
  );
  const painted = renderStatus(report, { color: true, width });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the escape sequences of colour are what is looked for.
  expect(painted.replace(/\u001b\[\d+m/g, '')).toBe(text);
});

test.each(widths)('the progress of sync at %i columns shows parts whole, or dots in their place', (width) => {
  const one = { inserted: 0, changed: 0, quarantined: 0, requests: 1_234, retries: 12 };
  const line = progressLine(
    [
      { ...one, job: 'transactions', records: 1_234_567 },
      { ...one, job: 'balances', records: 90 },
      { ...one, job: 'whitelist', records: 12_345 },
    ],
    2,
  );
  const written: string[] = [];
  const output = { isTTY: true, columns: width, write: (text: string) => void written.push(text) };
  createLiveLine(output).show(line);
  const [shown = ''] = written.map((text) => text.replace('\r\u001b[2K', ''));
  expect(shown.length).toBeLessThan(width);
  const parts = line.split(' · ');
  for (const part of shown.split(' · ')) expect([...parts, '…']).toContain(part);
  expect(shown).toMatch(/^transactions 1,234,567 · /);
  if (width === 200) expect(shown).toBe(line);
});

test.each(widths)('the outcome of sync at %i columns, and what to try', (width) => {
  const text = outcomeLines(outcomes, width).join('\n');
  expect(longest(text)).toBeLessThanOrEqual(width);
  expect(words(text)).toEqual(words(outcomeLines(outcomes, Number.POSITIVE_INFINITY).join('\n')));
  expect(text.match(/ECONNREFUSED/g)).toHaveLength(1);
  expect(text).toMatch(/vaults +also failed \(NETWORK\)/);
  const fixes = fixesFor(outcomes);
  expect(fixes).toEqual([
    expect.stringMatching(/^NETWORK: check that this machine reaches CUSTODY_BASE_URL/),
  ]);
  expect(longest(fixes.flatMap((fix) => wrap(fix, width)).join('\n'))).toBeLessThanOrEqual(width);
});

test.each(widths)('the findings of doctor at %i columns', (width) => {
  const told = (columns: number) => {
    let text = '';
    const list = createFindingList(
      (more) => {
        text += more;
      },
      { width: columns, color: false },
    );
    list.begin('Database');
    list.add('transactions_length', {
      verdict: 'ok',
      result: '1,234,567, learned just now: a sweep read the list from end to end',
    });
    list.add('clock of the database', {
      verdict: 'bad',
      result: 'is 12,345 s ahead',
      fix: 'set the clock that is wrong',
    });
    return text;
  };
  expect(longest(told(width))).toBeLessThanOrEqual(width);
  expect(words(told(width))).toEqual(words(told(1_000)));
});
