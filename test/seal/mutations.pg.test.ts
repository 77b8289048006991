// What a superuser changes in sealed history, with triggers off, is found, and the first row is named.
// The kinds of change and the rows are drawn; SEAL_SEED draws the same ones again, SEAL_MUTATIONS sets
// how many.
import { expect, test } from 'vitest';
import { roomOfPass } from '../../src/seal/reading.ts';
import { intervalTables, type SealedTable, sealedTables } from '../../src/seal/tables.ts';
import { sized } from '../support/form.ts';
import { account } from '../support/store.ts';
import { createRandom, otherValue } from './random-changes.ts';
import { openHistory, roomsOfPass, type SealedHistory, snapshots } from './sealed-history.ts';

const seed = sized({ short: Date.now() % 1_000_000, long: Date.now() % 1_000_000 }, 'SEAL_SEED');
const mutations = sized({ short: 15, long: 1_000 }, 'SEAL_MUTATIONS');

const byName = new Map([...sealedTables, ...intervalTables].map((table) => [table.name, table]));
const histories = sealedTables.map(({ name }) => name);
const intervals = intervalTables.map(({ name }) => name);
const tables = [...histories, ...intervals];

interface Expected {
  readonly kind: 'changed' | 'removed' | 'inserted' | 'moved';
  readonly table: string;
  readonly key: readonly string[];
  /** Of a snapshot, the column of a balance that was changed. */
  readonly balance?: { readonly table: string; readonly column: string };
}

const micros = (column: string) => `((extract(epoch from ${column}) * 1000000)::bigint)::text`;

function tableOf(name: string): SealedTable {
  const table = byName.get(name);
  if (table === undefined) throw new Error(`${name} is not sealed`);
  return table;
}

/** The key of a row of a history, as a select list. */
function keyOf(name: string): string {
  const { key, columns } = tableOf(name);
  const parts = key.map((column) =>
    columns.get(column) === 'timestamp with time zone' ? micros(`t.${column}`) : `t.${column}::text`,
  );
  return `array[${parts.join(', ')}]`;
}

async function mutate(history: SealedHistory, random: ReturnType<typeof createRandom>): Promise<Expected> {
  const table = random.pick(tables);
  return intervals.includes(table)
    ? await mutateInterval(history, random, table)
    : await mutateRow(history, random, table);
}

async function draw(
  history: SealedHistory,
  random: ReturnType<typeof createRandom>,
  table: string,
  select: string,
) {
  const rows = await history.store.query<{ ctid: string; [name: string]: unknown }>(
    `select t.ctid::text, ${select} from ${table} t where t.account_id = '${account}' order by t.ctid`,
  );
  return random.pick(rows);
}

async function mutateRow(
  history: SealedHistory,
  random: ReturnType<typeof createRandom>,
  table: string,
): Promise<Expected> {
  const { key: names, columns } = tableOf(table);
  const row = await draw(history, random, table, `t.change_id::int as place, ${keyOf(table)} as key`);
  const key = row['key'] as string[];
  const place = row['place'] as number;
  const kind = random.pick(['changed', 'removed', 'inserted', 'moved'] as const);
  const own = `where ctid = '${row.ctid}'`;
  if (kind === 'removed') await history.unguarded(`delete from ${table} ${own}`);
  if (kind === 'changed') {
    const stored = [...columns].filter(([name]) => !['account_id', 'change_id'].includes(name));
    const [name, type] = random.pick(stored);
    const value = name === 'vault_type' && table === snapshots ? `'other'` : otherValue(`"${name}"`, type);
    await history.unguarded(`update ${table} set "${name}" = ${value} ${own}`);
  }
  if (kind === 'moved') {
    // To a number that another row has or none, or in exchange with another row of the table.
    const [{ least, last }] = (await history.store.query(
      `select min(change_id)::int as least, max(change_id)::int as last from ${table} where account_id = '${account}'`,
    )) as [{ least: number; last: number }];
    const to = least + random.below(last - least + 2);
    if (to === place || random.below(2) === 0) {
      const other = await draw(history, random, table, `t.change_id::int as place, ${keyOf(table)} as key`);
      if (other.ctid === row.ctid) return await mutateRow(history, random, table);
      await history.unguarded(
        `update ${table} set change_id = case when ctid = '${row.ctid}' then ${other['place']} else ${place} end where ctid in ('${row.ctid}', '${other.ctid}')`,
      );
      const first = place < (other['place'] as number) ? key : (other['key'] as string[]);
      return { kind, table, key: first };
    }
    await history.unguarded(`update ${table} set change_id = ${to} ${own}`);
  }
  if (kind === 'inserted') {
    // A copy under another key, with the number of the row, or the next.
    const last = names[names.length - 1] ?? '';
    const type = columns.get(last) ?? '';
    const [{ sealed }] = (await history.store.query(
      `select max(last_change_id)::int as sealed from sync.seal_checkpoints where account_id = '${account}'`,
    )) as [{ sealed: number }];
    // Behind the last sealed row it would be one that is not sealed yet.
    const number = Math.min(place + random.below(2), sealed);
    const into = [...columns.keys()];
    const values = into.map((name) => {
      if (name === 'change_id') return String(number);
      if (name !== last) return `"${name}"`;
      return type === 'integer' ? `"${name}" + 1000` : otherValue(`"${name}"`, type);
    });
    await history.unguarded(
      `insert into ${table} (${into.map((name) => `"${name}"`).join()}) select ${values.join()} from ${table} ${own}`,
    );
    const newLast = type === 'integer' ? Number(key.at(-1)) + 1_000 : BigInt(key.at(-1) ?? '') + 1n;
    return { kind, table, key: [...key.slice(0, -1), String(newLast)] };
  }
  return { kind, table, key };
}

