import { expect, test } from 'vitest';
import {
  fixesFor,
  outcomeText,
  progressLine,
  summaryLine,
  waitingLine,
} from '../../../src/cli/commands/sync.ts';
import { createLiveLine } from '../../../src/cli/text/terminal.ts';
import { outcome } from '../../support/status-report.ts';

/** A terminal that keeps what was written. */
function terminal(columns: number | undefined, isTTY = true) {
  const written: string[] = [];
  return {
    isTTY,
    ...(columns === undefined ? {} : { columns }),
    written,
    write: (text: string) => void written.push(text),
  };
}

test('an outcome shows what is new and changed, whether it is verified, and what it took', () => {
  expect(outcomeText(outcome())).toBe('nothing new, verified (1,234 records read, 9 requests, 1.3 s)');
  expect(
    outcomeText(
      outcome({
        inserted: 1_000,
        changed: 2,
        quarantined: 1,
        verified: false,
        doubts: ['head-unsteady', 'count-short'],
      }),
    ),
  ).toBe(
    '1,000 new, 2 changed, 1 quarantined, not verified: the head of the list changed at each reading; larger pages (CUSTODY_PAGE_SIZE) or a quieter hour help; the list holds more records than the sweep read; not covered: records that moved to the head of the list meanwhile, records that the list holds and the sweep did not read (1,234 records read, 9 requests, 1.3 s)',
  );
  expect(outcomeText(outcome({ verified: null, records: 1, requests: 1, seconds: 1_234.5 }))).toBe(
    'nothing new (1 record read, 1 request, 1,235 s)',
  );
});

test('a sweep shows how much of the list it met, and how many sweeps it took', () => {
  const coverage = { met: 3_905, listLength: 5_000, listShown: null, isResumed: false };
  const open = {
    verified: false,
    coverage,
    doubts: ['too-many-requests'],
    inserted: 3_905,
    attempts: 2,
  } as const;
  expect(outcomeText(outcome(open))).toBe(
    '3,905 new, after 2 sweeps not verified: read 3,905 of 5,000 records; the list changed so much that it took more than ten requests for each record; not covered: what stands behind the last place read (1,234 records read, 9 requests, 1.3 s)',
  );
  expect(outcomeText(outcome({ coverage: { ...coverage, met: 5_001 }, attempts: 3 }))).toBe(
    'nothing new, after 3 sweeps verified: all 5,000 records in the list were read (1,234 records read, 9 requests, 1.3 s)',
  );
});

test('a failure is shown with its code, once', () => {
  const failed = { status: 'failed', verified: null, errorCode: 'ERR-01' } as const;
  expect(outcomeText(outcome({ ...failed, errorMessage: 'balances: ERR-01: no (HTTP 400)' }))).toBe(
    'failed: balances: ERR-01: no (HTTP 400)',
  );
  expect(outcomeText(outcome({ ...failed, errorMessage: 'no answer.' }))).toBe('failed: no answer (ERR-01)');
  const jobs = [outcome(), outcome({ ...failed, job: 'vaults', errorMessage: 'x\nERR-01' })];
  expect(summaryLine(jobs)).toMatch(/^transactions: nothing new, .* \| vaults: failed: x ERR-01$/);
  expect(fixesFor(jobs).join()).toMatch(/^(ERR-01: .*)?$/);
  const refused = outcome({ job: 'whitelist', keyRejected: true });
  expect(fixesFor([outcome(), refused]).join()).toMatch(
    /rejected the key for whitelist alone.*CUSTODY_RESOURCES/s,
  );
  expect(fixesFor([refused]).join()).not.toContain('CUSTODY_RESOURCES');
  expect(fixesFor([outcome(), outcome({ keyRejected: true })]).join()).toMatch(
    /CUSTODY_API_KEY .*viewer role/s,
  );
});

test.each(['__proto__', 'constructor', 'toString'])('the code %s of the service has no fix', (errorCode) => {
  expect(fixesFor([outcome({ status: 'failed', errorCode, errorMessage: errorCode })])).toEqual([]);
});

test('progress is one line over all jobs, with the rate once there is one, and retries only when there were any', () => {
  const job = { inserted: 0, changed: 0, quarantined: 0, requests: 3, retries: 0 };
  const jobs = [
    { ...job, job: 'transactions' as const, records: 2_000 },
    { ...job, job: 'vaults' as const, records: 10 },
  ];
  expect(progressLine(jobs, 0.1)).toBe('transactions 2,000 · vaults 10 · 6 requests');
  const troubled = jobs.map((each) => ({ ...each, retries: 1, quarantined: 1 }));
  expect(progressLine(troubled, 2)).toBe(
    'transactions 2,000 · vaults 10 · 6 requests · 1,005 records/s · 2 retries · 2 quarantined',
  );
});

test('the live line is written over itself, fits the terminal, and is gone when cleared', () => {
  const output = terminal(30);
  const line = createLiveLine(output);
  line.clear();
  expect(output.written).toEqual([]);
  line.show('one');
  line.show('whole '.repeat(50));
  line.clear();
  line.clear();
  expect(output.written).toEqual(['\r\u001b[2Kone', `\r\u001b[2K${'whole '.repeat(4)}…`, '\r\u001b[2K']);
});

test('where there is no terminal, no live line is shown', () => {
  const output = terminal(undefined, false);
  const line = createLiveLine(output);
  line.show('one');
  line.clear();
  expect(output.written).toEqual([]);
});

test('the waiting line says who was asked, and how long it waits at most', () => {
  expect(waitingLine('host-1/4242', 59_900)).toBe(
    'asked host-1/4242, which writes for this account · waiting at most 59 s',
  );
});
