// No page scrolls sideways, whatever its parameters and however wide its window: a table that needs more room
// scrolls alone.
import { expect } from 'vitest';
import { openReading } from '../../support/api-source.ts';
import { longBrowserTest } from '../../support/browser/long.ts';
import { sticksOut } from '../../support/browser/views.ts';
import { browserTest } from '../../support/browser.ts';
import { startServer } from '../../support/running-server.ts';
import { mirrorOfJune } from '../dashboards/june.ts';

const widths = Array.from({ length: 51 }, (_, index) => 320 + index * 32);

const days = 'day_from=2026-06-16&day_to=2026-06-19';
/** What leads to the days of June, which no link does from a present that is later. */
const ofJune = [`/reconciliation?${days}`, '/movements?settled_from=2026-06-08', '/'];

longBrowserTest(
  'no page that links lead to scrolls sideways at any width, whatever the figures and names',
  async (browser) => {
    const mirror = await mirrorOfJune();
    await mirror.query(grown);
    const { url } = await startServer({ reading: openReading(mirror.url), account: 'default' });
    const { page, visit } = await browser.open();
    const found: string[] = [];
    const seen = new Set<string>();
    const toVisit = [...ofJune];
    for (let path = toVisit.shift(); path !== undefined; path = toVisit.shift()) {
      const marks = marksOf(path);
      if (marks.every((mark) => seen.has(mark))) continue;
      for (const mark of marks) seen.add(mark);
      for (const [way, digits] of ['short', 'all'].entries()) {
        await page.context().addCookies([{ name: 'digits', value: digits, url }]);
        await page.setViewportSize({ width: 1440, height: 900 });
        expect([path, await visit(url + path)]).toEqual([path, 200]);
        // Parameters change little: with them some widths will do; without them, every other one in each way.
        const every = path.includes('?') ? 8 : 2;
        for (const width of widths.filter((_, index) => (index + way + seen.size) % every === 0)) {
          await page.setViewportSize({ width, height: 900 });
          const [line, ...elements] = await sticksOut({ page });
          if (line !== undefined) found.push(`${path}, ${digits}: ${line} ${elements.slice(0, 1)}`);
        }
      }
      const links = await page.evaluate<string[]>(
        `[...document.links].map(({ href }) => href.replace(/#.*/, ''))`,
      );
      const own = links.filter((href) => href.startsWith(`${url}/`)).map((href) => href.slice(url.length));
      toVisit.push(
        ...own.filter((link) => !/^\/(api|assets|custody|metrics)\b|\.(csv|json|xlsx)\b/.test(link)),
      );
    }
    expect(found).toEqual([]);
    expect(seen.size).toBeGreaterThan(40);
  },
  600_000,
);

browserTest(
  'the head of a column of amounts ends where their points stand, and stays in sight',
  async (browser) => {
    const mirror = await mirrorOfJune();
    const { url } = await startServer({ reading: openReading(mirror.url), account: 'default' });
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

/** What a page shows that others may not: the page, and each parameter of it. */
function marksOf(path: string): readonly string[] {
  const { pathname, searchParams } = new URL(path, 'http://site');
  const page = pathname.replace(
    /^(\/(?:transactions|balances\/\w+|documents\/\w+|reconciliation))\/.+$/,
    '$1/*',
  );
  return [page, ...[...searchParams.keys()].map((name) => `${page}?${name}`)];
}

/** Figures with all their decimals, or of fifteen digits, and names as long as the service may send them. */
const grown = `
  begin;
  set local session_replication_role = replica;
  create function june.grown(figure numeric, of text) returns numeric language sql immutable as $$
    select sign(figure) * case hashtext(of) & 1 when 0 then 7345678.123456789012345678 else 123456789012345.5 end $$;
  update custody.transactions set
    amount = june.grown(amount, transaction_id), fee = june.grown(fee, transaction_id),
    asset_name = 'A wrapped governance token of a long name', network_name = 'A network of a long name',
    source_name = repeat('Operating vault ', 6), destination_name = repeat('Deposit address ', 6);
  update custody.balances set
    asset_name = 'A wrapped governance token of a long name', network_name = 'A network of a long name',
    total_balance = june.grown(total_balance, asset_id),
    available_balance = june.grown(available_balance, asset_id),
    processing_balance = june.grown(processing_balance, asset_id),
    staking_balance = june.grown(staking_balance, asset_id),
    claimable_balance = june.grown(claimable_balance, asset_id);
  commit`;