/** Constraints stop a superuser no longer than triggers do. */
async function dropChecks(history: SealedHistory, table: string): Promise<void> {
  const checks = await history.store.query<{ name: string }>(
    `select conname as name from pg_constraint where conrelid = $1::regclass and contype = 'c'`,
    [table],
  );
  for (const { name } of checks) await history.store.query(`alter table ${table} drop constraint "${name}"`);
}

/** A change of balances shows in the first snapshot that they begin or end with. */
async function mutateInterval(
  history: SealedHistory,
  random: ReturnType<typeof createRandom>,
  table: string,
): Promise<Expected> {
  const { key: names } = tableOf(table);
  const columns = new Map([...tableOf(table).columns].filter(([name]) => name !== 'valid_to'));
  const snapshotOf = (moment: string) => `(select ${keyOf(snapshots)} from ${snapshots} t
    where t.account_id = '${account}' and t.vault_type = i.vault_type and t.snapshot_at = ${moment})`;
  const rows = await history.store.query<{
    ctid: string;
    begun: string[];
    ended: string[] | null;
    other: string[];
  }>(
    `select i.ctid::text, ${snapshotOf('i.valid_from')} as begun, ${snapshotOf('i.valid_to')} as ended
     from ${table} i where i.account_id = '${account}' order by i.ctid`,
  );
  const { ctid, begun, ended } = random.pick(rows);
  const own = `where ctid = '${ctid}'`;
  const changed = { kind: 'changed', table: snapshots, key: begun } as const;
  const into = [...columns.keys()];
  switch (random.pick(['changed', 'removed', 'inserted', 'orphan', 'ended'] as const)) {
    case 'changed': {
      const [name, type] = random.pick(
        [...columns].filter(([column]) => !['account_id', 'vault_type', 'valid_from'].includes(column)),
      );
      await history.unguarded(`update ${table} set "${name}" = ${otherValue(`"${name}"`, type)} ${own}`);
      return table === 'custody.balances' ? { ...changed, balance: { table, column: name } } : changed;
    }
    case 'removed':
      await history.unguarded(`delete from ${table} ${own}`);
      return changed;
    case 'inserted':
      await history.unguarded(
        `insert into ${table} (${into.join()}, valid_to) select ${into.map((name) => (name === 'asset_id' ? `'more'` : name)).join()}, valid_to from ${table} ${own}`,
      );
      return changed;
    case 'orphan': {
      const at = `valid_from + interval '1 microsecond'`;
      await history.unguarded(
        `insert into ${table} (${into.join()}) select ${into.map((name) => (name === 'valid_from' ? at : name)).join()} from ${table} ${own}`,
      );
      const [{ key }] = (await history.store.query(
        `select array[${names.map((name) => (name === 'valid_from' ? micros(at) : `"${name}"`)).join()}] as key from ${table} ${own}`,
      )) as [{ key: string[] }];
      return { kind: 'inserted', table, key };
    }
    case 'ended':
      if (ended === null) return await mutateInterval(history, random, table);
      await history.unguarded(`update ${table} set valid_to = null ${own}`);
      return { kind: 'changed', table: snapshots, key: ended };
  }
}

test(`of ${mutations} changes by a superuser each is found, and the first row is named (SEAL_SEED=${seed})`, async () => {
  // All at once, or in many passes.
  const rooms = roomsOfPass({ leaves: 40, intervals: 3, keys: 12 });
  const history = await openHistory();
  const { query } = history.store;
  await history.grow();
  await history.grow();
  await history.seal({ atOnce: 50 });
  await history.grow();
  await history.seal({ atOnce: 50 });
  expect(await history.verify()).toMatchObject({ finding: null });
  for (const table of tables) await dropChecks(history, table);
  await query('drop index custody.balances_current_idx, custody.unreadable_balances_current_idx');
  for (const table of tables) await query(`create table "kept ${table}" as table ${table}`);
  const random = createRandom(seed);
  for (let nth = 0; nth < mutations; nth += 1) {
    const expected = await mutate(history, random);
    Object.assign(roomOfPass, random.pick(rooms));
    const { finding } = await history.verify(random.below(2) === 0 ? history.file : null);
    expect(finding, `mutation ${nth}`).toMatchObject(expected);
    for (const table of tables)
      await history.unguarded(`delete from ${table}; insert into ${table} select * from "kept ${table}"`);
  }
  expect((await history.verify()).finding).toBeNull();
}, 3_600_000);
