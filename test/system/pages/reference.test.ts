// The reference page of the API in a real browser: for everybody, at every width, without JavaScript, and
// loading nothing from elsewhere.
import { expect } from 'vitest';
import { openReading } from '../../support/api-source.ts';
import { longBrowserTest } from '../../support/browser/long.ts';
import { checkViews } from '../../support/browser/views.ts';
import { browserTest } from '../../support/browser.ts';
import { testDatabase } from '../../support/database.ts';
import { type RunningServer, startServer } from '../../support/running-server.ts';

/** What a page may weigh, in bytes. */
const limit = 100_000;

async function startReference(): Promise<RunningServer> {
  const { url } = await testDatabase();
  return await startServer({ reading: openReading(url) });
}

longBrowserTest(
  'the reference of the API is for everybody, loads nothing more, and is small',
  async (browser) => {
    const { url } = await startReference();
    const tab = await browser.open();
    expect(await tab.visit(`${url}/api`)).toBe(200);
    expect(await checkViews(tab, 'reference')).toEqual([]);
    expect(tab.faults).toEqual([]);
    const { requests, gzippedBytes } = await tab.traffic();
    // With its stylesheet and the font.
    expect(requests).toBe(3);
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
    await expect.poll(async () => (await page.locator('#transactions').boundingBox())?.y).toBeLessThan(60);
    expect(faults).toEqual([]);
  },
);
