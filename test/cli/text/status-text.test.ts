import { expect, test } from 'vitest';
import { renderStatus } from '../../../src/cli/commands/status.ts';
import { job, lastRun, problem, readAt, secondsAgo, statusReport } from '../../support/status-report.ts';

test('a healthy mirror is shown at a glance', () => {
  expect(renderStatus(statusReport(), { color: false })).toBe(`custody-mirror, account treasury
https://custody.example/api, read at 2026-07-01 12:00:00 UTC

Healthy

Mirrored
  transactions  12,345  17 not settled: 14 confirming, 3 pending; last sweep of the list 12 s ago
                        verified: all 12,345 records in the list were read
  balances          12  assets, as of 1 min ago; of them 5 in cold vaults, 9 in warm vaults
  vaults             6
  whitelist         40  1 no longer listed by the service

Jobs
  job           last success  last run   complete
  transactions  12 s ago      succeeded  verified  read 1,234 records in 3.0 s: 5 new, 2 changed
  balances      12 s ago      succeeded  verified  read 1,234 records in 3.0 s: 5 new, 2 changed
  vaults        12 s ago      succeeded  verified  read 1,234 records in 3.0 s: 5 new, 2 changed
  whitelist     12 s ago      succeeded  verified  read 1,234 records in 3.0 s: 5 new, 2 changed

Open anomalies and quarantine
  none

Writer
  host-1/4242  for 2 h

Learned about the service
  transaction_path  singular  2 days ago: a transaction was answered by its id with the singular
                              path
`);
});

test('what is wrong stands first, with the fix, and again where it belongs', () => {
  const refused = lastRun({
    status: 'failed',
    finishedAt: secondsAgo(9),
    recordsRead: 1,
    recordsInserted: 0,
    recordsChanged: 0,
    verified: null,
    verdict: null,
    errorCode: 'ERR-02',
    errorMessage: 'Unauthorized access',
  });
  const doubtful = lastRun({
    recordsInserted: 0,
    recordsChanged: 0,
    verified: false,
    verdict: { doubts: ['the list shrank while it was read'] },
  });
  const report = statusReport({
    jobs: [
      job('reconcile', { lastRun: doubtful, lastVerifiedAt: secondsAgo(90_000) }),
      job('transactions', { lastRun: refused, lastSucceededAt: secondsAgo(3_000), lastVerifiedAt: null }),
    ],
    quarantine: [{ resource: 'transactions', open: 3, lastObservedAt: secondsAgo(60) }],
    problems: [
      problem({
        code: 'key-refused',
        since: secondsAgo(9),
        problem: 'The last run of transactions failed: Unauthorized access (ERR-02)',
        fix: 'check CUSTODY_API_KEY and that the key has the viewer role',
      }),
      problem({ code: 'anomaly', severity: 'note', subject: 'unknown-value' }),
    ],
    expected: [{ job: 'transactions', startedBy: 'daemon', isMirrored: true, isScheduled: true }],
    anomalies: [
      { kind: 'unknown-value', open: 12, lastObservedAt: secondsAgo(3_960) },
      { kind: 'a-new-kind', open: 1, lastObservedAt: null },
    ],
    lease: null,
    learned: [],
  });
  expect(renderStatus(report, { color: false })).toBe(`custody-mirror, account treasury
https://custody.example/api, read at 2026-07-01 12:00:00 UTC

Needs attention
  - The last run of transactions failed: Unauthorized access (ERR-02) (began 9 s ago): check
    CUSTODY_API_KEY and that the key has the viewer role.

Mirrored
  transactions  12,345  17 not settled: 14 confirming, 3 pending; last sweep of the list 12 s ago
                        verified: all 12,345 records in the list were read
  balances          12  assets, as of 1 min ago; of them 5 in cold vaults, 9 in warm vaults
  vaults             6
  whitelist         40  1 no longer listed by the service

Jobs
  job           last success  last run   complete
  transactions  50 min ago    failed                   read 1 record in 6.0 s
    Unauthorized access (ERR-02).
  reconcile     12 s ago      succeeded  not verified  read 1,234 records in 3.0 s: nothing changed
    Not verified: the list shrank while it was read.
    Last verified 1 day ago.

Open anomalies and quarantine
   3  last seen 1 min ago      transactions that could not be read (see sync.quarantine)
  12  last seen 1 h 6 min ago  an undocumented value, kept as received (unknown-value, see
                               sync.anomalies)
   1                           a-new-kind (see sync.anomalies)

Writer
  no process: nothing is mirrored until custody-mirror run is started

Learned about the service
  nothing yet
`);
});

