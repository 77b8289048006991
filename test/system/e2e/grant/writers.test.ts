// `custody-mirror grant --prices` and `--fee-rules`: a role that fills these tables and does nothing else.
import { expect, test } from 'vitest';
import { testRole } from '../../../support/roles.ts';
import { as, grant, ownedMirrors, refusal, refusals, relationsOf } from './owned-mirror.ts';

const openMirror = await ownedMirrors();

test('a role that was granted prices writes them, and can do nothing else with the mirror', async () => {
  const { database, owner } = await openMirror();
  const pricer = await testRole(database);
  const granted = await grant(owner, '--prices', pricer.name);
  expect(granted).toMatchObject({ code: 0, stderr: '' });
  expect(granted.stdout).toBe(`${pricer.name} now reads and writes custody.asset_prices.\n`);
  await as(
    owner,
    "insert into custody.accounts (account_id, base_url, first_seen_at) values ('default', 'https://x.example', now())",
  );

  const price = (amount: number) =>
    `insert into custody.asset_prices (asset_id, currency, as_of, price) values ('BTC', 'USD', '2026-01-01', ${amount})
     on conflict (account_id, asset_id, currency, as_of) do update set price = excluded.price`;
  await as(pricer, price(1));
  await as(pricer, price(2));
  expect(await as(pricer, 'select price::text from custody.asset_prices')).toEqual([{ price: '2' }]);
  await as(pricer, 'delete from custody.asset_prices');
  expect(await as(owner, 'select price::text from custody.former_prices order by known_until')).toEqual([
    { price: '1' },
    { price: '2' },
  ]);

  const others = (await relationsOf(database, ['custody', 'reporting', 'sync', 'drizzle'])).filter(
    ({ label }) => label !== 'custody.asset_prices',
  );
  expect(others.length).toBeGreaterThan(30);
  const uses = others.flatMap(({ label }) => [
    `select from ${label}`,
    `delete from ${label}`,
    `update ${label} set account_id = 'x'`,
  ]);
  for (const { sql, code } of await refusals(pricer, uses))
    expect(code, sql).toMatch(/^(42501|42703|55000)$/);
  const beyond = [
    'truncate custody.asset_prices',
    'alter table custody.asset_prices add column x int',
    'create table custody.mine (id int)',
    'create view reporting.mine as select 1',
    'create table mine (id int references custody.asset_prices)',
  ];
  expect(await refusals(pricer, beyond)).toEqual(beyond.map((sql) => ({ sql, code: '42501' })));
});

test('a role that was granted fee rules writes them, with prices or without', async () => {
  const { database, owner } = await openMirror();
  await as(
    owner,
    "insert into custody.accounts (account_id, base_url, first_seen_at) values ('default', 'https://x.example', now())",
  );
  const writer = await testRole(database);
  expect((await grant(owner, '--fee-rules', writer.name)).stdout).toBe(
    `${writer.name} now reads and writes custody.fee_rules.\n`,
  );
  expect(await refusal(writer, 'select * from custody.asset_prices')).toBe('42501');
  expect((await grant(owner, '--prices', '--fee-rules', writer.name)).stdout).toBe(
    `${writer.name} now reads and writes custody.asset_prices and custody.fee_rules.\n`,
  );
  await as(writer, `insert into custody.fee_rules (network_id, asset_id) values ('ETH', 'ETH')`);
  expect(await as(writer, 'select network_id, asset_id from custody.fee_rules')).toEqual([
    { network_id: 'ETH', asset_id: 'ETH' },
  ]);
  await as(writer, `update custody.fee_rules set asset_id = 'GAS'`);
  await as(writer, 'delete from custody.fee_rules');
  const former = 'select asset_id from custody.former_fee_rules order by known_until';
  expect(await as(owner, former)).toEqual([{ asset_id: 'ETH' }, { asset_id: 'GAS' }]);
  expect(await refusals(writer, [former, 'delete from custody.former_fee_rules'])).toMatchObject([
    { code: '42501' },
    { code: '42501' },
  ]);
});
