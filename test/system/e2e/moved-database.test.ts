// The address of the database leads elsewhere while processes run: to a standby for a while, to a server that
// was promoted, to another host; or every connection is lost at once. Real servers with replication.
import { expect } from 'vitest';
import { environment, serveSandbox, sync } from '../../support/command.ts';
import { type Daemon, startDaemon, stopGracefully, untilWriter } from '../../support/daemon.ts';
import { testDatabase } from '../../support/database.ts';
import { longTest } from '../../support/form.ts';
import { openGate } from '../../support/gate.ts';
import { runHere } from '../../support/in-process.ts';
import { type ReplicatedServer, startReplicated } from '../../support/replicated.ts';
import { startServe } from '../../support/serve.ts';
import { waitFor } from '../../support/wait-for.ts';

/** The tables are made first. */
const patient = { deadlineMs: 60_000 };

/** Waits for a run that begins after this moment and succeeds. */
async function untilMirroredAgain({ query }: Pick<ReplicatedServer, 'query'>) {
  const last = 'select coalesce(max(run_id), 0)::int as id from sync.runs';
  const [before] = await query<{ id: number }>(last);
  const succeeded = `select from sync.runs where status = 'succeeded' and run_id > ${before?.id}`;
  await waitFor(async () => (await query(succeeded)).length > 0, { what: 'a run' });
}

const untilReady = (daemon: Daemon, status: number) =>
  waitFor(async () => (await daemon.get('/readyz')).status === status, {
    what: `readyz to answer ${status}`,
  });

const readOnly = /database custody on 127\.0\.0\.1:\d+ is read-only: .*DATABASE_URL/;

longTest(
  'a daemon whose address leads to a standby for a while is not ready, says why, and writes again',
  async () => {
    const { primary, replica, untilCaughtUp, promote } = await startReplicated();
    const gate = await openGate(primary.url);
    const service = await serveSandbox({ transactions: 30 });
    const daemon = await startDaemon(service, gate, { LEASE_TTL_MS: '10000' }, patient);
    await untilWriter(primary, daemon);
    await untilMirroredAgain(primary);
    await untilReady(daemon, 200);

    gate.leadTo(replica.url);
    gate.set('pass');
    await untilReady(daemon, 503);
    await waitFor(async () => readOnly.test((await daemon.get('/readyz')).text), { what: 'the reason' });
    const { error } = JSON.parse((await daemon.get('/status.json')).text);
    expect(error).toMatchObject({ code: 'DATABASE-UNREACHABLE', message: expect.stringMatching(readOnly) });
    expect(await daemon.get('/healthz')).toMatchObject({ status: 200 });
    await daemon.output(/"msg":"lease lost"/);
    const told = await runHere(['doctor'], { env: environment(service, gate) });
    expect(told.stdout.replaceAll(/\s+/g, ' ')).toMatch(/FAULT writing database custody on \S+ is read-only/);
    expect(told.stdout).not.toContain('start custody-mirror run');

    gate.leadTo(primary.url);
    await untilReady(daemon, 200);
    await untilMirroredAgain(primary);

    // A switchover with both up: nothing cuts the connections to the old primary.
    await untilCaughtUp();
    await primary.query('alter system set default_transaction_read_only = on');
    await primary.query('select pg_reload_conf()');
    await untilReady(daemon, 503);
    await promote();
    gate.leadTo(replica.url);
    await untilReady(daemon, 200);
    await untilMirroredAgain(replica);
    await stopGracefully(daemon);
  },
  300_000,
);

longTest(
  'with several hosts a daemon follows the primary, and serve goes on when its replica is promoted or away',
  async () => {
    const { primary, replica, untilCaughtUp, promote, restartReplica } = await startReplicated();
    const { username, password, host: first } = new URL(primary.url);
    const { host: second } = new URL(replica.url);
    const at = (hosts: string) => `postgres://${username}:${password}@${hosts}/custody`;
    const service = await serveSandbox({ transactions: 30 });
    expect((await sync(service, primary)).code).toBe(0);
    await untilCaughtUp();
    const daemon = await startDaemon(
      service,
      {
        url: `${at(`${second},${first}`)}?target_session_attrs=read-write`,
      },
      {},
      patient,
    );
    await untilWriter(primary, daemon);
    const serve = await startServe({ url: at(`${second},${first}`) });
    const answers = async () => (await serve.get('/api/v1/transactions')).status === 200;
    expect(await answers()).toBe(true);
    await replica.stop();
    await waitFor(answers, { what: 'an answer from the other host' });
    await restartReplica();
    await untilCaughtUp();
    await promote();
    await primary.stop();
    await waitFor(answers, { what: 'an answer from the promoted host' });
    await untilMirroredAgain(replica);
    await untilReady(daemon, 200);
    await stopGracefully(daemon);
    await serve.end();
  },
  300_000,
);

longTest(
  'where all connections are lost and new ones work, the lease is kept and mirroring goes on',
  async () => {
    const database = await testDatabase();
    const gate = await openGate(database.url);
    const daemon = await startDaemon(await serveSandbox({ transactions: 30 }), gate, {
      LEASE_TTL_MS: '30000',
    });
    await untilWriter(database, daemon);
    await untilMirroredAgain(database);
    gate.forget();
    await untilMirroredAgain(database);
    // A renewal of the lease over a lost connection, too.
    const [held] = await database.query<{ token: string }>('select token from sync.leases');
    await waitFor(
      async () =>
        (
          await database.query(
            "select from sync.leases where expires_at > clock_timestamp() + interval '25 s'",
          )
        ).length > 0,
      { what: 'a renewal' },
    );
    expect(await database.query('select token from sync.leases')).toEqual([held]);
    expect(daemon.stderr() + daemon.stdout()).not.toContain('"msg":"lease lost"');
    await stopGracefully(daemon);
  },
  180_000,
);
