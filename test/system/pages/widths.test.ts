// No page scrolls sideways, whatever its parameters and however wide its window: a table that needs more room
// scrolls alone. Parameters are those that links name, and each field of each form; WIDTHS_SEED draws the same
// widths and themes again.
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { openReading } from '../../support/api-source.ts';
import { longBrowserTest } from '../../support/browser/long.ts';
import { sticksOut } from '../../support/browser/views.ts';
import { browserTest } from '../../support/browser.ts';
import { sized } from '../../support/form.ts';
import { startServer } from '../../support/running-server.ts';
import { mirrorOfJune } from '../dashboards/june.ts';

const widths = Array.from({ length: 51 }, (_, index) => 320 + index * 32);

const days = 'day_from=2026-06-16&day_to=2026-06-19';
/** What leads to the days of June, which no link does from a present that is later. */
const ofJune = [`/reconciliation?${days}`, '/movements?settled_from=2026-06-08', '/'];

const seed = sized({ short: 0, long: Date.now() % 1_000_000 }, 'WIDTHS_SEED');
/** How figures are shown, and the theme. */
const ways = [
  ['short', 'light'],
  ['all', 'dark'],
  ['short', 'dark'],
  ['all', 'light'],
] as const;

/** Pages with values in a currency, and with many figures. */
const valued = [
  ...ofJune,
  '/balances',
  '/balances?compare=2026-06-16',
  '/balances/assets/BTC',
  '/balances/fees?day_from=2026-06-01',
  '/transactions',
];

async function serveJune(change = 'select'): Promise<string> {
  const mirror = await mirrorOfJune();
  await mirror.query(change);
  return (await startServer({ reading: openReading(mirror.url), account: 'default' })).url;
}

/** The tables of a page that scroll alone, a line each. */
function scrolling(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`[...document.querySelectorAll('.table')].flatMap((box) =>
    box.scrollWidth > box.clientWidth + 1 ? [box.innerText.slice(0, 60) + box.scrollWidth + ' in ' + box.clientWidth] : [])`);
}

longBrowserTest(
  `no page scrolls sideways at any width, whatever its parameters, figures and names (WIDTHS_SEED=${seed})`,
  async (browser) => {
    const url = await serveJune(grown);
    const { page, visit, show } = await browser.open();
    const found: string[] = [];
    const seen = new Set<string>();
    /** At every so-manieth width. @returns the status of the answer */
    const look = async (path: string, way: (typeof ways)[number], every: number): Promise<number> => {
      const [digits, colorScheme] = way;
      await page.context().addCookies([{ name: 'digits', value: digits, url }]);
      await show({ width: 1440, colorScheme });
      const status = await visit(url + path);
      const from = seen.size + seed + ways.indexOf(way);
      for (const width of widths.filter((_, index) => (index + from) % every === 0)) {
        await page.setViewportSize({ width, height: 900 });
        const [line, ...elements] = await sticksOut({ page });
        if (line !== undefined) found.push(`${path}, ${way.join()}: ${line} ${elements.slice(0, 1)}`);
      }
      return status;
    };
    const linked: string[] = [...ofJune];
    const typed: string[] = [];
    for (;;) {
      const link = linked.shift();
      const path = link ?? typed.shift();
      if (path === undefined) break;
      const marks = marksOf(path);
      if (marks.every((mark) => seen.has(mark))) continue;
      for (const mark of marks) seen.add(mark);
      const drawn = seen.size + seed;
      // Parameters change little: with them one way and some widths will do; without them, every other width.
      const [from, many, every] = path.includes('?') ? [drawn % 4, 1, 8] : [(drawn % 2) * 2, 2, 2];
      for (const way of ways.slice(from, from + many)) {
        const status = await look(path, way, every);
        // What a person types may be refused, on a page as well.
        expect([path, link === undefined && status === 400 ? 200 : status]).toEqual([path, 200]);
      }
      const { links, fields } = await page.evaluate<Record<'links' | 'fields', string[]>>(leadsTo);
      const own = (addresses: readonly string[]) =>
        addresses.filter((href) => href.startsWith(`${url}/`)).map((href) => href.slice(url.length));
      linked.push(
        ...own(links).filter((to) => !/^\/(api|assets|custody|metrics)\b|\.(csv|json|xlsx)\b/.test(to)),
      );
      typed.push(...own(fields));
    }
    expect(found).toEqual([]);
    expect(seen.size).toBeGreaterThan(100);
    expect(seen).toContain('/transactions?amount_from');
  },
  600_000,
);

longBrowserTest('a currency of eighty letters pushes nothing off the page', async (browser) => {
  const url = await serveJune(`update custody.asset_prices set currency = repeat('W', 80)`);
  const { page, visit } = await browser.open();
  const found: string[] = [];
  for (const path of [...valued, '/accounts']) {
    expect(await visit(url + path)).toBe(200);
    for (const width of [320, 1024]) {
      await page.setViewportSize({ width, height: 900 });
      found.push(...(await sticksOut({ page })).map((line) => `${path} at ${width}: ${line}`));
    }
  }
  expect(found).toEqual([]);
});

