// A logical subscriber takes over the mirror as docs/scaling.md says, as a role that `grant` made a reader
// and that may replicate. It answers as the publisher does, also over an upgrade.
import { isDeepStrictEqual } from 'node:util';
import pg from 'pg';
import { expect, test } from 'vitest';
import { onCleanup } from '../../support/cleanup.ts';
import { environment, serveSandbox } from '../../support/command.ts';
import { testDatabase } from '../../support/database.ts';
import { longTest } from '../../support/form.ts';
import { laterVersion } from '../../support/later-version.ts';
import { runProcess } from '../../support/process.ts';
import { waitFor } from '../../support/wait-for.ts';
import { type LogicalMirror, logicalServer, publish, subscriptionTo } from './logical-mirror.ts';

/** Every row of what is published, and of the views on it, without what depends on the present moment. */
async function contents({ query }: LogicalMirror): Promise<Record<string, unknown>> {
  const relations = await query(`
    select c.oid::regclass::text as name,
      (select string_agg(format('r.%I', a.attname), ', ' order by a.attname) from pg_attribute a
       where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.atttypid <> 'interval'::regtype
         and not starts_with(a.attname, 'age_')) as columns
    from pg_class c where c.relkind in ('r', 'v')
      and c.relnamespace::regnamespace::text in ('custody', 'reporting')
    order by 1`);
  const digests = relations.map(
    ({ name, columns }) =>
      `select '${name}', (select md5(string_agg(row(${columns})::text, ',' order by row(${columns})::text)) from ${name} r)`,
  );
  const rows = await query(digests.join(' union all '));
  return Object.fromEntries(rows.map((row) => Object.values(row)));
}

/** Waits until both hold the same; says what differs when they do not in time. */
async function untilAgreed(publisher: LogicalMirror, subscriber: LogicalMirror): Promise<void> {
  let theirs: unknown;
  let ours: unknown;
  const agree = async () => {
    [theirs, ours] = await Promise.all([contents(publisher), contents(subscriber)]);
    return isDeepStrictEqual(theirs, ours);
  };
  await waitFor(agree, { intervalMs: 500 }).catch(() => undefined);
  expect(ours).toEqual(theirs);
}

const syncWith = async (service: { readonly url: string }, mirror: LogicalMirror, program?: string) => {
  const env = environment(service, mirror);
  const run = await runProcess(['sync'], { env, ...(program && { program }) });
  expect(run, run.stderr).toMatchObject({ code: 0 });
};

test('every table has a primary key, by which logical replication finds rows, and no column that is not replicated', async () => {
  const database = await testDatabase();
  const tables = await database.query(`
    select c.oid::regclass::text as name, c.relreplident as identity,
      exists (select from pg_index i where i.indrelid = c.oid and i.indisprimary) as keyed,
      c.relpersistence = 'p' and not exists
        (select from pg_attribute a where a.attrelid = c.oid and a.attgenerated <> '') as whole
    from pg_class c where c.relkind in ('r', 'p') and c.relnamespace::regnamespace::text in ('custody', 'sync', 'internal')`);
  expect(tables.length).toBeGreaterThan(20);
  expect(tables.filter(({ identity, keyed, whole }) => identity !== 'd' || !keyed || !whole)).toEqual([]);
});

longTest(
  'a logical subscriber answers what the mirror answers, follows it, and refuses to rewrite history',
  async () => {
    const [{ databases: theirs }, { databases: ours }, service] = await Promise.all([
      logicalServer('publisher'),
      logicalServer('subscriber'),
      serveSandbox(),
    ]);
    const { publisher } = theirs;
    const { subscriber } = ours;
    await Promise.all([publisher.migrate(), subscriber.migrate()]);
    await syncWith(service, publisher);
    await publish(publisher);
    await subscriber.query(subscriptionTo(publisher));
    await untilAgreed(publisher, subscriber);

    const listener = new pg.Client({ connectionString: subscriber.url });
    onCleanup(() => listener.end());
    await listener.connect();
    const heard: unknown[] = [];
    listener.on('notification', (notification) => heard.push(notification));
    await listener.query('listen custody_events');
    service.sandbox.world.insertTransaction('head', { status: 'pending' });
    service.sandbox.advance(20);
    await syncWith(service, publisher);
    await publisher.query(
      "insert into custody.asset_prices (account_id, asset_id, currency, as_of, price) values ('default', 'BTC', 'USD', now(), 1)",
    );
    await publisher.query('update custody.asset_prices set price = 2');
    await untilAgreed(publisher, subscriber);

    await expect(subscriber.query('delete from custody.transaction_status_history')).rejects.toThrow(
      'append-only',
    );
    await listener.query('select');
    expect(heard).toEqual([]);
    await subscriber.query('drop subscription mirror');
  },
  600_000,
);

