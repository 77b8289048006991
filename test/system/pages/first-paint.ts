// `npm run bench:paint`: how soon pages are painted in a browser, those of the demo or of the mirror at
// PAINT_URL (`npm run bench:pages -- --serve` has a million transactions). It measures, and holds nothing:
// times belong to a machine.
import { expect } from 'vitest';
import { percentile } from '../../../bench/percentile.ts';
import { browserTest } from '../../support/browser.ts';
import { pathsOfDemo, startDemo } from '../../support/demo.ts';

const rounds = 20;

browserTest(
  'first contentful paint of each page',
  async (browser) => {
    const url = process.env['PAINT_URL'] ?? (await startDemo());
    const lines = ['| page | first ms | p50 ms | p95 ms |', '|---|--:|--:|--:|'];
    for (const [name, path] of Object.entries(await pathsOfDemo(url))) {
      // Of its own: one tab takes longer with each page that it showed.
      const tab = await browser.open({ width: 1440, height: 900 });
      const times: number[] = [];
      for (let round = 0; round < rounds; round += 1) {
        expect([path, await tab.visit(url + path)]).toEqual([path, 200]);
        times.push(await tab.firstPaintMs());
      }
      await tab.page.context().close();
      const told = [times[0], percentile(times, 50), percentile(times, 95)];
      lines.push(`| ${name} | ${told.map((ms) => ms?.toFixed(0)).join(' | ')} |`);
    }
    process.stdout.write(`${lines.join('\n')}\n`);
  },
  600_000,
);
