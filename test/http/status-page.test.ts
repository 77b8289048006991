import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MirrorError } from '../../src/domain/errors.ts';
import { type StatusPageContent, statusPage } from '../../src/http/status-page.ts';
import type { StatusReport } from '../../src/store/query/status.ts';
import { atWork, startServer } from '../support/running-server.ts';
import { job, lastRun, problem, readAt, secondsAgo, statusReport } from '../support/status-report.ts';

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

const now = (report: StatusReport) => ({ report, now: readAt });

async function rendered(changes: Partial<StatusPageContent> = {}): Promise<string> {
  const page = await statusPage({
    known: now(statusReport()),
    fault: null,
    health: atWork,
    version: '1.2.3',
    ...changes,
  });
  return page.toString();
}

/** The page's text as a reader sees it. */
const textOf = (page: string) =>
  page
    .replace(/<style>.*<\/style>/s, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');

test('a healthy mirror is told at a glance: what is mirrored, how fresh, and by whom', async () => {
  const text = textOf(await rendered());
  for (const said of [
    'treasury',
    'https://custody.example/api',
    'Healthy',
    'transactions 12,345 17 not settled: 14 confirming, 3 pending last sweep of the list 12 s ago verified: all 12,345 records of the list were met',
    'balances 12 assets, as of 1 min ago of them 5 in cold vaults, 9 in warm vaults',
    'custody-mirror, account treasury',
    'vaults 6',
    'whitelist 40 1 no longer shown by the service',
    'succeeded 12 s ago read 1,234 records in 3.0 s: 5 new, 2 changed verified',
    'host-1/4242 since 2 h ago This process may write.',
    'transaction_path singular a transaction was answered by its id with the singular path',
  ])
    expect(text).toContain(said);
});

test('what is wrong comes with its reasons', async () => {
  const text = textOf(await rendered({ known: now(troubled) }));
  for (const said of [
    'Needs attention',
    'The last run of transactions failed: Unauthorized access (ERR-02) (began 1 h ago): check CUSTODY_API_KEY.',
    'not verified verified 1 day ago',
    'Not verified: the order of the list is unstable.',
    '4 a value outside the documented ones, kept as it came unknown-value in sync.anomalies 1 min ago',
    '2 balances that could not be read',
  ])
    expect(text).toContain(said);
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
    problems: [problem({ code: 'nothing-mirrored', problem: 'Nothing was mirrored yet', since: null })],
  });
  const text = textOf(await rendered({ known: now(empty) }));
  expect(text).toContain('Needs attention Nothing was mirrored yet: the next run tries again.');
  expect(text).toContain('No job has run yet.');
  expect(text).toContain('No process: nothing is mirrored until one does.');
});

test('a standby says that it is one', async () => {
  const text = textOf(await rendered({ health: { ...atWork, role: 'standby' } }));
  expect(text).toContain('host-1/4242 since 2 h ago This process stands by');
});

test('a process that lost its lease and is still shown as its holder takes it again', async () => {
  const text = textOf(await rendered({ health: { ...atWork, role: 'standby', holder: 'host-1/4242' } }));
  expect(text).toContain('This process lost its lease and takes it again automatically.');
  expect(text).not.toContain('stands by');
});

test('a process that is not ready says why', async () => {
  const health = { ...atWork, ready: false, reasons: ['the lease was lost'], role: 'stopping' as const };
  expect(textOf(await rendered({ health }))).toContain('This process is not ready the lease was lost');
});

test('the page is one document: it loads nothing, runs nothing, and reloads itself only where that was asked for', async () => {
  const page = await rendered({ known: now(troubled) });
  expect(page).not.toMatch(/<(script|img|link|iframe|form|object)\b|\bstyle=|\bon\w+=|url\(|@import|src=/i);
  expect(page).not.toContain('http-equiv');
  expect(await rendered({ reloads: true })).toContain('<meta http-equiv="refresh" content="10">');
  expect(page).toContain('<meta name="viewport" content="width=device-width, initial-scale=1">');
  expect([...page.matchAll(/href="([^"]*)"/g)].map(([, target]) => target)).toEqual([
    '/?reload',
    '/status.json',
    '/metrics',
    '/api',
  ]);
});

