// What a day was worth comes back as it was reported, whatever is stated of prices later.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { oneRun } from '../../support/cleanup.ts';
import { sized } from '../../support/form.ts';
import { account, epoch, type Store } from '../../support/store.ts';
import { hour, openAccount, stateAt } from './late.ts';
import { day } from './told.ts';

const days = 6;
const dayName = (index: number) => new Date(epoch + index * day).toISOString().slice(0, 10);
const iso = (at: number) => new Date(epoch + at).toISOString();

/** An account that holds 2 BTC and 10 ETH, observed at noon of each day. */
async function openHolder(): Promise<Store> {
  const store = await openAccount();
  await store.query(`
    insert into custody.balance_snapshots (account_id, vault_type, snapshot_at, asked_at, answered_at, asset_count, changed_count,
        quarantined_count, run_id)
      select '${account}', v, at, at, at, 2, 0, 0, 1
      from unnest(array['all', 'warm']) v, generate_series(timestamptz '${iso(12 * hour)}', '${iso(days * day)}', interval '1 day') at;
    insert into custody.balances (account_id, vault_type, asset_id, network_id, valid_from, unchanged_since, total_balance, run_id, raw)
      select '${account}', v, a.asset, '', '${iso(12 * hour)}', '${iso(12 * hour)}', a.held, 1, '{}'
      from unnest(array['all', 'warm']) v, (values ('BTC', 2), ('ETH', 10)) a (asset, held)`);
  return store;
}

const insert = (asset: string, asOf: number, price: number, currency = 'USD') =>
  `insert into custody.asset_prices (account_id, asset_id, currency, as_of, price)
     values ('${account}', '${asset}', '${currency}', '${iso(asOf)}', ${price})
   on conflict (account_id, asset_id, currency, as_of) do update set price = excluded.price`;

const corrections = (store: Store) =>
  store.query(
    `select day::text, as_reported as was, as_known_now as is, difference, corrected_at, reason, currency
     from reporting.late_corrections where measure = 'portfolio_value' and vault_type = 'all' order by day, currency`,
  );

test('a price that is stated, replaced or removed later leaves the value that was reported, and shows with its reason', async () => {
  const store = await openHolder();
  const at = async (moment: number) =>
    await store.query(
      `select currency, total_value as value, valued::int, without_price::int as without from reporting.portfolio_value_daily_at('${iso(moment)}')
       where vault_type = 'all' and day = '2026-01-02' order by currency`,
    );
  await stateAt(
    store,
    hour,
    `${insert('BTC', 0, 100)}; ${insert('ETH', 0, 10)}; ${insert('BTC', 0, 90, 'EUR')}`,
  );
  await stateAt(store, 3 * day, insert('BTC', 0, 100));
  expect(await corrections(store)).toEqual([]);
  const reported = await at(2 * day - 1);
  expect(reported).toEqual([
    { currency: 'EUR', value: '180', valued: 1, without: 1 },
    { currency: 'USD', value: '300', valued: 2, without: 0 },
  ]);
  expect(await at(day)).toEqual([]);
  // The close of the second day, known on the third; a price that was wrong; and a currency that goes.
  await stateAt(store, 2 * day + hour, insert('BTC', 2 * day - hour, 120));
  await stateAt(store, 3 * day + hour, insert('ETH', 0, 11));
  await stateAt(store, 4 * day + hour, `delete from custody.asset_prices where currency = 'EUR'`);
  expect(await at(2 * day - 1)).toEqual(reported);
  expect(await at(3 * day)).toMatchObject([{ value: '180' }, { value: '340' }]);
  expect(await at(5 * day)).toMatchObject([{ value: '0' }, { value: '350' }]);
  const corrected = await corrections(store);
  expect(corrected.map(({ day, currency, was, is }) => [day, currency, was, is])).toEqual([
    ['2026-01-01', 'EUR', '180', '0'],
    ['2026-01-01', 'USD', '300', '310'],
    ['2026-01-02', 'EUR', '180', '0'],
    ['2026-01-02', 'USD', '300', '350'],
    ['2026-01-03', 'EUR', '180', '0'],
    ['2026-01-03', 'USD', '340', '350'],
    ['2026-01-04', 'EUR', '180', '0'],
  ]);
  expect(corrected[0]).toMatchObject({ difference: '-180', reason: 'price' });
  expect([corrected[3], corrected[6]]).toMatchObject([
    { corrected_at: new Date(epoch + 3 * day + hour) },
    { corrected_at: new Date(epoch + 4 * day + hour) },
  ]);
  // A currency of which no price is left is still one in which days were reported.
  expect(await store.query('select currency from reporting.price_currencies order by 1')).toEqual([
    { currency: 'EUR' },
    { currency: 'USD' },
  ]);
  expect(
    await store.query(
      `select asset_id as asset, price, total_value as value from reporting.balance_values_daily_at('${iso(2 * day - 1)}')
       where day = '2026-01-02' and vault_type = 'warm' and currency = 'USD' order by 1`,
    ),
  ).toEqual([
    { asset: 'BTC', price: '100', value: '200' },
    { asset: 'ETH', price: '10', value: '100' },
  ]);
  expect(
    await store.query(
      `select price, as_of = '${iso(0)}' as old, known_until = '${iso(3 * day + hour)}' as until
       from reporting.price_known('${account}', 'ETH', 'USD', '${iso(2 * day)}', '${iso(3 * day)}')`,
    ),
  ).toEqual([{ price: '10', old: true, until: true }]);
  // Whoever states that prices were known all the time changes what was reported.
  await store.query(`update custody.asset_prices set known_from = '-infinity'`);
  expect(await at(2 * day - 1)).toMatchObject([{ value: '180' }, { value: '350' }]);
});

