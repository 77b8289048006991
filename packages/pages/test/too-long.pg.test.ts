// Records that were stored before there was a budget: nobody gets one whole. Pages, read API, CSV and
// /custody show its length and digest, and where it is.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { longTest } from '../../../test/support/form.ts';
import { ids, openTransactionsWorld } from './transactions-world.ts';

longTest(
  'no page and no answer holds a record that is too long, or a text of one',
  async () => {
    const { store, server } = await openTransactionsWorld();
    const columns = await store.query<{ table: string; name: string; type: string }>(
      `select c.table_schema || '.' || c.table_name as table, c.column_name as name, c.data_type as type
       from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
      where t.table_type = 'BASE TABLE' and c.data_type in ('text', 'jsonb') and c.is_generated = 'NEVER'
        and (c.table_schema = 'custody' and c.table_name not in ('accounts', 'histories')
          or c.table_schema = 'sync' and c.table_name = 'quarantine')
        and c.column_name !~ '(_id|^kind|^vault_type|status|^change|_key|^resource|currency|hash)$'`,
    );
    expect(columns.length).toBeGreaterThan(25);
    for (const { table, name, type } of columns) {
      const long = `repeat('y', ${2 ** 20 + 1})`;
      const value = type === 'text' ? long : `${name} || jsonb_build_object('z', ${long})`;
      const shown = table === 'custody.transactions' ? `transaction_id = '${ids.done}'` : 'false';
      await store.query(`do $$ begin
      set local session_replication_role = replica;
      update ${table} set ${name} = ${value} where ctid = (select min(ctid) from ${table}) or ${shown};
    end $$`);
    }

    const { paths }: { readonly paths: Readonly<Record<string, unknown>> } = JSON.parse(
      readFileSync('docs/openapi.json', 'utf8'),
    );
    const lists = Object.keys(paths).filter((path) => path.startsWith('/v1/') && !path.includes('{'));
    const asked = [
      ...lists.map((path) => `/api${path}`),
      `/api/v1/transactions/${ids.done}`,
      ...['transactions', `transactions/${ids.done}`, 'vaults', 'whitelist'].map(
        (path) => `/custody/${path}`,
      ),
      ...['/', '/transactions', `/transactions/${ids.done}`, '/documents', '/sync/quarantine', '/movements'],
    ];
    const told: string[] = [];
    for (const path of asked) {
      const answer = await server.get(path);
      const text = await answer.text();
      expect([path, answer.status >= 500, text.length < 2 ** 19]).toEqual([path, false, true]);
      if (text.includes('too long')) told.push(path);
    }
    expect(told).toEqual(
      expect.arrayContaining([
        '/api/v1/transactions',
        '/api/v1/transactions.csv',
        `/api/v1/transactions/${ids.done}`,
        '/api/v1/changes',
        '/api/v1/vaults',
        `/custody/transactions/${ids.done}`,
        '/custody/vaults',
        `/transactions/${ids.done}`,
      ]),
    );
  },
  300_000,
);

test('a record that is short as stored and long as shown is shown by its digest', async () => {
  const { store, server } = await openTransactionsWorld();
  const numbers = '(select jsonb_agg(1e400) from generate_series(1, 10000))';
  await store.query(
    `update custody.transactions set raw = jsonb_build_object('z', ${numbers}) where transaction_id = $1`,
    [ids.done],
  );
  const [stored] = await store.query<{ bytes: number; shown: number }>(
    `select pg_column_size(raw) as bytes, octet_length(raw::text) as shown from custody.transactions where transaction_id = $1`,
    [ids.done],
  );
  expect(stored?.bytes).toBeLessThan(2 ** 12);
  expect(stored?.shown).toBeGreaterThan(2 ** 21);
  for (const path of [`/api/v1/transactions/${ids.done}`, `/custody/transactions/${ids.done}`]) {
    const text = await (await server.get(path)).text();
    expect([path, text.length < 2 ** 19, text.includes('too long')]).toEqual([path, true, true]);
  }
});
