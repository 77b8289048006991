// The pages of the mirror in a real browser: for everybody, small, without JavaScript, and refreshed in
// place.
import { beforeAll, expect } from 'vitest';
import { walkByTab } from '../../support/browser/keyboard.ts';
import { checkViews } from '../../support/browser/views.ts';
import { browserTest } from '../../support/browser.ts';
import { sampled } from '../../support/form.ts';
import type { Mirror } from '../../support/mirror.ts';
import { type Site, startSite } from '../../support/site.ts';
import { openTroubledMirror } from '../../support/troubled-mirror.ts';

/** What a page may weigh with all that it loads, in bytes. */
const limit = 100_000;
const pages = {
  sync: '/sync',
  runs: '/sync/runs',
  quarantine: '/sync/quarantine?resolved=false',
  anomalies: '/sync/anomalies',
  refused: '/sync/runs?job=x&at=yesterday',
};

let mirror: Mirror;
let site: Site;

beforeAll(async () => {
  mirror = await openTroubledMirror();
  site = await startSite(mirror.url, { of: 'default' });
});

browserTest(
  'the pages of the mirror are for everybody, load nothing from elsewhere, and are small',
  async (browser) => {
    const { url } = site;
    const tab = await browser.open();
    for (const [name, path] of sampled(Object.entries(pages), { every: 2 })) {
      expect([path, await tab.visit(url + path)]).toEqual([path, name === 'refused' ? 400 : 200]);
      if (name === 'quarantine') await tab.page.locator('td summary').first().click();
      expect(await checkViews(tab, name)).toEqual([]);
      // The answer that refuses is no fault of the page.
      expect(tab.faults.filter((line) => !(name === 'refused' && /^(http|console)/.test(line)))).toEqual([]);
      expect([path, (await tab.traffic()).gzippedBytes < limit]).toEqual([path, true]);
    }
  },
);

browserTest('a run takes one line', async (browser) => {
  const tab = await browser.open({ width: 1440 });
  await tab.visit(`${site.url}/sync/runs`);
  const heights = await tab.page
    .locator('tbody tr')
    .evaluateAll((rows) => rows.map((row) => row.clientHeight));
  expect(heights.length).toBeGreaterThan(3);
  expect(Math.max(...heights)).toBeLessThan(43);
});

browserTest('the verdict of a run is whole in a window of any width', async (browser) => {
  const { page, visit } = await browser.open();
  await visit(`${site.url}/sync/runs`);
  for (const width of [320, 641, 704, 768, 832, 896, 960, 1023, 1024, 1088, 1152, 1216, 1280, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    const cut = await page.locator('#runs td .pill').evaluateAll((badges) =>
      badges
        .filter((badge) => {
          const cell = badge.closest('td')?.getBoundingClientRect();
          return cell !== undefined && badge.getBoundingClientRect().right > cell.right;
        })
        .map((badge) => badge.textContent),
    );
    expect([width, cut]).toEqual([width, []]);
  }
});

browserTest(
  'without JavaScript filters, links and details work, and so does the keyboard',
  async (browser) => {
    const { url } = site;
    const tab = await browser.open({ javaScriptEnabled: false, width: 360 });
    await tab.visit(`${url}/sync`);
    await tab.page.getByRole('link', { name: 'Records that could not be read', exact: true }).click();
    await tab.page.locator('.filter > summary').click();
    await tab.page.getByLabel('List').selectOption('vaults');
    await tab.page.getByLabel('State').selectOption('resolved');
    await tab.page.getByRole('button', { name: 'Show' }).click();
    expect(new URL(tab.page.url()).search).toBe('?resource=vaults&resolved=true');
    await tab.page.locator('td summary').first().click();
    await expect
      .poll(() => tab.page.locator('pre').first().innerText())
      .toContain('<script>alert(1)</script>');
    const walking = await browser.open();
    await walking.visit(`${url}/sync`);
    const walked = await walkByTab(walking);
    expect(walked[0]?.name).toBe('Skip to the content');
    expect(walked.filter(({ isShown }) => !isShown)).toEqual([]);
  },
);

browserTest(
  'figures are refreshed in place: what is opened stays open, and a pause holds',
  async (browser) => {
    const { url } = site;
    const { page, visit } = await browser.open();
    await page.clock.install();
    await visit(`${url}/sync/quarantine?resource=transactions`);
    await page.locator('td summary').first().click();
    await mirror.query(`update sync.quarantine set reason = 'another reason'`);
    await page.clock.fastForward(16_000);
    await expect.poll(() => page.locator('td').allInnerTexts().then(String)).toContain('another reason');
    expect(await page.locator('td details[open]').count()).toBe(1);
    await page.getByRole('button', { name: 'Pause refreshing' }).click();
    await mirror.query(`update sync.quarantine set reason = 'a third reason'`);
    await page.clock.fastForward(60_000);
    expect(String(await page.locator('td').allInnerTexts())).toContain('another reason');
    await page.getByRole('button', { name: 'Resume refreshing' }).click();
    await expect.poll(() => page.locator('td').allInnerTexts().then(String)).toContain('a third reason');
  },
);
