// Identifiers that an address would drop as a part of its path.
import { expect, test } from 'vitest';
import { startApi } from '../../../test/api/documented-api.ts';
import { openStore } from '../../../test/support/store.ts';

test('an asset named as a step in a path has its page, its history and its addresses', async () => {
  const { url, query } = await openStore();
  const names = ['.', '..', '~..'];
  await query(`insert into custody.accounts (account_id, base_url, first_seen_at)
    values ('default', 'https://a.invalid', now()) on conflict do nothing`);
  await query(`insert into custody.balance_snapshots
      (account_id, vault_type, snapshot_at, asked_at, answered_at, asset_count, changed_count, quarantined_count, run_id)
    select 'default', 'all', at, at, at, 3, 3, 0, 1 from (select now() - interval '1 hour' as at) t`);
  for (const name of names)
    await query(
      `insert into custody.balances
        (account_id, vault_type, asset_id, network_id, valid_from, unchanged_since, total_balance, run_id, raw)
      select 'default', 'all', $1, 'N', max(snapshot_at), max(snapshot_at), 7, 1, '{}' from custody.balance_snapshots`,
      [name],
    );
  const server = await startApi(url, { of: 'default' });
  const list = await (await server.get('/balances')).text();
  for (const name of names) {
    const path = `/balances/assets/~${name}`;
    expect(list).toContain(`href="${path}"`);
    const page = await server.get(path);
    const html = await page.text();
    expect([page.status, html.includes(`<h1>${name}`)]).toEqual([200, true]);
    const [, csv = ''] = /href="(\/api\/v1\/balances\/assets\/[^"]*\/series\.csv[^"]*)"/.exec(html) ?? [];
    const answer = await server.get(csv.replaceAll('&amp;', '&'));
    expect([answer.status, (await answer.text()).split('\n').length > 1]).toEqual([200, true]);
  }
});
