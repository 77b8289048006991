// A history has a name, and gets another where rows may be missing: in a copy of the database, after its
// tables were created anew, and on a server that was started since. A place of a name that ended is refused
// for good, up to where both histories are the same.
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { bindAccount } from '../../../src/store/run/accounts.ts';
import { keepHistory, readHistory, sharedUpTo, writeHistory } from '../../../src/store/run/histories.ts';
import { withFence } from '../../../src/store/run/leases.ts';
import { requestSync } from '../../../src/store/run/sync-requests.ts';
import { lockMigrations } from '../../../src/store/schema/migrate.ts';
import { type Api, type Body, startApi } from '../../api/documented-api.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { testRole } from '../../support/roles.ts';
import { withClient } from '../../support/server.ts';
import { account, lease, open, openStore } from '../../support/store.ts';
import { waitFor } from '../../support/wait-for.ts';
import { writerOf } from '../../support/writer.ts';

async function writing(of: TestDatabase) {
  return { ...of, ...(await writerOf(of)) };
}

const names = ({ query }: Pick<TestDatabase, 'query'>) =>
  query<{ history: string; began_after: string }>(
    'select history, began_after from custody.histories order by ordinal',
  );

const idsOf = ({ data }: Body) => data.map(({ resource_id }) => resource_id);

interface Conflict {
  readonly code: string;
  readonly resume: { readonly after: number; readonly history: string };
}

async function conflict(api: Api, after: number, history: string) {
  const answer = await api.get(`/api/v1/changes?after=${after}&history=${history}`);
  return { status: answer.status, body: (await answer.json()) as Conflict };
}

test('a copy of the database gets a name of its own, and numbers given out twice are distinguished', async () => {
  const first = await writing(await openStore());
  await first.commit('a', 'b');
  const copy = await testDatabase({ copyOf: first });
  // The first one goes on, and what it wrote is lost with it.
  await first.commit('lost 1', 'lost 2');
  const before = await (await startApi(first.url)).json('/api/v1/changes?limit=1');

  const restored = await writing(copy);
  await restored.commit('new 1', 'new 2', 'new 3');
  const [one, two, ...others] = await names(restored);
  expect([await names(first), others]).toEqual([[one], []]);
  expect(two?.history).not.toBe(one?.history);
  const shared = Number(two?.began_after);
  expect(before.last_change_id).toBe(shared + 2);

  const api = await startApi(copy.url);
  const { status, body } = await conflict(api, before.last_change_id, before.history);
  expect({ status, body }).toMatchObject({
    status: 409,
    body: { code: 'history-changed', resume: { after: shared } },
  });
  // For good, although as many numbers were given out again, and told from where to go on.
  const { after, history } = body.resume;
  expect(idsOf(await api.json(`/api/v1/changes?after=${after}&history=${history}`))).toEqual([
    'new 1',
    'new 2',
    'new 3',
  ]);
  // What is the same in both is followed without a break.
  const rest = await api.json(`/api/v1/changes?after=${shared - 1}&history=${before.history}`);
  expect(idsOf(rest)).toEqual(['b', 'new 1', 'new 2', 'new 3']);
  expect(rest.history).toBe(history);
});

