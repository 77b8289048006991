import { expect, test } from 'vitest';
import { costFindings } from '../../../src/cli/doctor/cost.ts';
import { resources, type ScheduleName } from '../../../src/domain/jobs.ts';

const off = {
  transactions: null,
  balances: null,
  documents: null,
  reconcile: null,
  maintenance: null,
  seal: null,
  verify: null,
};

function resultsOf(
  expressions: Partial<Record<ScheduleName, string>>,
  requests: Readonly<Record<string, number>>,
) {
  const schedule = { expressions: { ...off, ...expressions }, timezone: 'UTC' };
  const costs = Object.entries(requests).map(([job, perRun]) => ({ job, runs: 1, requests: perRun }));
  const findings = costFindings({ schedule, resources }, costs);
  return (subject: string) => findings.find((found) => found.subject === subject)?.result;
}

test('a schedule costs its runs times the requests of the last', () => {
  const of = resultsOf(
    { transactions: '*/5 * * * * *', balances: '*/5 * * * *', documents: '17 3 * * *' },
    { transactions: 5, balances: 3, vaults: 1 },
  );
  expect(of('transactions')).toBe('720 runs an hour of 5 requests each (*/5 * * * * *)');
  expect(of('balances')).toBe('12 runs an hour of 3 requests each (*/5 * * * *)');
  expect(of('documents')).toBe('1 run a day of 1 requests each (17 3 * * *)');
  expect(of('together')).toBe('about 3,636 requests an hour, from the last runs of each job');
});

test('the cost of a run is shown after the first, and until then the sum is a lower bound', () => {
  const of = resultsOf({ transactions: '* * * * *', balances: '*/5 * * * *' }, { balances: 3 });
  expect(of('transactions')).toBe('60 runs an hour (* * * * *); its requests are known after the first run');
  expect(of('together')).toBe('at least 36 requests an hour, from the last runs of each job');
});
