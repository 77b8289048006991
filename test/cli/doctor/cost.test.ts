import { expect, test } from 'vitest';
import { costFindings } from '../../../src/cli/doctor/cost.ts';
import { resources, type ScheduleName } from '../../../src/domain/jobs.ts';

const off = { transactions: null, balances: null, documents: null, reconcile: null, maintenance: null };

function resultsOf(
  expressions: Partial<Record<ScheduleName, string>>,
  requests: Readonly<Record<string, number>>,
  rate: number | null = null,
) {
  const schedule = { expressions: { ...off, ...expressions }, timezone: 'UTC' };
  const costs = Object.entries(requests).map(([job, perRun]) => ({ job, runs: 1, requests: perRun }));
  const findings = costFindings({ schedule, resources }, costs, rate);
  return (subject: string) => findings.find((found) => found.subject === subject)?.result;
}

test('an adaptive schedule costs between what its longest and its shortest pause do', () => {
  const of = resultsOf(
    { transactions: 'adaptive', balances: '*/5 * * * *' },
    { transactions: 4, balances: 3 },
  );
  expect(of('transactions')).toBe('60 to 720 runs an hour of 4 requests each (adaptive)');
  expect(of('balances')).toBe('12 runs an hour of 3 requests each (*/5 * * * *)');
  expect(of('together')).toBe('about 276 to 2,916 requests an hour, from the last runs of each job');
});

test('one that rests for hours is told by the day where it never runs more often than that', () => {
  expect(resultsOf({ transactions: 'adaptive 7200-86400' }, {})('transactions')).toBe(
    '1 to 12 runs a day (adaptive 7200-86400); what one takes is known after the first',
  );
});

test('an adaptive schedule costs no more than half of the rate, and its longest pause may be too long to count', () => {
  const of = (expression: string) =>
    resultsOf({ transactions: expression }, { transactions: 5 }, 0.5)('transactions');
  expect(of('adaptive 1-86400')).toBe('up to 180 runs an hour of 5 requests each (adaptive 1-86400)');
  expect(of('*/5 * * * * *')).toBe('720 runs an hour of 5 requests each (*/5 * * * * *)');
});
