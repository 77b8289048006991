// The pictures of docs/bi.md: the dashboards of deploy/superset, of the demo. `TEST_CLIENTS=1 npm run
// docs:pictures` makes them anew where Superset is installed.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { browserTest } from '../../support/browser.ts';
import { openDemoMirror } from './demo-mirror.ts';
import { grantedReader, missing, openSuperset } from './superset-project.ts';

const folder = fileURLToPath(new URL('../../../docs/pictures/', import.meta.url));

const isAsked = process.env['DOCS_PICTURES'] === '1';

browserTest(
  'the pictures of the dashboards of Superset are made of the demo',
  async (browser) => {
    const superset = openSuperset(await grantedReader(await openDemoMirror()));
    superset.read('--import');
    const url = await superset.serve();
    const { page } = await browser.open({ width: 1440, height: 1000 });
    page.setDefaultTimeout(120_000);
    await page.goto(`${url}/login/`);
    await page.fill('form input:not([type="password"])', 'admin');
    await page.fill('input[type="password"]', superset.adminPassword);
    await page.press('input[type="password"]', 'Enter');
    await page.waitForURL((address) => !address.pathname.startsWith('/login'));
    for (const name of ['portfolio', 'transactions', 'operations']) {
      await page.goto(`${url}/superset/dashboard/custody-mirror-${name}/?standalone=1`);
      await page.waitForSelector('.dashboard-component-chart-holder table tbody tr');
      await page.waitForFunction(
        `document.querySelectorAll('.dashboard-component-chart-holder .loading, [data-test="loading-indicator"]').length === 0`,
      );
      expect(await page.locator('.ant-alert-error, [data-test="error-message"]').count()).toBe(0);
      writeFileSync(`${folder}superset-${name}.png`, await page.screenshot({ animations: 'disabled' }));
    }
  },
  1_800_000,
  isAsked ? missing : ' (skipped: npm run docs:pictures makes them)',
);
