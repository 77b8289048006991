// What a real browser makes of hostile text on every page, and of pages of another site that reach for ours.
import { createServer } from 'node:http';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { snapshotBalances } from '../../../src/sync/jobs/balances.ts';
import { mirrorVaults, mirrorWhitelist } from '../../../src/sync/jobs/documents.ts';
import { syncTransactions } from '../../../src/sync/jobs/transactions.ts';
import { longBrowserTest } from '../../support/browser/long.ts';
import { browserTest } from '../../support/browser.ts';
import { hostileTexts, insertHostileTransactions } from '../../support/hostile-texts.ts';
import { listening } from '../../support/listening.ts';
import { openMirror } from '../../support/mirror.ts';
import { type Site, startSite } from '../../support/site.ts';

longBrowserTest(
  'text of the service runs nothing and loads nothing on any page that links lead to',
  async (browser) => {
    const site = await startSite((await hostileMirror()).url, { of: 'default' });
    const tab = await browser.open();
    const dialogs: string[] = [];
    tab.page.on('dialog', (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    const faults: string[] = [];
    const seen = new Map<string, string>();
    const toVisit = ['/'];
    for (let path = toVisit.pop(); path !== undefined; path = toVisit.pop()) {
      const shape = shapeOf(path);
      if (seen.has(shape)) continue;
      seen.set(shape, path);
      expect([path, await tab.visit(site.url + path)]).toEqual([path, 200]);
      faults.push(...tab.faults);
      expect(await tab.page.locator('script:not([src^="/assets/"])').count(), path).toBe(0);
      expect(await tab.page.locator('[onerror], a[href^="javascript:" i]').count(), path).toBe(0);
      toVisit.push(...(await linksOf(tab.page, site.url)));
    }
    expect(faults).toEqual([]);
    expect(dialogs).toEqual([]);
    expect([...seen.keys()]).toEqual(
      expect.arrayContaining([
        '/transactions',
        '/transactions/*',
        '/documents/vaults/*',
        '/documents/whitelist/*',
        '/sync/quarantine',
      ]),
    );
  },
);

browserTest('a page of another site gets nothing but a link that a person follows', async (browser) => {
  const site = await startSite((await openMirror({ transactions: 5 })).url, { of: 'default' });
  const attacker = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(
      `<title>elsewhere</title><a href="${site.url}/sync">sync</a><iframe src="${site.url}/"></iframe>
      <img src="${site.url}/status.json"><script src="${site.url}/status.json"></script>
      <link rel="stylesheet" href="${site.url}/assets/style.css">`,
    );
  });
  const { port } = await listening(attacker);
  const tab = await browser.open();
  // By another name of this machine: the browser takes it for another site.
  await tab.visit(`http://localhost:${port}/`);
  const read = await tab.page.evaluate(async (url) => {
    const asked = [fetch(`${url}/api/v1/balances`, { mode: 'no-cors' }), fetch(`${url}/api/v1/balances`)];
    return (await Promise.allSettled(asked)).map(({ status }) => status);
  }, site.url);
  expect(read).toEqual(['rejected', 'rejected']);
  // The image, the script, the style sheet, the frame and both of the script's: each was refused.
  await expect.poll(async () => await answered(site)).toEqual({ 403: 6 });

  // A window that the other site opened is no longer its own.
  const [opened] = await Promise.all([
    tab.page.context().waitForEvent('page'),
    tab.page.evaluate(`opened = open('${site.url}/sync'); null`),
  ]);
  await opened.waitForLoadState();
  expect(await opened.title()).toContain('Sync');
  expect(await opened.evaluate('opener === null')).toBe(true);
  expect(await tab.page.evaluate('opened.closed')).toBe(true);

  await tab.page.getByRole('link', { name: 'sync' }).click();
  await tab.page.waitForURL(`${site.url}/sync`);
  expect(await tab.page.title()).toContain('Sync');
});

async function hostileMirror() {
  const mirror = await openMirror({ transactions: 20, whitelistEntries: 4 });
  const { world } = mirror.sandbox;
  // The address of a page holds an identifier of at most 500 characters.
  const longestId = 200;
  insertHostileTransactions(world, longestId);
  for (const [index, text] of hostileTexts.entries()) {
    const id = text.slice(0, longestId);
    // No amount at all: the reason of a quarantine quotes it.
    world.insertTransaction('head', { transactionId: `odd-${index}`, amount: text });
    world.addVault({ vaultId: `${id}-vault-${index}`, vaultType: 'warm', name: text });
    world.addWhitelistEntry({ whitelistId: `${id}-entry-${index}`, name: text });
  }
  await syncTransactions(mirror.context, { full: true });
  await snapshotBalances(mirror.context);
  await mirrorVaults(mirror.context);
  await mirrorWhitelist(mirror.context);
  return mirror;
}

/** Pages of one kind look alike, but for the rows that they show: each hostile row is looked at. */
function shapeOf(path: string): string {
  const { pathname } = new URL(path, 'http://site');
  return /%|__proto__/.test(pathname)
    ? pathname
    : pathname.replace(/^(\/(?:transactions|balances|documents\/\w+|reconciliation))\/.+$/, '$1/*');
}

/** The pages that a page links to, without their queries. */
async function linksOf(page: Page, url: string): Promise<readonly string[]> {
  const hrefs = await page.evaluate<string[]>(`[...document.links].map(({ href }) => href)`);
  const own = hrefs.filter((href) => href.startsWith(`${url}/`)).map((href) => new URL(href).pathname);
  return [...new Set(own)].filter(
    (path) => !/^\/(api|assets|custody|metrics)\b|\.(csv|json|xlsx)$/.test(path),
  );
}

/** How many requests were answered with each status. */
async function answered({ metrics }: Site): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {};
  for (const { labels, value } of (await metrics.httpRequests.get()).values)
    counts[`${labels['status']}`] = (counts[`${labels['status']}`] ?? 0) + value;
  return counts;
}
