// The overview in a real browser: for everybody, without JavaScript, and before anything is mirrored.
import { expect } from 'vitest';
import { snapshotBalances } from '../../../src/sync/jobs/balances.ts';
import { syncTransactions } from '../../../src/sync/jobs/transactions.ts';
import { startApi } from '../../api/documented-api.ts';
import { checkViews } from '../../support/browser/views.ts';
import { browserTest } from '../../support/browser.ts';
import { testDatabase } from '../../support/database.ts';
import { openMirror } from '../../support/mirror.ts';

browserTest('the overview is for everybody, with figures and before the first', async (browser) => {
  const mirror = await openMirror({ transactions: 30 });
  await syncTransactions(mirror.context, { full: true });
  await snapshotBalances(mirror.context);
  await mirror.query(`insert into custody.asset_prices (account_id, asset_id, currency, as_of, price)
    values ('default', 'BTC', 'USD', now() - interval '5 days', 2.5)`);
  const empty = await testDatabase();
  const tab = await browser.open();
  for (const url of [mirror.url, empty.url]) {
    const server = await startApi(url, { of: 'default' });
    expect(await tab.visit(`${server.url}/`)).toBe(200);
    expect(await checkViews(tab, 'overview')).toEqual([]);
    expect(tab.faults).toEqual([]);
  }
});
