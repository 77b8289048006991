// What the mirror's page says of a status report, without a server around it.
import fc from 'fast-check';
import { jsx } from 'hono/jsx';
import { expect, test } from 'vitest';
import type { CachedStatus } from '../../../src/http/request/status-source.ts';
import type { StatusReport } from '../../../src/store/job-queries/status.ts';
import { textOf } from '../../../test/support/page-text.ts';
import { atWork } from '../../../test/support/running-server.ts';
import {
  job,
  lastRun,
  problem,
  readAt,
  secondsAgo,
  statusReport,
} from '../../../test/support/status-report.ts';
import type { Run } from '../../client/src/generated/types/api-types.ts';
import { SyncReport } from '../src/sync/page.tsx';
import type { View } from '../src/view/view.ts';
import { renderIn } from './read-page.ts';

const troubled = statusReport({
  jobs: [
    job('transactions', {
      lastRun: lastRun({
        status: 'failed',
        verified: null,
        verdict: null,
        errorCode: 'ERR-02',
        errorMessage: 'Unauthorized access',
      }),
      lastSucceededAt: secondsAgo(3600),
    }),
    job('reconcile', {
      lastRun: lastRun({ verified: false, verdict: { doubts: ['the order of the list is unstable'] } }),
      lastVerifiedAt: secondsAgo(86_400),
    }),
  ],
  problems: [
    problem({
      problem: 'The last run of transactions failed: Unauthorized access (ERR-02)',
      fix: 'check CUSTODY_API_KEY',
    }),
  ],
  anomalies: [{ kind: 'unknown-value', open: 4, lastObservedAt: secondsAgo(60) }],
  quarantine: [{ resource: 'balances', open: 2, lastObservedAt: secondsAgo(60) }],
});

const view: View = {
  account: 'treasury',
  accounts: [],
  preferences: { zone: 'utc', digits: 'short', theme: 'auto', rows: 'normal' },
  zone: 'UTC',
  now: readAt,
  closed: null,
  path: '/sync',
  query: {},
};

/** A run of transactions as the API tells it. */
function run(changes: Partial<Run> = {}): Run {
  return {
    run_id: 1,
    job: 'transactions',
    mode: 'full',
    status: 'succeeded',
    started_at: secondsAgo(15),
    finished_at: secondsAgo(12),
    requests: 9,
    retries: 0,
    rate_limited: 0,
    records_read: 5,
    records_inserted: 0,
    records_changed: 0,
    status_changes: 0,
    quarantined: 0,
    verified: true,
    verdict: {},
    error_code: null,
    error_message: null,
    requested_by: null,
    ...changes,
  };
}

const runs = [run(), run({ verified: false }), run({ status: 'failed' }), run({ status: 'abandoned' })];

async function rendered(report: StatusReport | null, changes: Partial<CachedStatus> = {}): Promise<string> {
  const known = report === null ? null : { report, now: readAt };
  const seen = { known, fault: null, process: atWork, processAccount: 'treasury', ...changes };
  return await renderIn(view, jsx(SyncReport, { seen, figures: null, runs }));
}

test('a healthy mirror shows at a glance what is mirrored, how fresh, and by whom', async () => {
  const text = textOf(await rendered(statusReport()));
  for (const said of [
    'Healthy Everything is mirrored and fresh.',
    'transactions 12,345 17 not settled: 14 confirming, 3 pending last sweep of the list 12 s ago verified: all 12,345 records in the list were read',
    'balances 12 assets, as of 1 min ago of them 5 in cold vaults, 9 in warm vaults',
    'vaults 6',
    'whitelist 40 1 no longer listed by the service',
    'succeeded 12 s ago read 1,234 records in 3.0 s: 5 new, 2 changed verified',
    'A run is verified when it provably read every record that stayed in the list during the run.',
    'host-1/4242 since 2026-07-01 10:00:00 (2 h ago)',
    'This process is the writer.',
    'transaction_path singular a transaction was answered by its id with the singular path',
    'Read from https://custody.example/api',
  ])
    expect(text).toContain(said);
});

test('each problem comes with its cause, since when, what to do and where to look', async () => {
  const page = await rendered(troubled);
  const text = textOf(page);
  for (const said of [
    'Needs attention critical The last run of transactions failed: Unauthorized access (ERR-02). Began 2026-07-01 11:00:00 (1 h ago). What to do: check CUSTODY_API_KEY. Runs of this job',
    'not verified last verified 1 day ago',
    'Not verified: the order of the list is unstable.',
    'an undocumented value, kept as received unknown-value 4 1 min ago',
    'balances that could not be read 2',
  ])
    expect(text).toContain(said);
  for (const address of [
    '/sync/runs?job=transactions',
    '/sync/quarantine?resource=balances&amp;resolved=false',
    '/sync/anomalies?kind=unknown-value&amp;resolved=false',
  ])
    expect(page).toContain(`href="${address}"`);
});

test('the last runs of a job are bars that say when each began and how it ended', async () => {
  const page = await rendered(statusReport());
  expect(page).toContain('aria-label="4 runs: 1 succeeded, 1 not verified, 1 failed, 1 interrupted"');
  const heights = [...page.matchAll(/height="(\d+)" fill="[^"]*"><title>([^<]*)</g)].map(
    ([, ...found]) => found,
  );
  expect(heights).toEqual(
    [
      ['8', 'succeeded'],
      ['13', 'not verified'],
      ['20', 'failed'],
      ['13', 'interrupted'],
    ].map(([height, word]) => [height, `2026-07-01 11:59:45 ${word}`]),
  );
});