longTest(
  'an upgrade loses nothing at a subscriber that is migrated first, nor at one that is migrated too late',
  async () => {
    const later = laterVersion(`
      alter table custody.asset_prices add column later text;
      create table custody.later (account_id text primary key)`);
    const [{ databases: theirs }, { databases: ours, log }, service] = await Promise.all([
      logicalServer('publisher'),
      logicalServer('early', 'late'),
      serveSandbox(),
    ]);
    const { publisher } = theirs;
    const { early, late } = ours;
    const all = [publisher, early, late];
    await Promise.all(all.map((mirror) => mirror.migrate()));
    await publisher.query(
      `insert into custody.accounts (account_id, base_url, first_seen_at) values ('default', '${service.url}', now())`,
    );
    const priceAt = (hour: number) =>
      publisher.query(`insert into custody.asset_prices (account_id, asset_id, currency, as_of, price)
        values ('default', 'BTC', 'USD', now() - interval '${hour} hours', ${hour})`);
    await priceAt(1);
    await publish(publisher);
    await early.query(subscriptionTo(publisher, 'early'));
    await late.query(subscriptionTo(publisher, 'late'));
    const prices = async ({ query }: LogicalMirror) =>
      Number((await query('select count(*)::int as prices from custody.asset_prices'))[0]?.['prices']);
    const until = (mirror: LogicalMirror, count: number) =>
      waitFor(async () => (await prices(mirror)) === count, { what: `${count} prices` });
    await Promise.all([until(early, 1), until(late, 1)]);

    await early.migrate(later);
    await priceAt(2);
    await Promise.all([until(early, 2), until(late, 2)]);
    await publisher.migrate(later);
    await priceAt(3);
    await publisher.query('update custody.asset_prices set price = price + 1');
    await publisher.query("insert into custody.later values ('default')");
    await until(early, 3);
    await early.query('alter subscription early refresh publication');
    await syncWith(service, publisher, later);
    await untilAgreed(publisher, early);
    expect(await early.query('select from custody.later')).toHaveLength(1);

    const missing = /custody\.asset_prices[^\n]* is missing replicated column[^\n]*later/;
    await waitFor(() => missing.test(log()), { what: 'the error that names the column' });
    expect(await prices(late)).toBe(2);
    await late.migrate(later);
    await late.query('alter subscription late refresh publication');
    await untilAgreed(publisher, late);
    await early.query('drop subscription early');
    await late.query('drop subscription late');
  },
  600_000,
);

longTest(
  'a subscriber without tables, or without a publication, is told so, and gets everything when it is made again',
  async () => {
    const [{ databases: theirs }, { databases: ours }] = await Promise.all([
      logicalServer('publisher'),
      logicalServer('subscriber'),
    ]);
    const { publisher } = theirs;
    const { subscriber } = ours;
    await publisher.migrate();
    await publish(publisher);
    const subscription = subscriptionTo(publisher);
    await expect(subscriber.query(subscription)).rejects.toThrow('"custody" does not exist');

    await subscriber.migrate();
    await publisher.query('drop publication mirror');
    const client = new pg.Client({ connectionString: subscriber.url });
    onCleanup(() => client.end());
    await client.connect();
    const notices: unknown[] = [];
    client.on('notice', ({ message }) => notices.push(message));
    await client.query(subscription);
    expect(notices).toContain('publication "mirror" does not exist on the publisher');
    await publisher.query(
      "insert into custody.accounts (account_id, base_url, first_seen_at) values ('default', 'https://custody.example', now())",
    );
    await client.query('drop subscription mirror');
    await publisher.query('drop owned by follower');
    await publisher.query('drop role follower');
    await publish(publisher);
    await client.query(subscription);
    await untilAgreed(publisher, subscriber);
    await client.query('drop subscription mirror');
  },
  600_000,
);
