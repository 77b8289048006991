// The time of a request, with a statement under way: over the deadline, or with the client gone, it is
// cancelled on the server and its connection serves others.
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { withDeadline } from '../../../src/http/request/deadline.ts';
import { guardedStream } from '../../../src/http/request/guarded-stream.ts';
import type { Database } from '../../../src/store/postgres/database.ts';
import { askSlowly, serve } from '../../server/serve.ts';
import { testDatabase } from '../../support/database.ts';
import { open } from '../../support/store.ts';
import { waitFor } from '../../support/wait-for.ts';

const sleep = (database: Database, signal: AbortSignal) =>
  database.transact('sleep', (tx) => tx.run('sleep', (db) => db.execute(sql`select pg_sleep(600)`)), {
    signal,
  });

async function serveSleeps(ms: number) {
  const test = await testDatabase();
  const database = open(test.url, { maxConnections: 1 });
  const server = await serve((app) => {
    for (const path of ['/api/v1/slow', '/custody/slow', '/slow'])
      app.get(path, async (c) => {
        await withDeadline(c, ms, (signal) => sleep(database, signal));
        return c.text('never');
      });
    app.get('/quick', async (c) => {
      await withDeadline(c, ms, (signal) =>
        database.transact('quick', (tx) => tx.run('quick', (db) => db.execute(sql`select 1`)), { signal }),
      );
      return c.text('quick');
    });
    app.get('/stubborn', (c) => withDeadline(c, 50, () => new Promise<Response>(() => undefined)));
  });
  const asleep = async () =>
    (
      await test.query<{ count: number }>(
        "select count(*)::int from pg_stat_activity where datname = current_database() and state = 'active' and query like '%pg_sleep%' and pid <> pg_backend_pid()",
      )
    )[0]?.count;
  return { ...server, database, asleep };
}

test('over the deadline the statement is cancelled, the answer has the form of its surface, and the connection is free', async () => {
  const { url, asleep } = await serveSleeps(300);
  const problem = await fetch(`${url}/api/v1/slow`);
  expect([problem.status, problem.headers.get('retry-after')]).toEqual([503, '5']);
  expect(problem.headers.get('content-type')).toBe('application/problem+json');
  expect(await problem.json()).toMatchObject({
    type: '/api#timeout',
    title: 'The response took too long',
    code: 'timeout',
    status: 503,
    detail: expect.stringContaining('longer than 0.3 s'),
  });
  const custody = await fetch(`${url}/custody/slow`);
  expect(custody.status).toBe(400);
  expect(await custody.json()).toMatchObject({
    error_code: 'ERR-01',
    error_message: 'Internal server error',
    code: '400',
  });
  expect((await fetch(`${url}/slow`)).status).toBe(503);
  await expect.poll(asleep).toBe(0);
  expect(await (await fetch(`${url}/quick`)).text()).toBe('quick');
});

test('a request is answered in time even if its work ignores the abort', async () => {
  const { url } = await serveSleeps(10_000);
  expect((await fetch(`${url}/stubborn`)).status).toBe(503);
});

test('a client that goes away takes its statement with it', async () => {
  const { url, port, asleep, metrics } = await serveSleeps(600_000);
  const asked = await askSlowly(port, '/slow');
  await waitFor(async () => (await asleep()) === 1, { what: 'the statement under way' });
  asked.socket.destroy();
  await waitFor(async () => (await asleep()) === 0, { what: 'the end of the statement' });
  expect(await (await fetch(`${url}/quick`)).text()).toBe('quick');
  const { values } = await metrics.httpRequests.get();
  expect(values).toContainEqual(
    expect.objectContaining({ labels: { route: '/slow', status: 'closed' }, value: 1 }),
  );
});

test('a stream that is read from the database gives its connection back when its client takes nothing', async () => {
  const { url: databaseUrl } = await testDatabase();
  const database = open(databaseUrl, { maxConnections: 1 });
  async function* rows(signal: AbortSignal) {
    for (;;) {
      const part = await database.transact(
        'part',
        (tx) =>
          tx.run('part', (db) => db.execute<{ text: string }>(sql`select repeat('x', 1000000) as text`)),
        { signal },
      );
      yield part.rows[0]?.text ?? '';
    }
  }
  const { port, metrics } = await serve((app) => {
    app.get('/csv', (c) => c.body(guardedStream(c, rows, { stallMs: 300 })));
  });
  await askSlowly(port, '/csv');
  await waitFor(async () => (await metrics.httpCuts.get()).values.length > 0, { what: 'the cut' });
  const one = await database.transact('one', (tx) => tx.run('one', (db) => db.execute(sql`select 1 as one`)));
  expect(one.rows).toEqual([{ one: 1 }]);
});