browserTest('on tablets and laptops each table stands in the window as a whole', async (browser) => {
  const url = await serveJune();
  const { page, visit } = await browser.open();
  const found: string[] = [];
  for (const path of [...valued, '/documents/payments?first_seen_from=2026-06-01T00:00:00Z']) {
    expect(await visit(url + path)).toBe(200);
    for (const width of [768, 1024, 1366, 1920]) {
      await page.setViewportSize({ width, height: 900 });
      found.push(...(await scrolling(page)).map((line) => `${path} at ${width}: ${line}`));
    }
  }
  expect(found).toEqual([]);
});

browserTest(
  'the head of a column of amounts ends where their points stand, and stays in sight',
  async (browser) => {
    const url = await serveJune();
    const { page, visit } = await browser.open();
    for (const [path, most] of [
      [`/reconciliation?${days}&asset_id=ETH`, 5],
      ['/balances', 4],
    ] as const) {
      expect(await visit(url + path)).toBe(200);
      const offBy = await page.evaluate<
        number[]
      >(`[...document.querySelectorAll('th.number')].flatMap((head) => {
      const cells = 'tbody td:nth-child(' + (head.cellIndex + 1) + ') .fraction';
      const points = [...head.closest('table').querySelectorAll(cells)].map((part) => part.getBoundingClientRect().left);
      const words = document.createRange();
      words.selectNodeContents(head);
      return points.map((left) => Math.abs(left - words.getBoundingClientRect().right));
    })`);
      expect(offBy.length).toBeGreaterThan(most);
      expect(Math.max(...offBy), path).toBeLessThan(3);
    }
    expect(await visit(`${url}/transactions`)).toBe(200);
    const top = `scrollTo(0, 600), document.querySelector('thead th').getBoundingClientRect().top`;
    await expect.poll(() => page.evaluate<number>(top)).toBe(48);
  },
);

/** Where links lead, and each field of a form with a value: its last choice, a moment of June, a long word. */
const leadsTo = `(() => {
  const typed = { date: '2026-06-16', 'datetime-local': '2026-06-16T12:00:00' };
  const valueOf = (field) => field.options ? [...field.options].at(-1).value : typed[field.type] ?? 'W'.repeat(60);
  const fieldsOf = (form) => [...form.elements].filter(({ name, type }) => name && type !== 'hidden');
  return {
    links: [...document.links].map(({ href }) => href.replace(/#.*/, '')),
    fields: [...document.forms].flatMap((form) => fieldsOf(form).map((field) =>
      form.action.replace(/[?#].*/, '') + '?' + new URLSearchParams([[field.name, valueOf(field)]]))),
  };
})()`;

/** What a page shows that others may not: the page, and each parameter of it. */
function marksOf(path: string): readonly string[] {
  const { pathname, searchParams } = new URL(path, 'http://site');
  const page = pathname.replace(
    /^(\/(?:transactions|balances\/\w+|documents\/\w+|reconciliation))\/.+$/,
    '$1/*',
  );
  return [page, ...[...searchParams.keys()].map((name) => `${page}?${name}`)];
}

/**
 * Figures with all their decimals, or of fifteen digits; names and words as long as the service may send them,
 * some of them without a place to break.
 */
const grown = `
  begin;
  set local session_replication_role = replica;
  create function june.grown(figure numeric, of text) returns numeric language sql immutable as $$
    select sign(figure) * case hashtext(of) & 1 when 0 then 7345678.123456789012345678 else 123456789012345.5 end $$;
  create function june.long(words text, of text) returns text language sql immutable as $$
    select case hashtext(of) & 2 when 0 then words else replace(words, ' ', '') end $$;
  update custody.transactions set
    amount = june.grown(amount, transaction_id), fee = june.grown(fee, transaction_id),
    status = case hashtext(transaction_id) & 28 when 0 then 'awaiting_review_by_the_compliance_desk_of_the_second_signer' else status end,
    transaction_type = case hashtext(transaction_id) & 28 when 4 then 'redelegation_of_a_position_between_two_validators' else transaction_type end,
    destination_memo = june.long(repeat('A memo ', 20), transaction_id), note = june.long(repeat('A note ', 20), transaction_id),
    asset_name = june.long('A wrapped governance token of a long name', asset_id),
    network_name = june.long('A network of a long name', network_id),
    source_name = june.long(repeat('Operating vault ', 6), transaction_id),
    destination_name = june.long(repeat('Deposit address ', 6), transaction_id);
  update custody.vaults set name = june.long(repeat('Operating vault ', 6), vault_id);
  update custody.whitelist_entries set
    name = june.long(repeat('Deposit address ', 6), entry_id), address = repeat(coalesce(address, 'x'), 3);
  update custody.balances set
    asset_name = june.long('A wrapped governance token of a long name', asset_id),
    network_name = june.long('A network of a long name', network_id),
    total_balance = june.grown(total_balance, asset_id),
    available_balance = june.grown(available_balance, asset_id),
    processing_balance = june.grown(processing_balance, asset_id),
    staking_balance = june.grown(staking_balance, asset_id),
    claimable_balance = june.grown(claimable_balance, asset_id);
  commit`;
