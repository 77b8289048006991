// No page scrolls sideways, whatever its parameters and however wide its window: a table that needs more room
// scrolls alone.
import { expect } from 'vitest';
import { openReading } from '../../support/api-source.ts';
import { sticksOut } from '../../support/browser/views.ts';
import { browserTest } from '../../support/browser.ts';
import { isLong } from '../../support/form.ts';
import { startServer } from '../../support/running-server.ts';
import { mirrorOfJune } from '../dashboards/june.ts';

const widths = Array.from({ length: 51 }, (_, index) => 320 + index * 32);

browserTest(
  'no page that links lead to scrolls sideways at any width',
  async (browser) => {
    const mirror = await mirrorOfJune();
    const { url } = await startServer({ reading: openReading(mirror.url), account: 'default' });
    const { page, visit } = await browser.open();
    const found: string[] = [];
    const seen = new Set<string>();
    const toVisit = ['/'];
    for (let path = toVisit.shift(); path !== undefined; path = toVisit.shift()) {
      const marks = marksOf(path);
      if (marks.every((mark) => seen.has(mark))) continue;
      for (const mark of marks) seen.add(mark);
      await page.setViewportSize({ width: 1440, height: 900 });
      expect([path, await visit(url + path)]).toEqual([path, 200]);
      const links = await page.evaluate<string[]>(`[...document.links].map(({ href }) => href)`);
      const own = links.filter((href) => href.startsWith(`${url}/`)).map((href) => href.slice(url.length));
      toVisit.push(
        ...own.filter((link) => !/^\/(api|assets|custody|metrics)\b|\.(csv|json|xlsx)\b/.test(link)),
      );
      // Parameters change little: with them some widths will do.
      const isWhole = isLong && !path.includes('?');
      for (const width of isWhole ? widths : widths.filter((_, index) => (index + seen.size) % 8 === 0)) {
        await page.setViewportSize({ width, height: 900 });
        const [line, ...elements] = await sticksOut({ page });
        if (line !== undefined) found.push(`${path}: ${line} ${elements.slice(0, 1)}`);
      }
    }
    expect(found).toEqual([]);
    expect(seen.size).toBeGreaterThan(isLong ? 40 : 15);
  },
  600_000,
);

/** What a page shows that others may not: the page, and in the long form each parameter of it. */
function marksOf(path: string): readonly string[] {
  const { pathname, searchParams } = new URL(path, 'http://site');
  const page = pathname.replace(
    /^(\/(?:transactions|balances\/\w+|documents\/\w+|reconciliation))\/.+$/,
    '$1/*',
  );
  return [page, ...(isLong ? [...searchParams.keys()].map((name) => `${page}?${name}`) : [])];
}
