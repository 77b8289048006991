// The pages in a real browser: for everybody, at every width, without JavaScript, and loading nothing from elsewhere.
import { expect } from 'vitest';
import { MirrorError } from '../../../src/domain/errors.ts';
import { walkByTab } from '../../support/browser/keyboard.ts';
import { checkViews } from '../../support/browser/views.ts';
import { browserTest } from '../../support/browser.ts';
import { testDatabase } from '../../support/database.ts';
import { openReading } from '../../support/reading.ts';
import { type RunningServer, startServer } from '../../support/running-server.ts';
import { job, lastRun, problem, secondsAgo, statusReport } from '../../support/status-report.ts';

/** What a page may weigh, in bytes. */
const limit = 100_000;

const troubled = statusReport({
  jobs: [
    job('transactions', {
      lastRun: lastRun({ status: 'failed', errorCode: 'ERR-02', errorMessage: 'Unauthorized access' }),
    }),
    job('reconcile', { lastRun: lastRun({ verified: false, verdict: { doubts: ['order-unstable'] } }) }),
  ],
  problems: [problem({ problem: `The last run failed: ${'x'.repeat(300)}` })],
  anomalies: [{ kind: 'unknown-value', open: 4, lastObservedAt: secondsAgo(60) }],
  quarantine: [{ resource: 'balances', open: 2, lastObservedAt: secondsAgo(60) }],
});

async function startReference(): Promise<RunningServer> {
  const { url } = await testDatabase();
  return await startServer({ reading: openReading(url) });
}

browserTest('the status page is for everybody, loads nothing more, and is small', async (browser) => {
  const { url } = await startServer();
  const tab = await browser.open();
  expect(await tab.visit(`${url}/`)).toBe(200);
  expect(await checkViews(tab, 'status')).toEqual([]);
  expect(tab.faults).toEqual([]);
  const { requests, gzippedBytes } = await tab.traffic();
  expect(requests).toBe(1);
  expect(gzippedBytes).toBeLessThan(limit);
});

browserTest('so it is when the mirror needs attention', async (browser) => {
  const { url } = await startServer({ readStatus: async () => troubled });
  const tab = await browser.open();
  await tab.visit(`${url}/`);
  expect(await checkViews(tab, 'status-troubled')).toEqual([]);
  expect(tab.faults).toEqual([]);
});

browserTest('so it is when the database went away, and the last state is shown', async (browser) => {
  let away = false;
  let clockMs = 0;
  const { url, get } = await startServer({
    readStatus: async () => {
      if (away) throw new MirrorError('DATABASE-UNREACHABLE', 'db.example:5432 cannot be reached; start it');
      return troubled;
    },
    monotonicMs: () => clockMs,
  });
  await get('/');
  away = true;
  clockMs = 40 * 60_000;
  const tab = await browser.open();
  expect(await tab.visit(`${url}/`)).toBe(503);
  expect(await checkViews(tab, 'status-unknown')).toEqual([]);
  expect(tab.faults).toEqual([`http: 503 ${url}/`]);
});

browserTest(
  'the status page needs no JavaScript, and reloads itself when the reader asks',
  async (browser) => {
    const { url } = await startServer();
    const { page, faults, visit } = await browser.open({ javaScriptEnabled: false });
    const reloads = page.locator('meta[http-equiv=refresh]');
    await visit(`${url}/`);
    expect(await reloads.count()).toBe(0);
    await page.getByRole('link', { name: 'reload every 10 s' }).click();
    await page.getByRole('link', { name: 'stop' }).waitFor();
    expect(await reloads.getAttribute('content')).toBe('10');
    await page.getByRole('link', { name: 'stop' }).click();
    await page.getByRole('link', { name: 'reload every 10 s' }).waitFor();
    expect(await reloads.count()).toBe(0);
    expect(faults).toEqual([]);
  },
);

browserTest('the links of the status page are reached by the keyboard', async (browser) => {
  const { url } = await startServer();
  const tab = await browser.open();
  await tab.visit(`${url}/`);
  expect(await walkByTab(tab)).toEqual(
    ['reload every 10 s', 'as JSON', 'metrics', 'read API'].map((name) => ({
      role: 'link',
      name,
      isShown: true,
    })),
  );
});

browserTest(
  'the reference of the API is for everybody, loads nothing more, and is small',
  async (browser) => {
    const { url } = await startReference();
    const tab = await browser.open();
    expect(await tab.visit(`${url}/api`)).toBe(200);
    expect(await checkViews(tab, 'reference')).toEqual([]);
    expect(tab.faults).toEqual([]);
    const { requests, gzippedBytes } = await tab.traffic();
    expect(requests).toBe(1);
    expect(gzippedBytes).toBeLessThan(limit);
  },
);

browserTest(
  'the contents of the reference lead to its parts, without JavaScript and by the keyboard',
  async (browser) => {
    const { url } = await startReference();
    const { page, faults, visit } = await browser.open({ javaScriptEnabled: false, width: 360 });
    await visit(`${url}/api`);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${url}/api#transactions`);
    await expect.poll(async () => (await page.locator('#transactions').boundingBox())?.y).toBeLessThan(1);
    expect(faults).toEqual([]);
  },
);
