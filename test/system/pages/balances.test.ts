// Balances in a real browser: for everybody, with a chart that shows the exact figures and lives through a
// refresh, and without scripts.
import { beforeAll, expect } from 'vitest';
import { openReading } from '../../support/api-source.ts';
import { checkViews } from '../../support/browser/views.ts';
import { browserTest } from '../../support/browser.ts';
import { sampled } from '../../support/form.ts';
import { type RunningServer, startServer } from '../../support/running-server.ts';
import { account, openStore, type Store } from '../../support/store.ts';
import { inZones } from '../../support/time-zone.ts';

let store: Store;
let server: RunningServer;

beforeAll(async () => {
  store = await openStore();
  await store.query(`update custody.accounts set first_seen_at = now() - interval '60 days'`);
  await store.query(inZones('Pacific/Auckland'));
  // Each hour of 40 days but for three days, in which the mirror stood still.
  await store.query(
    `insert into custody.balance_snapshots (account_id, vault_type, snapshot_at, asked_at, answered_at, asset_count, changed_count,
       quarantined_count, run_id)
     select $1, v, at, at, at + interval '1 second', 1, 1, 0, 1
     from generate_series(date_trunc('hour', now()) - interval '40 days', now() - interval '1 minute', interval '1 hour') as at,
       unnest(array['all', 'warm', 'cold']) as v
     where at not between now() - interval '12 days' and now() - interval '9 days'`,
    [account],
  );
  await store.query(
    `insert into custody.balances (account_id, vault_type, asset_id, network_id, asset_name, valid_from, valid_to, unchanged_since,
       total_balance, available_balance, run_id, raw)
     select $1, s.vault_type, 'ETH', 'ETH', 'Ether', s.snapshot_at, lead(s.snapshot_at) over (partition by s.vault_type order by s.snapshot_at),
       s.snapshot_at, 1000.000000000000000001 + row_number() over (partition by s.vault_type order by s.snapshot_at), 1, 1, '{}'
     from custody.balance_snapshots s where extract(hour from s.snapshot_at) in (3, 15)
       or s.snapshot_at = (select min(snapshot_at) from custody.balance_snapshots)`,
    [account],
  );
  await store.query(
    `insert into custody.asset_prices (account_id, asset_id, currency, as_of, price) values ($1, 'ETH', 'USD', now() - interval '1 day', 3400.5)`,
    [account],
  );
  server = await startServer({ reading: openReading(store.url), account });
});

browserTest('a chart narrows with the window', async (browser) => {
  // The values of the days are computed in the background.
  const text = async () => await (await server.get('/')).text();
  await expect.poll(text, { interval: 1_000 }).not.toMatch(/being checked|being computed/i);
  const { page, visit } = await browser.open();
  await visit(`${server.url}/`);
  await page.locator('.plot canvas').waitFor();
  await page.setViewportSize({ width: 320, height: 900 });
  await expect.poll(() => page.evaluate<number>('document.documentElement.scrollWidth')).toBe(320);
});

browserTest(
  'both pages are for everybody, small, and load nothing from elsewhere',
  async (browser) => {
    const tab = await browser.open();
    await store.query(
      `insert into sync.seal_checkpoints (account_id, tree_size, last_change_id, note, signed_at)
       select $1, 1234567, max(change_id), '', now() from custody.balance_snapshots`,
      [account],
    );
    const sealed = new Date(Date.now() - 20 * 86_400_000).toISOString();
    const pages = [
      ['balances', '/balances'],
      ['balances-at', `/balances?at=${sealed}`],
      ['asset', '/balances/assets/ETH'],
    ] as const;
    for (const [name, path] of sampled(pages, { every: 2 })) {
      expect(await tab.visit(`${server.url}${path}`)).toBe(200);
      expect(await checkViews(tab, name)).toEqual([]);
      expect(tab.faults).toEqual([]);
      expect((await tab.traffic()).gzippedBytes).toBeLessThan(100_000);
    }
  },
  180_000,
);

browserTest('an asset is one line of the table, however long its name is', async (browser) => {
  const { page, ...tab } = await browser.open();
  const name = `Wrapped ${'liquid staked governance '.repeat(8)}token`;
  await store.query(`update custody.balances set asset_name = $1`, [name]);
  await page.setViewportSize({ width: 1440, height: 900 });
  expect(await tab.visit(`${server.url}/balances`)).toBe(200);
  await store.query(`update custody.balances set asset_name = 'Ether'`);
  const row = page.locator('#balances tbody tr').first();
  expect(Math.round((await row.boundingBox())?.height ?? 0)).toBe(40);
  // The table begins in the upper half of the screen.
  expect((await row.boundingBox())?.y).toBeLessThan(400);
  const cell = row.locator('td').first();
  expect(await cell.evaluate((td) => td.scrollWidth > td.clientWidth)).toBe(true);
  expect(await cell.getAttribute('title')).toBe(`${name} ETH`);
  // The page itself does not scroll sideways.
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  expect(tab.faults).toEqual([]);
});