test('every element that is opened is closed, in order', async () => {
  for (const page of [await rendered(), await rendered({ known: now(troubled) })]) {
    const open: string[] = [];
    for (const [, slash, name = ''] of page.matchAll(/<(\/?)([a-z0-9]+)[^>]*>/g)) {
      if (name === 'meta') continue;
      if (slash === '') open.push(name);
      else expect(open.pop()).toBe(name);
    }
    expect(open).toEqual([]);
  }
});

test('the browser is told to accept the style of the page and no other', async () => {
  const { get } = await startServer();
  const answer = await get('/');
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('text/html; charset=UTF-8');
  const style = /<style>(.*)<\/style>/s.exec(await answer.text())?.[1] ?? '';
  const digest = createHash('sha256').update(style).digest('base64');
  expect(answer.headers.get('content-security-policy')).toContain(`style-src 'sha256-${digest}';`);
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
  // Ages and judgements follow from words and moments that the poison spoils: the page is compared with one spoilt alike.
  const expected = tagsOf(await rendered({ known: now(poisoned(troubled, ' x') as StatusReport) }));
  await fc.assert(
    fc.asyncProperty(hostile, async (parts) => {
      const report = poisoned(troubled, ` x${parts.join('')}`) as StatusReport;
      expect(tagsOf(await rendered({ known: now(report) }))).toEqual(expected);
    }),
  );
});

test('a script in a record is text on the page', async () => {
  const report = statusReport({
    lease: { holder: '<script>alert(1)</script>', acquiredAt: readAt, expiresAt: readAt },
  });
  const page = await rendered({ known: now(report) });
  expect(page).not.toContain('<script');
  expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
});

test('when the database goes away the page says so and keeps what was read before', async () => {
  let away = false;
  let clockMs = 0;
  const readStatus = async () => {
    if (away) throw new MirrorError('DATABASE-UNREACHABLE', 'db.example:5432 cannot be reached; start it');
    return statusReport();
  };
  const { get } = await startServer({ readStatus, monotonicMs: () => clockMs });
  expect((await get('/')).status).toBe(200);
  away = true;
  clockMs = 40 * 60_000;
  const answer = await get('/');
  expect(answer.status).toBe(503);
  const page = await answer.text();
  const text = textOf(page);
  expect(text).toContain('Unknown since 2026-07-01 12:00:00 UTC: the status cannot be read');
  expect(text).not.toContain('Healthy');
  expect(page).toContain('<div class="old">');
  expect(text).toContain('db.example:5432 cannot be reached; start it (DATABASE-UNREACHABLE)');
  expect(text).toContain('The rest of this page shows the last known state, 40 min ago.');
  expect(text).toContain('assets, as of 41 min ago');
  expect(text).toContain('read 2026-07-01 12:00:00 UTC (40 min ago)');
  const json = await get('/status.json');
  expect(json.status).toBe(503);
  expect(await json.json()).toMatchObject({ unknownSince: readAt });
  expect(text).toContain('transactions 12,345');
});

test('a page that was never filled says that nothing is known yet', async () => {
  const { get } = await startServer({ readStatus: () => new Promise(() => undefined) });
  const answer = await get('/');
  expect(answer.status).toBe(503);
  expect(textOf(await answer.text())).toContain(
    'the database did not answer within 3 s (TIMEOUT) The state of the mirror is unknown until the database answers.',
  );
});

test('what was never read is not told as none', async () => {
  const never = { present: null, missing: 0, changedAt: null };
  const report = statusReport({ vaults: never, jobs: [] });
  expect(textOf(await rendered({ known: now(report) }))).toContain('vaults unknown never read');
});