test('a writer whose tables are replaced while it writes draws a name before its next row', async () => {
  const writer = await writing(await openStore());
  await writer.commit('a');
  // As pg_restore --clean: the same server, the same database, the rows of the dump in a new table.
  await writer.query(`create table custody.h (like custody.histories including all);
    insert into custody.h select * from custody.histories; drop table custody.histories;
    alter table custody.h rename to histories`);
  await writer.commit('b');
  await writer.commit('c');
  const [one, two, ...others] = await names(writer);
  const numbers = await writer.query<{ id: string; change: string }>(
    'select transaction_id as id, change_id as change from custody.transaction_status_history order by change_id',
  );
  expect([one?.began_after, others]).toEqual(['0', []]);
  expect(numbers.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  expect(two?.began_after).toBe(numbers[0]?.change);
});

test('a sequence behind the rows goes on after them, and another writer keeps its name', async () => {
  const writer = await writing(await openStore());
  await writer.commit('a', 'b', 'c');
  const copy = await testDatabase({ copyOf: writer });
  // As logical replication leaves it.
  await copy.query("select setval('custody.change_ids', 1, false)");
  const restored = await writing(copy);
  await restored.commit('d');
  const changes = await copy.query<{ change: string }>(
    'select change_id as change from custody.transaction_status_history order by transaction_id',
  );
  const numbers = changes.map(({ change }) => Number(change));
  expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
  const found = await names(restored);
  await restored.query("update sync.leases set expires_at = '-infinity'");
  await (await writing(copy)).commit('e');
  expect(await names(restored)).toEqual(found);
});

test('a commit that fails leaves no name, and the next one draws it', async () => {
  const copy = await testDatabase({ copyOf: await openStore() });
  const database = open(copy.url);
  const own = await lease(database);
  const [one] = await names(copy);
  const failing = withFence(database, own, 'fail', async () => {
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(await names(copy)).toEqual([one]);
  await withFence(database, own, 'succeed', async () => undefined);
  expect(await names(copy)).toHaveLength(2);
});

test('a place of a name that the database never saw leads back to where the histories part', async () => {
  const first = await writing(await openStore());
  await first.commit('a');
  const dump = await testDatabase({ copyOf: first });
  await first.commit('b');
  const second = await testDatabase({ copyOf: first });
  const later = await writing(second);
  await later.commit('c');
  const place = await (await startApi(second.url)).json('/api/v1/changes?limit=1');
  // The older dump is restored, which knows nothing of the name in between.
  const oldest = await writing(dump);
  await oldest.commit('x', 'y', 'z', 'zz');
  const [, drawn] = await names(oldest);
  const api = await startApi(dump.url);
  expect((await conflict(api, place.last_change_id, place.history)).body).toMatchObject({
    code: 'history-changed',
    resume: { after: Number(drawn?.began_after) },
  });
  // Nor of any: from the beginning.
  expect((await conflict(api, 2, 'ffffffffffff-0')).body).toMatchObject({ resume: { after: 0 } });
});

test('a position needs its history, and a foreign text is none', async () => {
  const writer = await writing(await openStore());
  await writer.commit('a');
  const api = await startApi(writer.url);
  for (const query of ['after=1', 'after=1&history=x', 'history=4f0c2a91b7de-0.'])
    expect((await api.get(`/api/v1/changes?${query}`)).status).toBe(400);
});

test('a cursor of a list goes on only in its history', async () => {
  const writer = await writing(await openStore());
  await writer.commit('a', 'b', 'c', 'd');
  const api = await startApi(writer.url);
  const path = '/api/v1/transactions?limit=2&sort=transaction_id';
  const { next_cursor: cursor } = await api.json(path);
  const dump = await testDatabase({ copyOf: writer });
  await writer.commit('e');
  const { next_cursor: later } = await api.json(path);
  const restored = await writing(dump);
  await restored.commit('f');
  const there = await startApi(dump.url);
  // Everything that the first page could have shown is there.
  expect((await there.json(`${path}&cursor=${cursor}`)).data).toHaveLength(2);
  const refused = await there.get(`${path}&cursor=${later}`);
  expect([refused.status, await refused.json()]).toMatchObject([409, { code: 'history-changed' }]);
});

test('up to where two histories are the same, by the names that a place carries', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((letter, at) => ({ name: letter.repeat(12), beganAfter: at * 100 }));
  if (a === undefined || b === undefined || c === undefined) throw new Error('three names');
  expect(sharedUpTo([b, a], [b, a])).toBe(Number.POSITIVE_INFINITY);
  expect(sharedUpTo([a], [b, a])).toBe(100);
  expect(sharedUpTo([b, a], [a])).toBe(100);
  expect(sharedUpTo([c, b, a], [{ ...c, name: 'd'.repeat(12) }, a])).toBe(100);
  expect(sharedUpTo([b], [c, a])).toBe(0);
  expect(sharedUpTo([], [a])).toBe(0);
  const many = Array.from({ length: 40 }, (_, at) => ({ ...a, beganAfter: 40 - at }));
  expect(readHistory(writeHistory(many) ?? '')).toEqual(many.slice(0, 16));
  expect([writeHistory([]), readHistory(''), readHistory('a-1')]).toEqual([null, null, null]);
});

test('the origin of a server that was started since is another one', async () => {
  const store = await openStore();
  await withFence(store.database, store.lease, 'first', async () => undefined);
  await withFence(store.database, store.lease, 'another', async (tx) => {
    await keepHistory(tx, store.lease.account, 'another start', store.lease.clock.now());
  });
  expect(await names(store)).toHaveLength(2);
});

const waits = `select from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock'`;

/** A copy whose tables with an identity hold a row 50 that their sequences do not know. */
async function loaded() {
  const copy = await testDatabase({ copyOf: await openStore() });
  // The history has its name before the load.
  await withFence(open(copy.url), await lease(open(copy.url)), 'before', async () => undefined);
  const identities = await copy.query<{ name: string; key: string }>(`
    select format('%I.%I', table_schema, table_name) as name, column_name as key from information_schema.columns
    where table_schema in ('custody', 'sync', 'internal') and is_identity = 'YES' order by 1`);
  expect(identities.length).toBeGreaterThan(4);
  for (const { name, key } of identities) {
    const columns = await copy.query<{ column: string }>(`
      select quote_ident(attname) as column from pg_attribute
      where attrelid = '${name}'::regclass and attnum > 0 and attnotnull and attname not in ('account_id', '${key}')`);
    for (const { column } of columns)
      await copy.query(`alter table ${name} alter ${column} drop default, alter ${column} drop not null`);
    await copy.query(
      `insert into ${name} (account_id, ${key}) overriding system value
       select account_id, 50 from custody.accounts`,
    );
  }
  return { ...copy, identities };
}

test('every identity goes on after the rows of a load that left its sequence behind', async () => {
  const { identities, ...copy } = await loaded();
  await withFence(open(copy.url), await lease(open(copy.url)), 'first', async () => undefined);
  for (const { name, key } of identities.filter(({ key }) => key !== 'fee_rule_id'))
    expect(
      await copy.query(`select nextval(pg_get_serial_sequence('${name}', '${key}'))::int as next`),
      name,
    ).toEqual([{ next: 51 }]);
});

test('a load under a living writer is noticed by the first key that is taken, and every number goes on', async () => {
  const copy = await loaded();
  const held = await lease(open(copy.url));
  const write = () =>
    withFence(open(copy.url), held, 'write', (tx) =>
      tx.ask(
        'write',
        sql`insert into sync.runs (account_id) values (${account}) returning run_id::int as id`,
      ),
    );
  expect(await write()).toEqual([{ id: 51 }]);
  await copy.query(`insert into sync.runs (account_id, run_id) overriding system value
    select '${account}', n from generate_series(52, 70) as n`);
  await copy.query(
    `insert into sync.anomalies (account_id, anomaly_id) overriding system value values ('${account}', 80)`,
  );
  await copy.query("select setval('custody.change_ids', 1)");
  await copy.query(
    `insert into custody.document_revisions (account_id, kind, document_id, revision, observed_at, change, document, run_id, change_id)
     values ('${account}', 'vault', 'v', 1, now(), 'added', '{}', 1, 90)`,
  );
  expect(await write()).toEqual([{ id: 71 }]);
  for (const [sequence, next] of Object.entries({
    "pg_get_serial_sequence('sync.anomalies', 'anomaly_id')": 81,
    "'custody.change_ids'": 91,
  }))
    expect(await copy.query(`select nextval(${sequence})::int as next`)).toEqual([{ next }]);
});

test('what people and commands write before a lease goes on after the rows of a load', async () => {
  const copy = await loaded();
  const wish = { resources: null, isFull: false, trustEmpty: false };
  expect(await requestSync(open(copy.url), account, 'here', wish)).toBe(51n);
  const editor = await testRole(copy);
  await copy.query(
    `grant usage on schema custody to ${editor.quoted}; grant select, insert on custody.fee_rules to ${editor.quoted}`,
  );
  await withClient(editor.url, async (session) => {
    const { rows } = await session.query(
      `insert into custody.fee_rules (account_id, network_id, asset_id) values ('${account}', 'n', 'a') returning fee_rule_id::int`,
    );
    expect(rows).toEqual([{ fee_rule_id: 51 }]);
  });
});

test('one writer at a time sets the numbers of fee rules forward: none is given out again', async () => {
  const copy = await loaded();
  const add = `insert into custody.fee_rules (account_id, network_id, asset_id)
    values ('${account}', gen_random_uuid()::text, 'a') returning fee_rule_id::int as id`;
  await withClient(copy.url, async (first) => {
    await first.query('begin; lock table custody.fee_rules in share update exclusive mode');
    // It has seen that the sequence is behind before the first one sets it.
    const second = copy.query(add);
    await waitFor(async () => (await copy.query(waits)).length > 0, {
      what: 'the first writer to be waited for',
    });
    expect((await first.query(add)).rows).toEqual([{ id: 51 }]);
    // Nobody waits who finds it set.
    expect(await copy.query(add)).toEqual([{ id: 52 }]);
    await first.query('commit');
    expect(await second).toEqual([{ id: 53 }]);
  });
  // Whoever may write rules may name a number, and takes all others with the last one if the sequence follows.
  await copy.query(`insert into custody.fee_rules (account_id, network_id, asset_id, fee_rule_id)
    values ('${account}', 'greatest', 'a', 9223372036854775807)`);
  expect(await copy.query(add)).toEqual([{ id: 54 }]);
});

test('a sequence is set forward only while nobody draws from it: no number is given out again', async () => {
  const store = await openStore();
  await bindAccount(store.database, { account: 'other', baseUrl: 'https://other.example', timeZone: 'UTC' });
  const add = (of: string, changeId = "nextval('custody.change_ids')") =>
    `insert into custody.document_revisions (account_id, kind, document_id, revision, observed_at, change, document, run_id, change_id)
     values ('${of}', 'vault', gen_random_uuid()::text, 1, now(), 'added', '{}', 1, ${changeId}) returning change_id::int as id`;
  await store.query(add(account, '50'));
  const copy = await testDatabase({ copyOf: store });
  await withClient(copy.url, async (writer) => {
    await writer.query('begin');
    await writer.query(add('other'));
    const setting = withFence(open(copy.url), await lease(open(copy.url)), 'first', async () => undefined);
    await waitFor(async () => (await copy.query(waits)).length > 0, { what: 'the writer to be waited for' });
    for (let drawn = 0; drawn < 60; drawn += 1) await writer.query(add('other'));
    await writer.query('commit');
    await setting;
  });
  const [last] = await copy.query<{ last: number }>(
    'select max(change_id)::int as last from custody.document_revisions',
  );
  const [next] = await copy.query<{ id: number }>(add('other'));
  expect(next?.id).toBe((last?.last ?? 0) + 1);
});

test('no lock is one that every role may take', async () => {
  const store = await openStore();
  const advisory = await withFence(store.database, store.lease, 'draw', async (tx) => {
    await keepHistory(tx, store.lease.account, 'another start', store.lease.clock.now());
    await lockMigrations(tx);
    return await tx.ask(
      'locks',
      sql`select mode from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()`,
    );
  });
  expect(advisory).toEqual([]);
});

test('who may write rules and prices holds up no commit', async () => {
  const store = await openStore();
  await withClient(store.url, async (writer) => {
    await writer.query('begin; lock table custody.fee_rules, custody.asset_prices');
    const [held] = await store.query("select from pg_locks where mode = 'AccessExclusiveLock' limit 1");
    expect(held).toBeDefined();
    await withFence(open(store.url), await lease(open(store.url)), 'first', async () => undefined);
  });
});