test('what is late, and a verdict of days ago, look unlike what is on time and fresh', async () => {
  const expected = ['transactions', 'balances'].map((name) => {
    return { job: name, startedBy: 'daemon', isMirrored: true, isScheduled: true };
  });
  const problems = [problem({ code: 'stale', problem: 'No run of transactions has succeeded' })];
  const jobs = [
    job('transactions', { lastVerifiedAt: secondsAgo(7200) }),
    job('balances', { lastVerifiedAt: secondsAgo(5 * 86_400) }),
    job('vaults'),
  ];
  const page = await rendered(statusReport({ expected, problems, jobs }));
  expect(textOf(page)).toMatch(/12 s ago late succeeded .* 12 s ago on time succeeded .* 12 s ago succeeded/);
  expect(page).toMatch(/<span class="soft">last verified .*2 h ago/);
  expect(page).toMatch(/<strong class="note">last verified .*5 days ago/);
  expect(page.match(/last verified/g)).toHaveLength(2);
});

test('jobs that fail alike are one problem, and notes do not make the mirror unhealthy', async () => {
  const failed = lastRun({ status: 'failed', errorCode: 'TIMEOUT', errorMessage: 'no answer' });
  const alike = statusReport({
    jobs: ['balances', 'vaults'].map((name) => job(name, { lastRun: failed })),
    problems: ['balances', 'vaults'].map((subject) =>
      problem({
        subject,
        severity: 'warning',
        problem: `The last run of ${subject} failed: no answer (TIMEOUT)`,
      }),
    ),
  });
  const text = textOf(await rendered(alike));
  expect(text).toContain(
    'warning The last run of balances failed: no answer (TIMEOUT), and that of vaults alike.',
  );
  expect(text).not.toContain('The last run of vaults');
  const noted = statusReport({ problems: [problem({ code: 'anomaly', severity: 'note', problem: 'Odd' })] });
  expect(textOf(await rendered(noted))).toContain('Healthy Everything is mirrored and fresh. note Odd.');
});

test('learned rates are shown by endpoint', async () => {
  const learned = [
    { fact: 'request_rate.transactions', value: '8.250', evidence: 'found by climbing', updatedAt: readAt },
  ];
  expect(textOf(await rendered(statusReport({ learned })))).toContain(
    'Requests per second Learned transactions 8.250 just now',
  );
});

test('a mirror that has nothing yet still has a page', async () => {
  const empty = statusReport({
    baseUrl: null,
    transactions: { total: 0, missing: 0, open: [], lastSweep: null },
    balances: [],
    vaults: { present: 0, missing: 0, changedAt: null },
    whitelist: { present: 0, missing: 0, changedAt: null },
    jobs: [],
    lease: null,
    learned: [],
    problems: [problem({ code: 'nothing-mirrored', problem: 'Nothing has been mirrored yet', since: null })],
  });
  const text = textOf(await rendered(empty));
  expect(text).toContain('Nothing has been mirrored yet. What to do: the next run tries again.');
  expect(text).toContain('No job has run yet.');
  expect(text).toContain('None: nothing is mirrored until a process starts.');
});

test('the page shows what this process does: it stands by, lost its lease, is not ready, or mirrors another account', async () => {
  const toldOf = async (changes: Partial<CachedStatus>) => textOf(await rendered(statusReport(), changes));
  const process = { ...atWork, role: 'standby' } as const;
  expect(await toldOf({ process })).toContain('This process is on standby');
  const lost = await toldOf({ process: { ...process, holder: 'host-1/4242' } });
  expect(lost).toContain('This process lost its lease and will take it again automatically.');
  expect(lost).not.toContain('on standby');
  const stopping = { ...atWork, ready: false, reasons: ['the lease was lost'], role: 'stopping' } as const;
  expect(await toldOf({ process: stopping })).toContain('This process is not ready the lease was lost');
  const other = await toldOf({ process: null, processAccount: 'desk' });
  expect(other).toContain(
    'This process mirrors desk. The data below is what the database holds for treasury.',
  );
  expect(other).not.toContain('This process is the writer.');
});

test('what was never read is not shown as none', async () => {
  const never = { present: null, missing: 0, changedAt: null };
  const report = statusReport({ vaults: never, jobs: [] });
  expect(textOf(await rendered(report))).toContain('vaults unknown never read');
});

/** The report with every text in it followed by the other. */
function poisoned(value: unknown, text: string): unknown {
  if (typeof value === 'string') return value + text;
  if (Array.isArray(value)) return value.map((element) => poisoned(element, text));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, poisoned(member, text)]));
}

const tagsOf = (page: string) => [...page.matchAll(/<[^>]*>/g)].map(([tag]) => tag.replace(/"[^"]*"/g, '""'));

test('foreign text is shown, never obeyed: whatever it holds, the elements of the page stay the same', async () => {
  const markup = fc.constantFrom(
    '<',
    '>',
    '"',
    "'",
    '&',
    '<script>',
    '</style>',
    '<b',
    '-->',
    ' x=',
    '\u202e',
    '\n',
  );
  const hostile = fc.array(fc.oneof(markup, fc.string({ unit: 'binary' })), { maxLength: 8 });
  // Judgements follow from words that the poison spoils, so the page is compared with one spoilt alike.
  // Moments come from the database.
  const spoilt = (text: string) => {
    const report = poisoned(troubled, text) as StatusReport;
    const moments = JSON.stringify(report, (name, value) =>
      (name.endsWith('At') || name === 'since') && typeof value === 'string' ? value.slice(0, 24) : value,
    );
    return JSON.parse(moments) as StatusReport;
  };
  const expected = tagsOf(await rendered(spoilt(' x')));
  await fc.assert(
    fc.asyncProperty(hostile, async (parts) => {
      expect(tagsOf(await rendered(spoilt(` x${parts.join('')}`)))).toEqual(expected);
    }),
    { numRuns: 25 },
  );
});
