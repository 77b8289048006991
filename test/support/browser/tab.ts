// A tab of the browser. It notes everything that a page of ours must not do, and how much it loads.
import type { BrowserContextOptions, Browser as Chromium, Page } from 'playwright-core';
import { onCleanup } from '../cleanup.ts';
import { noteFaults } from './faults.ts';
import { type Traffic, watchTraffic } from './traffic.ts';

export interface TabOptions
  extends Pick<
    BrowserContextOptions,
    | 'colorScheme'
    | 'extraHTTPHeaders'
    | 'forcedColors'
    | 'httpCredentials'
    | 'javaScriptEnabled'
    | 'locale'
    | 'reducedMotion'
    | 'timezoneId'
  > {
  /** In CSS pixels. Default 1440. */
  readonly width?: number;
  /** In CSS pixels. Default 900. */
  readonly height?: number;
}

export interface Tab {
  /** Playwright's page, to click, fill and look: https://playwright.dev/docs/api/class-page */
  readonly page: Page;
  /**
   * What went wrong since the last visit() began, a line each, which begins with its kind: `elsewhere` (a
   * request to another origin), `csp` (the browser refused something), `console` (an error or a warning),
   * `script` (an error that nobody caught), `http` (an answer of 400 or above), `network` (no answer).
   */
  readonly faults: readonly string[];
  /**
   * Opens an address and waits until the page and what it refers to are loaded. Returns the status of the
   * answer.
   */
  visit(url: string): Promise<number>;
  /** What was loaded since the last visit() began, and is complete. */
  traffic(): Promise<Traffic>;
  /** Milliseconds from the request to the first text on the screen. */
  firstPaintMs(): Promise<number>;
  /** Changes the window and what the reader prefers, without loading the page again. */
  show(view: Partial<View>): Promise<void>;
}

export interface View {
  readonly width: number;
  readonly colorScheme: 'light' | 'dark';
  readonly media: 'screen' | 'print';
}

export async function openTab(
  browser: Chromium,
  { width = 1440, height = 900, ...options }: TabOptions = {},
): Promise<Tab> {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: 'light',
    locale: 'en-GB',
    timezoneId: 'UTC',
    ...options,
  });
  onCleanup(() => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  const session = await context.newCDPSession(page);
  const faults = await noteFaults(page, session);
  const traffic = await watchTraffic(session);
  return {
    page,
    faults: faults.lines,
    async visit(url) {
      faults.begin(url);
      traffic.begin();
      const answer = await page.goto(url, { waitUntil: 'load' });
      await faults.settle();
      return answer?.status() ?? 0;
    },
    traffic: () => traffic.sum(),
    firstPaintMs: () =>
      page.evaluate<number>(`new Promise((done) => new PerformanceObserver((seen) => {
        const paint = seen.getEntriesByName('first-contentful-paint')[0];
        if (paint) done(paint.startTime);
      }).observe({ type: 'paint', buffered: true }))`),
    async show({ width: wide, colorScheme, media }) {
      if (wide !== undefined) await page.setViewportSize({ width: wide, height });
      await page.emulateMedia({ ...(colorScheme ? { colorScheme } : {}), ...(media ? { media } : {}) });
    },
  };
}
