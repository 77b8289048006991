// The pictures of docs/pages.md: small, and each shown. `npm run docs:pictures` makes them anew, of the demo, with a clock that stands at
// one day (scripts/test-dates.mjs). Elsewhere the fonts and the clock are others, so nothing compares them.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { browserTest } from '../../support/browser.ts';
import { onCleanup } from '../../support/cleanup.ts';
import { startProcess } from '../../support/process.ts';
import { waitFor } from '../../support/wait-for.ts';

const folder = fileURLToPath(new URL('../../../docs/pictures/', import.meta.url));
const document = fileURLToPath(new URL('../../../docs/pages.md', import.meta.url));
const mostBytes = 150_000;

/** Rows of the demo's read API. */
async function rowsOf(url: string, path: string): Promise<readonly Record<string, string | null>[]> {
  const answer = await fetch(`${url}/api/v1/${path}`);
  if (!answer.ok) return [];
  return ((await answer.json()) as { data: Record<string, string | null>[] }).data;
}

async function startDemo(): Promise<string> {
  const cwd = mkdtempSync(join(tmpdir(), 'custody-mirror-pictures-'));
  onCleanup(async () => rmSync(cwd, { recursive: true, force: true }));
  const demo = startProcess(['demo'], { cwd });
  await demo.output(/Stop it with Ctrl-C\.\n/, { deadlineMs: 180_000 });
  const [, url = ''] = /(http:\/\/127\.0\.0\.1:\d+)/.exec(demo.stdout()) ?? [];
  const isRead = async () => {
    const rows = await rowsOf(url, 'freshness');
    return rows.length > 0 && rows.every((row) => row['last_success_at'] !== null);
  };
  await waitFor(isRead, { what: 'a mirror of everything', deadlineMs: 120_000 });
  return url;
}

/** The oldest open transaction has the longest timeline that is not over. */
async function pathsOf(url: string): Promise<Readonly<Record<string, string>>> {
  const [open] = await rowsOf(url, 'transactions?is_open=true&sort=first_seen_at&limit=1');
  return {
    overview: '/',
    balances: '/balances?vault_type=all',
    transaction: `/transactions/${encodeURIComponent(open?.['transaction_id'] ?? '')}`,
    payments: '/documents/payments',
    reconciliation: '/reconciliation',
    mirror: '/mirror',
  };
}

if (process.env['DOCS_PICTURES'] === '1')
  browserTest(
    'the pictures are made of the demo',
    async (browser) => {
      const url = await startDemo();
      mkdirSync(folder, { recursive: true });
      const tab = await browser.open({ width: 1120, height: 760 });
      for (const [name, path] of Object.entries(await pathsOf(url))) {
        const isWhole = async () => {
          expect([path, await tab.visit(url + path)]).toEqual([path, 200]);
          return !/being (computed|checked)/.test(await tab.page.content());
        };
        await waitFor(isWhole, { what: `the whole of ${path}`, deadlineMs: 60_000 });
        writeFileSync(`${folder}${name}.png`, await tab.page.screenshot({ animations: 'disabled' }));
      }
    },
    600_000,
  );

// After they are made.
test('every picture is shown by docs/pages.md, and is small', () => {
  const shown = [...readFileSync(document, 'utf8').matchAll(/\]\(pictures\/([\w-]+\.png)\)/g)].map(
    ([, name]) => name,
  );
  const there = existsSync(folder) ? readdirSync(folder) : [];
  expect(there.toSorted()).toEqual(shown.toSorted());
  expect(there.filter((name) => statSync(folder + name).size > mostBytes)).toEqual([]);
});