test('the value is dated by the last change of a price that counts', async () => {
  const store = await openHolder();
  await stateAt(store, hour, `${insert('BTC', 0, 100)}; ${insert('ETH', 0, 10)}; ${insert('DOGE', 0, 1)}`);
  // The first price counts no longer when it is replaced; the one stated later counts until it is removed.
  await stateAt(store, 2 * day, insert('BTC', 12 * hour, 120));
  await stateAt(store, 3 * day, insert('BTC', 0, 90));
  const dated = async () =>
    (await corrections(store)).filter((row) => row['day'] === '2026-01-01').map((row) => row['corrected_at']);
  expect(await dated()).toEqual([new Date(epoch + 2 * day)]);
  await stateAt(store, 4 * day, `delete from custody.asset_prices where price = 120`);
  expect(await dated()).toEqual([new Date(epoch + 4 * day)]);
});

test('a price that was stated while its replacement was under way stays as it was reported', async () => {
  const store = await openHolder();
  await store.database.transact('replace', async (tx) => {
    await tx.run('begun', (db) => db.execute('select now()'));
    await store.query(insert('BTC', 0, 100));
    await tx.run('price', (db) => db.execute(insert('BTC', 0, 90)));
  });
  expect(
    await store.query(
      `select k.price, f.known_until = q.known_from as meets from custody.former_prices f
       join custody.asset_prices q using (account_id, asset_id, currency, as_of)
       cross join reporting.price_known('${account}', 'BTC', 'USD', now(), f.known_from) k`,
    ),
  ).toEqual([{ price: '100', meets: true }]);
});

const change = fc.record({
  hours: fc.integer({ min: 1, max: 20 }),
  asset: fc.constantFrom('BTC', 'ETH'),
  asOfHours: fc.integer({ min: 0, max: days * 24 }),
  price: fc.constantFrom(0, 1, 2, 3),
  how: fc.constantFrom('state', 'state', 'state', 'replace', 'remove', 'empty'),
});

function sqlOf({ asset, asOfHours, price, how }: typeof change extends fc.Arbitrary<infer T> ? T : never) {
  if (how === 'state') return insert(asset, asOfHours * hour, price);
  if (how === 'replace')
    return `update custody.asset_prices set price = ${price} where asset_id = '${asset}'`;
  if (how === 'remove') return `delete from custody.asset_prices where asset_id = '${asset}'`;
  return `truncate custody.asset_prices; ${insert(asset, asOfHours * hour, price)}`;
}

interface Row {
  readonly asset: string;
  readonly at: number;
  readonly price: number;
}

