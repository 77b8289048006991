// Lists of /custody whose records are long: a page ends at some 16 MiB, as a lower limit would end it. A list
// that was asked for whole is not cut.
import { expect, test } from 'vitest';
import { serveCustody } from '../../support/served-custody.ts';
import { errorOf } from '../../support/served-sandbox.ts';
import { account, openStore } from '../../support/store.ts';

const long = "jsonb_build_object('x', repeat('x', 1040000))";
const count = 20;

test('a page of any list ends at some 16 MiB, the next begins behind it, and a whole list is refused', async () => {
  const store = await openStore();
  const fill = (statement: string) =>
    store.query(
      `with given as (select $1::text as account, $2::bigint as run), numbers as (select i, lpad(i::text, 2, '0') as id from generate_series(1, ${count}) as i)
       ${statement}`,
      [account, store.run.runId],
    );
  await fill(`insert into custody.transactions (account_id, transaction_id, status, first_seen_at, status_changed_at, changed_at,
      content_hash, raw) select account, id, 'pending', now(), now(), now(), id, ${long} from given, numbers`);
  await fill(`insert into custody.vaults (account_id, vault_id, document, first_seen_at, changed_at, content_hash)
    select account, id, ${long}, now(), now(), id from given, numbers`);
  await fill(`insert into custody.whitelist_entries (account_id, entry_id, document, first_seen_at, changed_at, content_hash)
    select account, id, ${long}, now(), now(), id from given, numbers`);
  for (const vaultType of ['all', 'warm']) {
    await fill(`insert into custody.balance_snapshots (account_id, vault_type, snapshot_at, asset_count, changed_count,
        quarantined_count, run_id) select account, '${vaultType}', '2026-01-01', ${count}, 0, 0, run from given`);
    await fill(`insert into custody.balances (account_id, vault_type, asset_id, network_id, valid_from, run_id, raw)
      select account, '${vaultType}', id, '', '2026-01-01', run, ${long} from given, numbers`);
  }
  const custody = await serveCustody(store, account);
  const lists = {
    transactions: '/transactions',
    balance: '/balances',
    vaults: '/vaults',
    whitelist: '/whitelist',
  };
  for (const [member, path] of [...Object.entries(lists), ['balance', '/balances/warm']] as const) {
    const page = async (offset: number) => {
      const { text } = await custody.get(`${path}?limit=1000&offset=${offset}`);
      return JSON.parse(text)[member];
    };
    expect([path, (await page(0)).length, (await page(17)).length]).toEqual([path, 17, 3]);
    expect(JSON.stringify(await page(17)).length).toBeGreaterThan(3 * 1_040_000);
  }
  for (const path of ['/vaults', '/whitelist', '/balances/warm']) {
    const whole = await custody.get(path);
    expect([path, errorOf(whole)]).toEqual([path, '400 ERR-00']);
    expect(whole.text).toContain('limit and offset');
  }
});
