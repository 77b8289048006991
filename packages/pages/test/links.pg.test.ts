// Links of pages: whoever follows them meets a page, never an error.
import { expect, onTestFinished, test, vi } from 'vitest';
import { openReading } from '../../../test/support/api-source.ts';
import { type RunningServer, startServer } from '../../../test/support/running-server.ts';
import { mirrorOfJune, now } from '../../../test/system/dashboards/june.ts';
import { pages } from '../src/pages.ts';
import { seePage } from './read-page.ts';
import { openTransactionsWorld } from './transactions-world.ts';

const patterns = pages.map(({ path }) => ({
  path,
  matches: new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`),
}));

const fewest = 30;

/**
 * What there is to follow in a link: links that differ in their values alone are one, and one that leads to
 * no page is none. One or two parameters are followed together, of more each alone.
 */
function kindsOf(link: string): readonly string[] {
  const { origin, pathname, searchParams } = new URL(link, 'http://mirror');
  const pattern = patterns.find(({ matches }) => matches.test(pathname));
  const names = [...searchParams.keys()].sort();
  if (
    origin !== 'http://mirror' ||
    pattern === undefined ||
    names.some((name) => /^(zone|digits|theme|rows)$/.test(name))
  )
    return [];
  const sets = names.length <= 2 ? [names.join('&')] : names;
  return sets.map((set) => `${pattern.path}?${set}`);
}

/** Follows links from page to page. @returns those that led to no page, and where they stood */
async function faults(server: RunningServer, starts: readonly string[]) {
  const followed = new Set<string>();
  const toFollow = starts.map((link) => ({ link, from: 'the start' }));
  const found: unknown[] = [];
  for (const { link, from } of toFollow) {
    const { status, html } = await seePage(server, link);
    if (status !== 200) found.push({ status, link, from });
    for (const [, href = ''] of html.matchAll(/<a [^>]*?href="([^"#]*)/g)) {
      const next = href.replaceAll('&amp;', '&');
      const kinds = kindsOf(next).filter((kind) => !followed.has(kind));
      if (kinds.length === 0) continue;
      for (const kind of kinds) followed.add(kind);
      toFollow.push({ link: next, from: link });
    }
  }
  return { found, count: toFollow.length };
}

test('no link leads to an error where transactions name what the mirror does not hold', async () => {
  const { server, store } = await openTransactionsWorld();
  await store.query(`delete from custody.vaults`);
  await store.query(`delete from custody.whitelist_entries`);
  await store.query(
    `insert into custody.fee_rules (account_id, network_id, asset_id) values ('acme', 'ETH', 'GAS')`,
  );
  const { found, count } = await faults(server, [
    '/',
    '/documents/vaults/vlt_1',
    '/documents/whitelist/wl_1',
  ]);
  expect(found).toEqual([]);
  expect(count).toBeGreaterThan(fewest);
  for (const path of ['/documents/vaults/none', '/documents/whitelist/none', '/balances/assets/none'])
    expect((await server.get(path)).status).toBe(404);
}, 300_000);

test('no link leads to an error in a mirror of some days, with gaps', async () => {
  const mirror = await mirrorOfJune();
  // Pages offer the days before the present one, which is in June.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(now) });
  onTestFinished(() => void vi.useRealTimers());
  const server = await startServer({ reading: openReading(mirror.url), account: 'default' });
  const [days] = await mirror.query<{ first: string; last: string }>(
    `select min(day)::text as first, max(day)::text as last from reporting.calendar`,
  );
  const starts = ['/', `/reconciliation/${days?.first}/BTC`, `/reconciliation/${days?.last}/BTC`];
  const { found, count } = await faults(server, [...starts, '/reconciliation/2026-06-14/BTC']);
  expect(found).toEqual([]);
  expect(count).toBeGreaterThan(fewest);
  for (const path of [
    '/reconciliation/2020-01-01/BTC',
    '/reconciliation/8999-12-31/BTC',
    '/reconciliation/1970-01-01/BTC',
  ])
    expect([path, (await server.get(path)).status]).toEqual([path, 404]);
}, 300_000);
