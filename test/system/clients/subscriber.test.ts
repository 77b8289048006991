// A logical subscriber takes over the tables of the mirror as a role that `grant` made a reader and that may
// replicate.
import { expect } from 'vitest';
import { onCleanup } from '../../support/cleanup.ts';
import { environment, serveSandbox } from '../../support/command.ts';
import { newDataDirectory } from '../../support/data-directory.ts';
import { longTest } from '../../support/form.ts';
import { startPostgres } from '../../support/postgres.ts';
import { runProcess } from '../../support/process.ts';
import { withClient } from '../../support/server.ts';
import { waitFor } from '../../support/wait-for.ts';

async function serverWithMirror() {
  const dataDirectory = newDataDirectory('custody-mirror-replica');
  const server = await startPostgres({
    dataDirectory,
    persistent: false,
    settings: { wal_level: 'logical' },
  });
  onCleanup(server.stop);
  await server.createDatabase('mirror');
  const url = server.url('mirror');
  const query = (sql: string) => withClient(url, async (client) => (await client.query(sql)).rows);
  const migrated = await runProcess(['migrate'], { env: { DATABASE_URL: url } });
  expect(migrated, migrated.stderr).toMatchObject({ code: 0 });
  return { url, port: server.port, query };
}

longTest(
  'a logical subscriber holds what the mirror holds, and follows it',
  async () => {
    const [publisher, subscriber, service] = await Promise.all([
      serverWithMirror(),
      serverWithMirror(),
      serveSandbox(),
    ]);
    const sync = () => runProcess(['sync'], { env: environment(service, publisher) });
    expect(await sync()).toMatchObject({ code: 0 });
    await publisher.query("create role follower login replication password 'follower'");
    expect(await runProcess(['grant', 'follower'], { env: { DATABASE_URL: publisher.url } })).toMatchObject({
      code: 0,
    });
    await publisher.query('create publication mirror for tables in schema custody');
    await subscriber.query(
      `create subscription mirror connection 'host=127.0.0.1 port=${publisher.port} dbname=mirror user=follower password=follower'
     publication mirror`,
    );
    const contents = `select (select md5(string_agg(t::text, ',' order by t::text)) from custody.transactions t) as transactions,
    (select md5(string_agg(h::text, ',' order by h::text)) from custody.transaction_status_history h) as history,
    (select md5(string_agg(b::text, ',' order by b::text)) from custody.balances b) as balances`;
    const agree = async () => {
      const [theirs, ours] = await Promise.all([publisher.query(contents), subscriber.query(contents)]);
      return JSON.stringify(theirs) === JSON.stringify(ours);
    };
    await waitFor(agree, { what: 'the subscriber to hold what was there' });
    service.sandbox.world.insertTransaction('head', { status: 'pending' });
    expect(await sync()).toMatchObject({ code: 0 });
    await waitFor(agree, { what: 'the subscriber to follow' });
    await subscriber.query('drop subscription mirror');
  },
  600_000,
);
