// Balances are sealed with the snapshots in which they begin and end. A change is named by the row and
// column, also in a snapshot that is not sealed yet.
import { expect, test } from 'vitest';
import { verdictText } from '../../src/cli/text/seal-text.ts';
import { balancesTable } from '../../src/seal/tables.ts';
import { account } from '../support/store.ts';
import { otherValue } from './random-changes.ts';
import { openSealed, snapshots } from './sealed-history.ts';

const balances = 'custody.balances';
const micros = (column: string) => `(extract(epoch from ${column}) * 1000000)::bigint::text`;

/** A balance that changed its amounts within a sealed history, with the one before. */
async function oneBalance({ store, grow, seal }: Awaited<ReturnType<typeof openSealed>>) {
  await grow();
  await seal();
  const [row] = await store.query<{ key: string[]; before: string[]; at: string }>(
    `select array[b.account_id, b.vault_type, b.asset_id, b.network_id, ${micros('b.valid_from')}] as key,
       array[p.account_id, p.vault_type, p.asset_id, p.network_id, ${micros('p.valid_from')}] as before, b.valid_from::text as at
     from ${balances} b join ${balances} p on (p.vault_type, p.asset_id, p.network_id, p.valid_to) = (b.vault_type, b.asset_id, b.network_id, b.valid_from)
     where b.vault_type = 'cold' and b.total_balance <> p.total_balance order by b.valid_from limit 1`,
  );
  if (row === undefined) throw new Error('no balance changed');
  const own = `where vault_type = 'cold' and asset_id = '${row.key[2]}' and valid_from = '${row.at}'`;
  return { ...row, own };
}

test('a changed column of a sealed balance is named with its row', async () => {
  const history = await openSealed();
  const { unguarded, verify, store } = history;
  const { key, before, at, own } = await oneBalance(history);
  await store.query(`create table kept as table ${balances}`);
  await store.query(`alter table ${balances} drop constraint balances_first_snapshot_fk`);
  const decoded = [...balancesTable.columns].filter(
    ([name]) => !['raw', 'valid_to', ...balancesTable.key].includes(name),
  );
  for (const [column, type] of [...decoded, ['asset_id', 'text'], ['raw', 'jsonb']] as const) {
    await unguarded(`update ${balances} set "${column}" = ${otherValue(`"${column}"`, type)} ${own}`);
    const verdict = await verify();
    const of = column === 'asset_id' ? key.with(2, `${key[2]} `) : key;
    expect(verdict.finding, column).toMatchObject({
      ...{ kind: 'changed', table: snapshots, key: [account, 'cold', key[4]] },
      balance: { table: balances, key: of, column },
    });
    expect(verdictText(verdict, account, null), column).toContain(`${column} of ${balances} (`);
    await unguarded(`delete from ${balances}; insert into ${balances} select * from kept`);
  }
  // The balance before goes on, or ends later.
  await store.query('drop index custody.balances_current_idx');
  for (const end of ['null', `timestamptz '${at}' + interval '1 hour'`]) {
    await unguarded(
      `update ${balances} set valid_to = ${end} where vault_type = 'cold' and valid_to = '${at}'`,
    );
    expect((await verify()).finding, end).toMatchObject({
      ...{ kind: 'changed', table: snapshots, key: [account, 'cold', key[4]] },
      balance: { table: balances, key: before, column: 'valid_to', expected: key[4] },
    });
    await unguarded(`delete from ${balances}; insert into ${balances} select * from kept`);
  }
  expect((await verify()).finding).toBeNull();
});

test('a sealed balance that is missing, or added, is counted', async () => {
  const history = await openSealed();
  const { unguarded, verify, store } = history;
  const { key, at, own } = await oneBalance(history);
  await store.query('drop index custody.balances_current_idx');
  await store.query(`create table kept as table ${balances}`);
  const sealed = [...balancesTable.columns.keys()].filter((name) => name !== 'valid_to');
  const columns = sealed.map((name) => `"${name}"`);
  const copy = columns.map((name) => (name === '"asset_id"' ? `'more'` : name));
  for (const statement of [
    `delete from ${balances} ${own}; update ${balances} set valid_to = null where vault_type = 'cold' and valid_to = '${at}'`,
    `insert into ${balances} (${columns.join()}, valid_to)
      select ${copy.map((name) => (name === '"raw"' ? `jsonb_set(raw, '{asset_id}', '"more"')` : name)).join()}, valid_to from ${balances} ${own}`,
  ]) {
    await unguarded(statement);
    const { finding } = await verify();
    expect(finding, statement).toMatchObject({
      ...{ kind: 'changed', table: snapshots, key: [account, 'cold', key[4]] },
      balance: { table: snapshots, column: 'changed_count' },
    });
    await unguarded(`delete from ${balances}; insert into ${balances} select * from kept`);
  }
});

test('a balance that begins or ends with a snapshot that is not sealed yet is compared', async () => {
  const history = await openSealed();
  const { unguarded, verify, store, grow } = history;
  await grow();
  expect(await verify()).toMatchObject({ finding: null });
  await store.query(`create table kept as table ${balances}`);
  const open = (order: string) =>
    `ctid = (select ctid from ${balances} where valid_to is null and vault_type = 'warm' order by valid_from ${order} limit 1)`;
  const last = `(select max(snapshot_at) from ${snapshots} where vault_type = 'warm')`;
  for (const [statement, table, column] of [
    [`update ${balances} set total_balance = 999 where ${open('desc')}`, balances, 'total_balance'],
    [`update ${balances} set valid_to = ${last} where ${open('')}`, snapshots, 'changed_count'],
    [`delete from ${balances} where ${open('desc')}`, snapshots, 'changed_count'],
    [`update ${balances} set run_id = run_id + 1 where ${open('desc')}`, balances, 'run_id'],
  ]) {
    await unguarded(statement ?? '');
    const verdict = await verify();
    expect(verdict.finding, statement).toMatchObject({ kind: 'present', table, column });
    expect(verdictText(verdict, account, null)).toContain(`${column} of ${table} (`);
    await unguarded(`delete from ${balances}; insert into ${balances} select * from kept`);
  }
  expect((await verify()).finding).toBeNull();
});
