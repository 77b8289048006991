// Vaults, whitelist, payments and the reconciliation in a real browser: for everybody, at every width, and
// loading nothing from elsewhere.
import { expect } from 'vitest';
import { openReading } from '../../support/api-source.ts';
import { longBrowserTest } from '../../support/browser/long.ts';
import { checkViews } from '../../support/browser/views.ts';
import { startServer } from '../../support/running-server.ts';
import { mirrorOfJune } from '../dashboards/june.ts';

/** What a page may weigh, in bytes. */
const limit = 100_000;

longBrowserTest(
  'vaults, whitelist, payments and reconciliation are for everybody, and small',
  async (browser) => {
    const mirror = await mirrorOfJune();
    const { url } = await startServer({ reading: openReading(mirror.url), account: 'default' });
    const [row] = await mirror.query<{ entry: string; vault: string; day: string; asset: string }>(
      `select (select entry_id from custody.whitelist_entries where missing_since is not null) as entry,
       (select document_id from custody.document_revisions where kind = 'vault' and change = 'changed') as vault,
       day::text, asset_id as asset from reporting.reconciliation_daily where not is_explained limit 1`,
    );
    const pages = {
      documents: '/documents?at=2026-06-17T00:00:00Z',
      changes: '/documents/changes',
      vault: `/documents/vaults/${row?.vault}`,
      entry: `/documents/whitelist/${row?.entry}`,
      payments:
        '/documents/payments?first_seen_from=2026-06-08T00:00:00Z&first_seen_to=2026-06-20T00:00:00Z&is_whitelisted=false',
      reconciliation: `/reconciliation?day_from=${row?.day}&day_to=${row?.day}`,
      'reconciliation-day': `/reconciliation/${row?.day}/${row?.asset}`,
    };
    const tab = await browser.open();
    for (const [name, path] of Object.entries(pages)) {
      expect([path, await tab.visit(url + path)]).toEqual([path, 200]);
      expect([name, await checkViews(tab, name)]).toEqual([name, []]);
      expect([name, (await tab.traffic()).gzippedBytes < limit]).toEqual([name, true]);
    }
    expect(tab.faults).toEqual([]);

    const plain = await browser.open({ javaScriptEnabled: false, width: 360 });
    await plain.visit(`${url}/documents/payments?first_seen_from=2026-06-08T00:00:00Z`);
    await plain.page.getByText('Filter', { exact: true }).click();
    await plain.page.selectOption('select[name=is_whitelisted]', 'false');
    await plain.page.getByRole('button', { name: 'Show' }).press('Enter');
    await plain.page.waitForURL(/is_whitelisted=false/);
    expect(await plain.page.locator('main').innerText()).toContain(
      '6 payments to non-whitelisted destinations',
    );
    expect(plain.faults).toEqual([]);
  },
);
