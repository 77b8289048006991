// An account whose erasing has begun and not ended: what is left of it would look like a whole account.
import { expect, test } from 'vitest';
import { resources } from '../../src/domain/jobs.ts';
import { bindAccount } from '../../src/store/run/accounts.ts';
import { eraseAccount } from '../../src/store/upkeep/erase.ts';
import { runCycle } from '../../src/sync/jobs/runners.ts';
import { openMirror } from '../support/mirror.ts';
import { lease } from '../support/store.ts';
import { routes, startApi } from './documented-api.ts';

test('nothing of a half-erased account is shown, and each answer is that of the erased one', async () => {
  const mirror = await openMirror({ transactions: 20 });
  const { context, query } = mirror;
  await runCycle(context, resources, {});
  await bindAccount(context.database, {
    account: 'other',
    baseUrl: 'https://other.example',
    timeZone: 'UTC',
  });
  const { get, json } = await startApi(mirror.url, { of: 'default' });
  const [row] = await query<Record<string, string>>(
    `select t.transaction_id, v.vault_id, w.entry_id, t.asset_id, to_json(s.snapshot_at) #>> '{}' as snapshot_at
     from custody.transactions t, custody.vaults v, custody.whitelist_entries w, custody.balance_snapshots s limit 1`,
  );
  const ids = row ?? {};
  const paths = [
    ...routes
      .filter(({ path }) => !path.startsWith('/v1/accounts'))
      .map(
        ({ path }) => `/api${path.replace(/\{(\w+)\}/, (_, name) => encodeURIComponent(ids[name] ?? name))}`,
      ),
    ...['transactions', `transactions/${ids['transaction_id']}`, 'balances', 'balances/warm', 'vaults'].map(
      (path) => `/custody/${path}`,
    ),
    `/custody/vaults/${ids['vault_id']}`,
    '/custody/whitelist',
    '/custody/whitelist?status=approved',
  ];
  const answers = async () => {
    const all: Record<string, string> = {};
    for (const path of paths) {
      const answer = await get(path);
      const text = await answer.text();
      all[path] = `${answer.status} ${/"(?:code|error_code)":"([a-zA-Z][^"]+)"/.exec(text)?.[1] ?? ''}`;
    }
    return all;
  };
  const accounts = async () => (await json('/api/v1/accounts')).data.map((one) => one['account_id']);
  const whole = await answers();
  expect(Object.entries(whole).filter(([, answer]) => answer !== '200 ')).toEqual([]);
  expect(await accounts()).toEqual(['default', 'other']);

  await query(
    `create function public.fail() returns trigger language plpgsql as 'begin raise exception $q$interrupted$q$; end';
     create trigger fail before delete on custody.transactions for each row execute function public.fail()`,
  );
  const parts = { signal: new AbortController().signal };
  await expect(eraseAccount(context.database, context.lease, 'host', parts)).rejects.toThrow('interrupted');
  expect(await query('select count(*)::int as left from custody.transactions')).toEqual([{ left: 20 }]);
  const half = await answers();
  const shown = Object.entries(half).filter(
    ([, answer]) => !/^(?:404 account-not-found|400 (?:BAL|TXN|VAL|WHT)-\d\d)$/.test(answer),
  );
  expect(shown).toEqual([]);
  expect(await accounts()).toEqual(['other']);

  await query('drop trigger fail on custody.transactions');
  await eraseAccount(
    context.database,
    await lease(context.database, 'again', 600_000, 'default'),
    'host',
    parts,
  );
  expect(await answers()).toEqual(half);
});
