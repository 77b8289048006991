import { expect, test } from 'vitest';
import { MirrorError } from '../../src/domain/errors.ts';
import { createProcessFacts, shownFault, withProcessFacts } from '../../src/status/process-facts.ts';
import { isHealthy } from '../../src/status/words.ts';
import { problem, statusReport } from '../support/status-report.ts';

const full = new MirrorError('DATABASE-REFUSED', 'database custody has no disk space left: free space.');

function openFacts() {
  let now = 0;
  const facts = createProcessFacts(() => now);
  const pass = (ms: number) => {
    now += ms;
  };
  return { facts, pass };
}

test('failures are counted in a row, from the first, and end with a success', () => {
  const { facts, pass } = openFacts();
  facts.succeeded('balances');
  pass(1_000);
  for (let failed = 0; failed < 3; failed += 1) facts.failed('balances', ...shownFault(full));
  pass(500);
  expect(facts.failing()).toEqual([
    { subject: 'balances', code: 'DATABASE-REFUSED', message: full.message, failures: 3, forMs: 500 },
  ]);
  expect(facts.sinceSuccess()).toEqual([['balances', 1_500]]);
  facts.succeeded('balances');
  expect(facts.failing()).toEqual([]);
  facts.failed('seal', 'UNEXPECTED', 'no room');
  facts.forget();
  expect([facts.failing(), facts.sinceSuccess()]).toEqual([[], []]);
});

test('what the process alone knows makes a healthy report unhealthy, with the reason', () => {
  const { facts, pass } = openFacts();
  expect(isHealthy(withProcessFacts(statusReport(), facts.failing())).healthy).toBe(true);
  facts.failed('transactions', ...shownFault(full));
  facts.failed('seal', ...shownFault(new Error('internals nobody should read')));
  pass(60_000);
  expect(isHealthy(withProcessFacts(statusReport(), facts.failing()))).toEqual({
    healthy: false,
    reasons: [
      'The last run of transactions failed: database custody has no disk space left: free space (DATABASE-REFUSED) (began 1 min ago): the next run tries again; custody-mirror doctor checks its prerequisites.',
      'Sealing failed: it failed with UNEXPECTED (began 1 min ago): the next run tries again; custody-mirror doctor checks its prerequisites.',
    ],
  });
});

test('what the database says about a job stays, and what this process knows of itself replaces its guess', () => {
  const { facts } = openFacts();
  facts.failed('balances', ...shownFault(full));
  facts.failed('lease', ...shownFault(full));
  const recorded = problem({ code: 'failing', subject: 'balances' });
  const stopped = problem({ code: 'stopped', subject: 'account' });
  const { problems } = withProcessFacts(statusReport({ problems: [stopped, recorded] }), facts.failing());
  expect(problems.map(({ code, subject }) => [code, subject])).toEqual([
    ['stopped', 'account'],
    ['failing', 'balances'],
  ]);
  expect(problems[0]?.problem).toMatch(/^This process cannot write: database custody has no disk space/);
  expect(problems[1]).toBe(recorded);
});