/** By the prices that stand in the table: the last before the end of the day. */
const totalOf = (rows: readonly Row[], index: number) =>
  [['BTC', 2] as const, ['ETH', 10] as const].reduce((total, [asset, held]) => {
    const before = rows.filter((row) => row.asset === asset && row.at < (index + 1) * day);
    return total + held * (before.toSorted((a, b) => b.at - a.at)[0]?.price ?? 0);
  }, 0);

test('whatever is stated of prices, the value of a day as known at its end is that of the prices that stood there then', async () => {
  await fc.assert(
    fc.asyncProperty(
      // Without any price nothing has a value, not even one of zero.
      fc
        .array(change, { minLength: 4, maxLength: 14 })
        .filter((changes) => changes.some(({ how }) => how === 'state' || how === 'empty')),
      oneRun(async (changes) => {
        const store = await openHolder();
        const standing = async (): Promise<Row[]> =>
          (
            await store.query<{ asset: string; at: Date; price: string }>(
              'select asset_id as asset, as_of as at, price::text from custody.asset_prices',
            )
          ).map(({ asset, at, price }) => ({ asset, at: at.getTime() - epoch, price: Number(price) }));
        const reported: number[] = [];
        let moment = 0;
        for (const each of changes) {
          const next = moment + each.hours * hour;
          while (reported.length < days && (reported.length + 1) * day <= next)
            reported.push(totalOf(await standing(), reported.length));
          moment = next;
          await stateAt(store, moment, sqlOf(each));
        }
        const now = await standing();
        const rows = await store.query<{ day: string; value: string }>(
          `select c.day::text, w.total_value as value from reporting.calendar c
           cross join lateral (select * from reporting.portfolio_value_daily_at(c.ends_at - interval '1 microsecond')) w
           where w.day = c.day and w.vault_type = 'all' and c.day < '${dayName(days)}' order by 1`,
        );
        expect(rows.slice(0, reported.length)).toEqual(
          reported.map((value, index) => ({ day: dayName(index), value: String(value) })),
        );
        const found = (await corrections(store)).filter(
          (row) => String(row['day']) < dayName(reported.length),
        );
        expect(found).toMatchObject(
          reported.flatMap((value, index) => {
            const is = totalOf(now, index);
            return is === value ? [] : [{ day: dayName(index), was: String(value), is: String(is) }];
          }),
        );
      }),
    ),
    { numRuns: sized({ short: 10, long: 100 }, 'REPORTING_PASTS'), endOnFailure: true },
  );
}, 240_000);

test.each(['asset_prices', 'fee_rules'])(
  '%s of the future are refused: they would leave no trace',
  async (table) => {
    const store = await openAccount();
    const [columns, values] =
      table === 'fee_rules'
        ? ['network_id, asset_id', `'ETH', 'ETH'`]
        : ['asset_id, currency, as_of, price', `'BTC', 'USD', now(), 1`];
    const known = (from: string) =>
      store.query(
        `insert into custody.${table} (account_id, ${columns}, known_from) values ('${account}', ${values}, ${from})`,
      );
    for (const later of [
      `'infinity'`,
      `now() + interval '10 years'`,
      `clock_timestamp() + interval '1 minute'`,
    ])
      await expect(known(later), later).rejects.toMatchObject({ code: '23514' });
    await known(`'-infinity'`);
    const move = store.query(`update custody.${table} set known_from = 'infinity'`);
    await expect(move).rejects.toMatchObject({ code: '23514' });
    await store.query(`delete from custody.${table}`);
    expect(
      await store.query(
        `select distinct known_from::text from custody.former_${table.replace('asset_', '')} where known_from < '2000-01-01'`,
      ),
    ).toEqual([{ known_from: '-infinity' }]);
    // Nothing refuses what is written while triggers are off, and then it counts.
    await store.query(`delete from custody.former_${table.replace('asset_', '')}`).catch(() => undefined);
    await store.query(`alter table custody.${table} disable trigger user`);
    await known(`'infinity'`);
    await store.query(`alter table custody.${table} enable trigger user`);
    await store.query(`delete from custody.${table}`);
    expect(
      await store.query(
        `select known_until - known_from as counted from custody.former_${table.replace('asset_', '')} where known_from > '2000-01-01'`,
      ),
    ).toHaveLength(1);
  },
);