browserTest(
  'the chart shows the exact figure below the pointer, and a refresh keeps its canvas and what is opened',
  async (browser) => {
    const { page, ...tab } = await browser.open();
    await tab.visit(`${server.url}/balances/assets/ETH`);
    await page.locator('.plot canvas').waitFor();
    await page.locator('.u-over').hover({ position: { x: 40, y: 40 } });
    const shown = () => page.locator('.u-legend .u-value').allTextContents();
    expect((await shown())[1]).toMatch(/^1,\d{3}\.0{17}1$/);
    await page.locator('#history-figures summary').click();
    expect(await page.locator('#history-figures').textContent()).toContain('not observed until');
    await page.evaluate(`document.querySelector('.plot canvas').dataset.mine = 'yes'`);
    await store.query(
      `update custody.balances set total_balance = 5000 where valid_to is null and vault_type = 'all'`,
    );
    // Hidden and shown again, the page asks at once.
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
    await expect
      .poll(() => page.locator('#history-figures tbody tr').last().textContent())
      .toContain('5,000');
    expect(await page.locator('.plot canvas[data-mine=yes]').count()).toBe(1);
    expect(await page.locator('#history-figures').getAttribute('open')).not.toBe(null);
    expect(tab.faults).toEqual([]);
    // The chart shows what the table does: the latest figure is at its right end.
    const width = await page.locator('.u-over').evaluate((plot) => plot.clientWidth);
    await page.locator('.u-over').hover({ position: { x: width - 1, y: 40 } });
    expect((await shown())[1]).toMatch(/^5,000/);
  },
  120_000,
);

browserTest('a chart marks the movements on its axis of time', async (browser) => {
  const { page, ...tab } = await browser.open();
  await tab.visit(`${server.url}/balances/assets/ETH`);
  await page.locator('.plot canvas').waitFor();
  /** Pixels of the colour of the axis in the lowest eight lines of the plot. */
  const marked = `(() => {
    const canvas = document.querySelector('.plot canvas');
    const scale = canvas.width / canvas.clientWidth;
    const [all, plot] = [canvas, document.querySelector('.u-over')].map((each) => each.getBoundingClientRect());
    const { data } = canvas.getContext('2d').getImageData((plot.left - all.left) * scale,
      (plot.bottom - all.top - 8) * scale, plot.width * scale, 8 * scale);
    const color = getComputedStyle(document.querySelector('thead th')).color.match(/\\d+/g).map(Number);
    return data.filter((_, at) => at % 4 === 0 && color.every((each, part) => data[at + part] === each)).length;
  })()`;
  await expect.poll(() => page.evaluate<number>(marked)).toBeGreaterThan(100);
});

browserTest(
  'a chart shows its whole time, also after the window became narrow, and words are not torn',
  async (browser) => {
    const tab = await browser.open();
    await tab.visit(`${server.url}/balances/assets/ETH`);
    await tab.page.locator('.plot canvas').waitFor();
    /** By how much the drawing is wider than its place, which hides the rest: the latest figures. */
    const hidden = () =>
      tab.page.evaluate<number>(`(() => {
      const plot = document.querySelector('.plot');
      return plot.querySelector('.u-wrap').getBoundingClientRect().right - plot.getBoundingClientRect().right;
    })()`);
    for (const width of [1440, 768, 360]) {
      await tab.show({ width });
      await expect.poll(hidden).toBeLessThanOrEqual(0);
    }
    await tab.show({ width: 700 });
    await tab.visit(`${server.url}/balances`);
    // The column is as wide as the word, rather than two letters wide.
    const lines = () =>
      tab.page.evaluate<number>(`document.querySelector('tbody td a').getClientRects().length`);
    expect(await lines()).toBe(1);
  },
);

browserTest('on paper every column is there, dark on light', async (browser) => {
  const tab = await browser.open({ colorScheme: 'dark', width: 1032 });
  await tab.visit(`${server.url}/balances?vault_type=cold`);
  await tab.show({ media: 'print' });
  expect(
    await tab.page.evaluate<boolean>(
      `document.querySelector('.table').scrollWidth <= document.querySelector('.table').clientWidth`,
    ),
  ).toBe(true);
  expect(await tab.page.evaluate<string>(`getComputedStyle(document.body).color`)).toBe('rgb(22, 27, 36)');
  expect(await tab.page.locator('.printed').textContent()).toContain('/balances?vault_type=cold');
});

browserTest('without scripts the figures are there as a table, and no empty chart', async (browser) => {
  const { page, ...tab } = await browser.open({ javaScriptEnabled: false });
  await tab.visit(`${server.url}/balances/assets/ETH?vault_type=all`);
  await page.locator('#history-figures summary').click();
  expect(await page.locator('#history-figures tbody tr').count()).toBeGreaterThan(20);
  expect(await page.locator('.plot').isVisible()).toBe(false);
});
