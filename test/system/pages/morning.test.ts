// Fourteen questions of a morning, each asked of the demo from the overview: none takes more than two clicks.
import { expect } from 'vitest';
import { longBrowserTest } from '../../support/browser/long.ts';
import type { Browser } from '../../support/browser.ts';
import { startDemo } from '../../support/demo.ts';
import { waitFor } from '../../support/wait-for.ts';

interface Morning {
  /** What the page says. */
  text(): Promise<string>;
  /** The address, without the host. */
  address(): string;
  click(selector: string): Promise<void>;
  /** Types into the search or a field, and sends it. */
  type(selector: string, text: string): Promise<void>;
  /** Follows the link by which a file is loaded. */
  download(selector: string): Promise<string>;
  rows(selector?: string): Promise<readonly string[]>;
}

type Task = readonly [question: string, clicks: number, answer: (morning: Morning) => Promise<void>];

const money = /\$[\d,]+\.\d\d/;

const tasks: readonly Task[] = [
  [
    'all money and its value',
    0,
    async ({ text, rows }) => {
      expect(await text()).toMatch(new RegExp(`Total value ${money.source}`));
      expect((await rows('#holdings tbody tr')).length).toBe(10);
    },
  ],
  [
    'what changed since yesterday',
    1,
    async ({ text, click }) => {
      expect(await text()).toMatch(/[+-]?\$[\d,]+\.\d\d \([+-][\d.,]+ %\) since the end of yesterday/);
      await click('a:text-is("by asset")');
      expect(await text()).toContain('Change in value');
    },
  ],
  [
    'which withdrawals are stuck, and since when',
    1,
    async ({ click, rows }) => {
      await click('#attention li:has-text("stuck") a');
      const stuck = await rows();
      expect(stuck.length).toBeGreaterThan(0);
      for (const row of stuck) expect(row).toMatch(/\d+ days?|\d+ h/);
    },
  ],
  [
    'the holdings of the end of last month with their value, as a file',
    2,
    async ({ click, download }) => {
      await click('summary:has-text("Export holdings")');
      const csv = await download('a[aria-label="Holdings at the end of last month as CSV"]');
      expect(csv).toMatch(/^\uFEFFasset_id,/);
      expect(csv.split('\r\n')[0]).toContain('total_value');
      expect(csv.split('\r\n').length).toBeGreaterThan(20);
    },
  ],
  [
    'payments to non-whitelisted destinations this week',
    1,
    async ({ click, text }) => {
      await click('#attention li:has-text("not whitelisted") a');
      expect(await text()).toMatch(/1 payment to non-whitelisted destinations/);
    },
  ],
  [
    'what explains the difference of an asset',
    2,
    async ({ click, text }) => {
      await click('#attention li:has-text("unexplained") a');
      await click('main a[href^="/reconciliation/2"]');
      expect(await text()).toMatch(/Opening balance .* Closing balance/);
    },
  ],
  [
    'a transaction by its pasted hash',
    0,
    async ({ type, address, text }) => {
      await type('header input[type=search]', await someHash());
      expect(address()).toMatch(/^\/transactions\/[^?]/);
      expect(await text()).toContain('Timeline');
    },
  ],
  [
    'the fees of this month by asset',
    1,
    async ({ click, rows, text }) => {
      await click('a:has-text("Fees of this month by asset")');
      // On the first of a month nothing may have been paid yet, and the page says so.
      const paid = (await rows()).length;
      expect(await text()).toMatch(
        paid === 0 ? /No transaction of these days had a fee/ : /Fees by asset .* Paid in/,
      );
    },
  ],
  ['what lies warm and what cold', 0, async ({ text }) => expect(await text()).toMatch(/Warm \$.* Cold \$/)],
  [
    'what is staked and what can be claimed',
    0,
    async ({ text }) => expect(await text()).toMatch(/Staked \$.* Claimable \$/),
  ],
  [
    'whether the figures can be trusted, and as of when',
    1,
    async ({ text, click }) => {
      // One vault of the demo cannot be read.
      expect(await text()).toMatch(/Vaults not verified since \w+/);
      await click('#freshness summary');
      expect(await text()).toMatch(/Balances as of .* verified complete/);
    },
  ],
  [
    'what was known at the end of yesterday',
    1,
    async ({ text, click }) => {
      await click('a:text-is("end of yesterday")');
      expect(await text()).toMatch(/At the end of \w+day \d+ \w+ \d{4}/);
    },
  ],
  [
    'two moments side by side',
    2,
    async ({ click, text, rows }) => {
      await click('a:text-is("by asset")');
      await click('summary:has-text("compare")');
      expect(await text()).toMatch(/From the end of .* to now/);
      expect((await rows()).length).toBeGreaterThan(20);
    },
  ],
  [
    'the same page for who gets its link',
    1,
    async ({ click, address, text }) => {
      await click('a:text-is("end of yesterday")');
      const first = await text();
      const other = await open();
      await other.visit(address());
      expect(valueIn(await other.text())).toBe(valueIn(first));
    },
  ],
];

let url = '';
let open: () => Promise<Morning & { visit(path: string): Promise<void>; readonly clicks: () => number }>;

const valueIn = (text: string) => /Total value (\S+)/.exec(text)?.[1];

longBrowserTest(
  'the questions of a morning are answered within two clicks',
  async (browser) => {
    url = await startDemo();
    open = () => openMorning(browser);
    const whole = async () => !/being (checked|computed)/.test(await (await fetch(url)).text());
    await waitFor(whole, { what: 'the whole overview' });
    const failed: string[] = [];
    for (const [question, most, answer] of tasks) {
      const morning = await open();
      await morning.visit('/');
      await answer(morning).catch((error: unknown) => failed.push(`${question}: ${String(error)}`));
      if (morning.clicks() > most || most > 2) failed.push(`${question}: ${morning.clicks()} clicks`);
    }
    expect(failed).toEqual([]);
  },
  600_000,
);

async function someHash(): Promise<string> {
  const answer = await fetch(`${url}/api/v1/transactions?is_open=false&limit=200`);
  const { data } = (await answer.json()) as { data: { txn_hash: string | null }[] };
  return data.find(({ txn_hash }) => txn_hash)?.txn_hash ?? '';
}

async function openMorning(browser: Browser) {
  const { page, visit } = await browser.open();
  let clicks = 0;
  page.setDefaultTimeout(10_000);
  const morning: Awaited<ReturnType<typeof open>> = {
    clicks: () => clicks,
    visit: async (path) => {
      expect([path, await visit(url + path)]).toEqual([path, 200]);
    },
    text: async () => (await page.locator('body').innerText()).replace(/\s+/g, ' '),
    address: () => page.url().slice(url.length),
    rows: async (selector = 'main tbody tr') => await page.locator(selector).allInnerTexts(),
    async click(selector) {
      clicks += 1;
      await page.locator(selector).first().click();
      await page.waitForLoadState('load');
    },
    async type(selector, text) {
      await page.locator(selector).fill(text);
      await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')]);
    },
    async download(selector) {
      clicks += 1;
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.locator(selector).first().click(),
      ]);
      expect(file.suggestedFilename()).toMatch(/^custody-mirror-default-.*\d{4}-\d\d-\d\d.*\.csv$/);
      const stream = await file.createReadStream();
      return (await stream.toArray()).join('');
    },
  };
  return morning;
}