test('an account that was never mirrored is shown as such', () => {
  const report = statusReport({
    baseUrl: null,
    problems: [problem({ problem: 'Nothing has been mirrored yet for the account treasury', since: null })],
    transactions: { total: 0, missing: 0, open: [], lastSweep: null },
    balances: [],
    jobs: [],
    lease: null,
  });
  const text = renderStatus(report, { color: false });
  expect(text).toContain('not yet bound to an address');
  expect(text).toContain('  - Nothing has been mirrored yet for the account treasury');
  expect(text).toContain('Jobs\n  no job has run yet\n');
});

test('foreign text cannot move the cursor or forge a line', () => {
  const hostile = 'x\u001b[2J\r\nHealthy\u202e';
  const report = statusReport({
    account: hostile,
    baseUrl: hostile,
    problems: [problem({ problem: hostile, fix: hostile })],
    transactions: { total: 1, missing: 0, open: [{ status: hostile, count: 1 }], lastSweep: null },
    jobs: [job(hostile, { lastRun: lastRun({ status: 'failed', errorMessage: hostile }) })],
    anomalies: [{ kind: hostile, open: 1, lastObservedAt: readAt }],
    quarantine: [{ resource: hostile, open: 1, lastObservedAt: readAt }],
    lease: { holder: hostile, acquiredAt: readAt, expiresAt: readAt },
    learned: [{ fact: hostile, value: hostile, evidence: hostile, updatedAt: readAt }],
  });
  const text = renderStatus(report, { color: false });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not be there.
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
  expect(text.split('\n')).not.toContain('Healthy');
});

test('what was never read is not shown as none, and what could not be read is shown by record and asset', () => {
  const { balances } = statusReport();
  const nothing = { present: null, missing: 0, changedAt: null };
  const report = statusReport({
    transactions: { total: null, missing: 0, open: [], lastSweep: null },
    balances: [],
    vaults: { ...nothing, present: 0 },
    whitelist: nothing,
    jobs: [job('whitelist'), job('vaults'), job('balances', { lastSucceededAt: null })],
  });
  const text = renderStatus(report, { color: false });
  expect(text).toMatch(/^ {2}transactions {2}unknown {2}never read$/m);
  expect(text).toMatch(/^ {2}balances {6}unknown {2}never read$/m);
  expect(text).toMatch(/^ {2}vaults +0$/m);
  expect(text).toMatch(/^ {2}whitelist {5}unknown {2}not known yet: /m);

  const unreadable = balances.map((each) => ({ ...each, quarantined: 1, unreadableAssets: ['BTC'] }));
  expect(renderStatus(statusReport({ balances: unreadable }), { color: false, width: 200 })).toContain(
    '; 3 records not readable (BTC)\n',
  );
});

test('what only counts towards a fact is left out of what was learned', () => {
  const fact = (name: string) => ({ fact: name, value: 'x', evidence: 'y', updatedAt: secondsAgo(9) });
  const learned = ['growth', 'growth:evidence'].map(fact);
  const text = renderStatus(statusReport({ learned }), { color: false });
  expect(text).toContain('  growth  x');
  expect(text).not.toContain('growth:');
});

test('after a failed first sync the cause stands first, once, and no advice to do the same again', () => {
  const failed = (name: string, errorCode: string) =>
    job(name, { lastRun: lastRun({ status: 'failed', errorCode }), lastSucceededAt: null });
  const failing = (subject: string, fix = 'check that this machine reaches CUSTODY_BASE_URL') =>
    problem({
      subject,
      since: secondsAgo(1),
      problem: `The last run of ${subject} failed: refused (NETWORK)`,
      fix,
    });
  const report = statusReport({
    problems: [
      problem({
        code: 'nothing-mirrored',
        subject: 'account',
        problem: 'Nothing has been mirrored yet',
        fix: 'start custody-mirror run, or run custody-mirror sync once',
      }),
      ...['transactions', 'balances', 'vaults'].map((name) => failing(name)),
      failing('whitelist', 'the next run tries again'),
    ],
    jobs: [
      ...['transactions', 'balances', 'vaults'].map((name) => failed(name, 'NETWORK')),
      failed('whitelist', 'TIMEOUT'),
    ],
  });
  expect(renderStatus(report, { color: false, width: 300 })).toContain(`
Needs attention
  - The last run of transactions failed: refused (NETWORK) (began 1 s ago), and those of balances and vaults alike: check that this machine reaches CUSTODY_BASE_URL.
  - The last run of whitelist failed: refused (NETWORK) (began 1 s ago): the next run tries again.
  - Nothing has been mirrored yet.

`);
});
