// A real browser for tests of pages: Chromium, which comes with `npm ci`. A worker starts one when its first
// test needs it, and it ends with the worker. A tab has a session of its own and is closed when its test ends.
//
//   browserTest('the overview is for everybody', async (browser) => {
//     const tab = await browser.open();
//     await tab.visit(`${url}/`);
//     expect(await checkViews(tab, 'overview')).toEqual([]);
//     expect(tab.faults).toEqual([]);
//   });
import { type Browser as Chromium, chromium } from 'playwright-core';
import { test } from 'vitest';
import { installBrowser, missing } from './browser/installed.ts';
import { openTab, type Tab, type TabOptions } from './browser/tab.ts';

export interface Browser {
  /** A new tab without cookies and history, closed when the test ends. */
  open(options?: TabOptions): Promise<Tab>;
}

let started: Promise<Chromium> | null = null;

const browser: Browser = {
  async open(options) {
    started ??= start();
    return await openTab(await started, options);
  },
};

/**
 * A test with the browser. Where none can be started it is skipped, and its name says why.
 *
 * @param unless why it is skipped for another reason, as its name says it; empty if it is not
 */
export function browserTest(
  name: string,
  work: (browser: Browser) => Promise<unknown>,
  timeoutMs = 180_000,
  unless = '',
): void {
  const reason = missing === '' ? unless : ` (skipped: ${missing})`;
  test.skipIf(reason !== '')(
    `${name}${reason}`,
    async () => {
      await work(browser);
    },
    timeoutMs,
  );
}

async function start(): Promise<Chromium> {
  const { executablePath, env } = await installBrowser();
  return await chromium.launch({
    executablePath,
    env,
    // No name leads away from this machine.
    args: ['--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1'],
  });
}
