// The pages of transactions in a real browser: for everybody, at every width, without JavaScript, small, and
// loading nothing from elsewhere.
import { beforeAll, expect } from 'vitest';
import { hash, ids, openTransactionsWorld } from '../../../packages/pages/test/transactions-world.ts';
import { longBrowserTest } from '../../support/browser/long.ts';
import { checkViews } from '../../support/browser/views.ts';
import { browserTest } from '../../support/browser.ts';
import type { RunningServer } from '../../support/running-server.ts';

let server: RunningServer;

beforeAll(async () => {
  ({ server } = await openTransactionsWorld());
});

longBrowserTest(
  'the pages of transactions are for everybody, and small',
  async (browser) => {
    const tab = await browser.open();
    const pages = {
      transactions: '/transactions',
      'transactions-filtered': '/transactions?amount_from=1&search=salaries',
      'transaction-open': `/transactions/${ids.stuck}`,
      'transaction-done': `/transactions/${ids.done}`,
      'transaction-hostile': `/transactions/${ids.hostile}`,
    };
    for (const [name, path] of Object.entries(pages)) {
      expect(await tab.visit(server.url + path), name).toBe(200);
      expect(await checkViews(tab, name), name).toEqual([]);
      expect(tab.faults, name).toEqual([]);
      const { gzippedBytes } = await tab.traffic();
      expect(gzippedBytes, name).toBeLessThan(100_000);
    }
  },
  120_000,
);

browserTest('filters, the search and the record work without JavaScript', async (browser) => {
  const { page, faults, visit } = await browser.open({ javaScriptEnabled: false, width: 360 });
  await visit(`${server.url}/transactions`);
  await page.getByRole('link', { name: 'Open 2' }).click();
  await page.waitForURL(`${server.url}/transactions?is_open=true`);
  await page.getByText('Filter', { exact: true }).click();
  await page.getByLabel('Amount from').fill('1');
  await page.getByRole('button', { name: 'Show' }).click();
  await page.waitForURL(`${server.url}/transactions?is_open=true&amount_from=1`);
  await page.getByRole('searchbox').fill('ticket 4711');
  await page.keyboard.press('Enter');
  await page.waitForURL(`${server.url}/transactions/${ids.stuck}`);
  expect(await page.getByRole('button', { name: /^Copy/ }).count()).toBe(0);
  await page.getByText('Show the record').click();
  expect(await page.locator('#content pre').isVisible()).toBe(true);
  expect(faults).toEqual([]);
});

browserTest('the key / goes to the search, and Escape closes a menu', async (browser) => {
  const { page, visit } = await browser.open();
  await visit(`${server.url}/transactions`);
  await page.keyboard.press('/');
  await page.keyboard.type('a/b');
  expect(await page.getByRole('searchbox').first().inputValue()).toBe('a/b');
  await page.locator('main .filter > summary').click();
  await page.keyboard.press('Escape');
  expect(await page.locator('.menu[open]').count()).toBe(0);
  expect(await page.locator('main .filter > summary:focus').count()).toBe(1);
});

longBrowserTest('what opens lies within the window', async (browser) => {
  const faults: unknown[] = [];
  for (const width of [320, 375, 768, 1440]) {
    const { page, visit } = await browser.open({ width });
    for (const path of ['/transactions', `/transactions/${ids.done}`, '/documents', '/documents/payments']) {
      await visit(server.url + path);
      for (const summary of await page.locator('main .menu > summary').all()) {
        await summary.click();
        const box = await summary.locator('xpath=following-sibling::*').boundingBox();
        const [left, right] = [box?.x ?? -1, (box?.x ?? 0) + (box?.width ?? 0)];
        if (left < 0 || right > width) faults.push([path, width, await summary.textContent(), left, right]);
        await summary.click();
      }
    }
  }
  expect(faults).toEqual([]);
});

browserTest('what is typed and chosen in the filters stays while figures refresh', async (browser) => {
  const { page, visit } = await browser.open();
  await visit(`${server.url}/transactions?is_open=true`);
  await page.getByText('Filter', { exact: true }).click();
  await page.getByLabel('Status').selectOption('completed');
  await page.getByLabel('Type').selectOption('deposit');
  await page.getByLabel('Asset', { exact: true }).fill('ETH');
  await page.getByRole('searchbox').focus();
  await page.evaluate(`new Promise((done) => {
    document.addEventListener('figures-refreshed', done, { once: true });
    document.dispatchEvent(new Event('visibilitychange'));
  })`);
  expect(await page.getByLabel('Status').inputValue()).toBe('completed');
  expect(await page.getByLabel('Type').inputValue()).toBe('deposit');
  expect(await page.getByLabel('Asset', { exact: true }).inputValue()).toBe('ETH');
  await page.getByRole('button', { name: 'Show' }).click();
  await page.waitForURL(
    `${server.url}/transactions?is_open=true&status=completed&transaction_type=deposit&asset_id=ETH`,
  );
});

browserTest(
  'what people take elsewhere has a button that copies it, also after a refresh',
  async (browser) => {
    const { page, visit } = await browser.open();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await visit(`${server.url}/transactions/${ids.done}`);
    await page.evaluate(`new Promise((done) => {
    document.addEventListener('figures-refreshed', done, { once: true });
    document.dispatchEvent(new Event('visibilitychange'));
  })`);
    expect(await page.getByRole('button', { name: 'Copy: Hash' }).count()).toBe(1);
    for (const [name, text] of [
      ['Hash', hash],
      ['Amount', '1250.500000000000000001'],
    ]) {
      await page.getByRole('button', { name: `Copy: ${name}` }).click();
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(text);
    }
  },
);

browserTest('the groups of a transaction begin level, and each below the one above it', async (browser) => {
  const { page, visit } = await browser.open();
  await visit(`${server.url}/transactions/${ids.done}`);
  const boxOf = async (heading: string) => {
    const name = { name: heading, exact: true };
    const box = await page.locator('section', { has: page.getByRole('heading', name) }).boundingBox();
    const top = (await page.getByRole('heading', name).boundingBox())?.y ?? 0;
    return { top: Math.round(top), end: Math.round((box?.y ?? 0) + (box?.height ?? 0)) };
  };
  for (const width of [1440, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    const [timeline, what, parties] = await Promise.all(['Timeline', 'What', 'From and to'].map(boxOf));
    expect([width, what?.top, parties?.top]).toEqual([width, timeline?.top, timeline?.top]);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  expect((await boxOf('When')).top - (await boxOf('What')).end).toBeLessThan(32);
});
