// The pictures of the documents: small, and each shown. `npm run docs:pictures` makes them anew, of the demo,
// with a clock that stands at one day (scripts/test-dates.mjs); those of Superset only with TEST_CLIENTS=1.
// Elsewhere the fonts and the clock are others, so nothing compares them.
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { browserTest } from '../../support/browser.ts';
import { pathsOfDemo, startDemo } from '../../support/demo.ts';
import { waitFor } from '../../support/wait-for.ts';

const folder = fileURLToPath(new URL('../../../docs/pictures/', import.meta.url));
const documents = ['pages.md', 'bi.md'].map((name) =>
  readFileSync(fileURLToPath(new URL(`../../../docs/${name}`, import.meta.url)), 'utf8'),
);
const mostBytes = 250_000;

if (process.env['DOCS_PICTURES'] === '1')
  browserTest(
    'the pictures are made of the demo',
    async (browser) => {
      const url = await startDemo();
      mkdirSync(folder, { recursive: true });
      const tabs = {
        '': await browser.open({ width: 1440, height: 900 }),
        '-dark': await browser.open({ width: 1440, height: 900, colorScheme: 'dark' }),
        '-phone': await browser.open({ width: 375, height: 800 }),
      };
      for (const [name, path] of Object.entries(await pathsOfDemo(url))) {
        const isWhole = async () => !/being (computed|checked)/.test(await (await fetch(url + path)).text());
        await waitFor(isWhole, { what: `the whole of ${path}` });
        for (const [form, tab] of Object.entries(tabs)) {
          expect([path, await tab.visit(url + path)]).toEqual([path, 200]);
          writeFileSync(`${folder}${name}${form}.png`, await tab.page.screenshot({ animations: 'disabled' }));
        }
      }
    },
    600_000,
  );

// After they are made.
test('every picture is shown by a document, and is small', () => {
  const shown = documents.flatMap((text) =>
    [...text.matchAll(/\]\(pictures\/([\w-]+\.png)\)/g)].map(([, name]) => name),
  );
  const there = existsSync(folder) ? readdirSync(folder) : [];
  expect(there.toSorted()).toEqual([...new Set(shown)].toSorted());
  expect(there.filter((name) => statSync(folder + name).size > mostBytes)).toEqual([]);
});
