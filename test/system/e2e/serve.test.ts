// What a process serves: by HTTP_SERVE, and `serve` for all accounts of a database, also on a replica.
import { expect, test } from 'vitest';
import { serveSandbox, sync } from '../../support/command.ts';
import { startDaemon, stopGracefully, untilWriter } from '../../support/daemon.ts';
import { testDatabase } from '../../support/database.ts';
import { longTest } from '../../support/form.ts';
import { runHere } from '../../support/in-process.ts';
import { startProcess } from '../../support/process.ts';
import { startReplicated } from '../../support/replicated.ts';
import { startServe } from '../../support/serve.ts';
import { waitFor } from '../../support/wait-for.ts';

const token = 'a-token-of-the-operator-that-is-long-enough';

async function startRows(database: { readonly url: string }, env: Readonly<Record<string, string>> = {}) {
  const serve = await startServe(database, env);
  const rows = async (path: string) => {
    const { text } = await serve.get(`/api/v1/${path}`);
    return (JSON.parse(text) as { data: Record<string, unknown>[] }).data;
  };
  return { ...serve, rows };
}

test('a writer that serves probes alone mirrors, reports its health, and holds no connection for readers', async () => {
  const database = await testDatabase();
  const daemon = await startDaemon(await serveSandbox(), database, { HTTP_SERVE: 'probes' });
  await untilWriter(database, daemon);
  expect((await daemon.get('/healthz')).status).toBe(200);
  // It waits for the database less than a busy machine may take.
  await waitFor(async () => (await daemon.get('/readyz')).status === 200, { what: 'the daemon to be ready' });
  expect((await daemon.get('/metrics')).text).toContain('custody_mirror_');
  for (const path of ['/', '/transactions', '/api/v1/transactions', '/custody/balances']) {
    const { status, text } = await daemon.get(path);
    expect([path, status, text]).toEqual([path, 404, expect.stringContaining('HTTP_SERVE=probes')]);
  }
  const pools = await database.query<{ name: string; connections: number }>(
    `select application_name as name, count(*)::integer as connections from pg_stat_activity
     where datname = current_database() and application_name like 'custody-mirror%' group by 1`,
  );
  expect(pools.map(({ name }) => name)).toEqual(['custody-mirror']);
  expect(pools[0]?.connections).toBeLessThanOrEqual(3);
  await stopGracefully(daemon);
});

test('serve shows every account of a database, needs no key of the service, and writes nothing', async () => {
  const database = await testDatabase();
  for (const [seed, account] of ['north', 'south'].entries()) {
    const service = await serveSandbox({ seed, transactions: 20 + seed });
    expect((await sync(service, database, { CUSTODY_ACCOUNT: account })).code).toBe(0);
  }
  const told = await runHere(['status', '--all'], { env: { DATABASE_URL: database.url } });
  expect(told).toMatchObject({ code: 0, stderr: '' });
  expect(told.stdout).toMatch(
    /^account +last success +state\nnorth +(just now|\d+ (s|min) ago) +Healthy\nsouth .* Healthy\n$/,
  );
  const serve = await startRows(database);
  expect(JSON.parse((await serve.get('/healthz')).text)).toMatchObject({ alive: true, role: 'reader' });
  expect((await serve.get('/readyz')).status).toBe(200);
  expect((await serve.rows('accounts')).map((row) => row['account_id'])).toEqual(['north', 'south']);
  expect(await serve.rows('transactions')).toHaveLength(20);
  expect(await serve.rows('transactions?account=south')).toHaveLength(21);
  expect((await serve.get('/custody/balances')).status).toBe(200);
  for (const account of ['north', 'south']) {
    const { text } = await serve.get(`/sync?account=${account}`);
    expect(text).toContain('This process only serves the pages and the API.');
    expect(text).not.toContain('Another process mirrors this account');
  }
  expect(await database.query('select from sync.leases where expires_at > clock_timestamp()')).toEqual([]);
  await database.query(`update sync.runs set status = 'failed', error_code = 'TIMEOUT', error_message = 'no answer'
    where account_id = 'south' and job = 'vaults'`);
  const failing = await runHere(['status', '--all', '--json'], { env: { DATABASE_URL: database.url } });
  expect([failing.code, JSON.parse(failing.stdout)]).toMatchObject([
    1,
    [
      { account: 'north', healthy: true },
      { account: 'south', healthy: false },
    ],
  ]);
  const { text } = await serve.get('/metrics');
  expect(text.match(/^custody_mirror_healthy\{.*$/gm)).toEqual([
    'custody_mirror_healthy{account="north"} 1',
    'custody_mirror_healthy{account="south"} 0',
  ]);
  expect(text).toMatch(/^custody_mirror_health_problem\{code="failing",.*account="south"\} 1$/m);
  // Nobody showed a token: what accounts do is not for everybody.
  expect(text).not.toMatch(/^custody_mirror_(open_since|payments|unexplained|moved)_/m);
  await serve.end();
  // An account that was chosen is not exchanged for another one.
  const chosen = await startServe(database, { CUSTODY_ACCOUNT: 'nroth' });
  expect((await chosen.get('/api/v1/transactions')).status).toBe(404);
  await chosen.end();
});

longTest(
  'metrics of serve show what each account does to holders of the token and of a key of all accounts alone',
  async () => {
    const database = await testDatabase();
    for (const [seed, account] of ['north', 'south'].entries())
      expect((await sync(await serveSandbox({ seed }), database, { CUSTODY_ACCOUNT: account })).code).toBe(0);
    const serve = await startServe(database, { HTTP_TOKEN: token });
    expect((await serve.get('/metrics')).status).toBe(401);
    const keyOf = async (...options: readonly string[]) => {
      const made = await runHere(['key', 'create', ...options], { env: { DATABASE_URL: database.url } });
      return made.stdout.trim();
    };
    const statusFor = async (key: string) => (await serve.get('/metrics', { 'x-api-key': key })).status;
    expect(await statusFor(await keyOf('one', '--account', 'north'))).toBe(403);
    expect(await statusFor(await keyOf('all'))).toBe(200);
    const known = /^custody_mirror_payments_non_whitelisted\{account="(north|south)"\} 0$/gm;
    await waitFor(
      async () => (await serve.get('/metrics', { 'x-api-key': token })).text.match(known)?.length === 2,
      { what: 'the figures of both accounts' },
    );
    await serve.end();
  },
);

longTest(
  'serve that began before the first account shows it once it is there, and where one is named no other',
  async () => {
    const database = await testDatabase();
    const begun = startProcess(['serve'], { env: { DATABASE_URL: database.url, HTTP_PORT: '0' } });
    await begun.output(/"msg":"waiting for the first account/);
    const named = await startRows(database, { CUSTODY_ACCOUNT: 'treasury' });
    const service = await serveSandbox({ transactions: 20 });
    expect((await sync(service, database, { CUSTODY_ACCOUNT: 'fund' })).code).toBe(0);
    const [, url = ''] = await begun.output(
      /"url":"(http:[^"]+)"[^\n]*"account":"fund","msg":"serving started"/,
    );
    expect((await fetch(`${url}/api/v1/transactions`)).status).toBe(200);
    expect(JSON.parse((await named.get('/status.json')).text)).toMatchObject({ account: 'treasury' });
    expect((await named.get('/api/v1/transactions')).status).toBe(404);
    expect((await sync(service, database, { CUSTODY_ACCOUNT: 'treasury' })).code).toBe(0);
    expect(await named.rows('transactions')).toHaveLength(20);
    await named.end();
    begun.kill('SIGTERM');
    expect(await begun.exit(10_000)).toEqual({ code: 0, signal: null });
  },
);

test('serve that waits for the first account stops on a signal', async () => {
  const { url } = await testDatabase();
  const waiting = startProcess(['serve'], { env: { DATABASE_URL: url, HTTP_PORT: '0' } });
  await waiting.output(/"msg":"waiting for the first account/);
  waiting.kill('SIGTERM');
  expect(await waiting.exit(10_000)).toEqual({ code: 0, signal: null });
});

test('serve on a database without the schema says what to do', async () => {
  const { code, stderr } = await runHere(['serve'], {
    env: { DATABASE_URL: (await testDatabase({ empty: true })).url, HTTP_PORT: '0' },
  });
  expect([code, stderr]).toEqual([1, expect.stringContaining('custody-mirror migrate')]);
});

test('serve with another database for readers that is not a mirror says so at once', async () => {
  const readers = (await testDatabase({ empty: true })).url;
  const { code, stderr } = await runHere(['serve'], {
    env: { DATABASE_URL: (await testDatabase()).url, HTTP_DATABASE_URL: readers, HTTP_PORT: '0' },
  });
  const told = `database ${new URL(readers).pathname.slice(1)} on `;
  expect([code, stderr]).toEqual([1, expect.stringContaining(told)]);
  expect(stderr).toContain('SCHEMA-MISSING');
});

/** A mirror of 30 transactions on the primary, served from the replica. */
async function startReader() {
  const { primary, replica, restartReplica, untilCaughtUp } = await startReplicated();
  const service = await serveSandbox({ transactions: 30 });
  const mirror = async () => expect((await sync(service, primary)).code).toBe(0);
  await mirror();
  await untilCaughtUp();
  const serve = await startRows(replica);
  const replayed = replica.query;
  const replay = (verb: 'pause' | 'resume') => replayed(`select pg_wal_replay_${verb}()`);
  return { serve, mirror, replay, replayed, untilCaughtUp, primary, restartReplica };
}

longTest(
  'serve on a streaming replica shows what the primary wrote, and its true age while the replica lags',
  async () => {
    const { serve, mirror, replay, untilCaughtUp, primary } = await startReader();
    expect(await serve.rows('transactions')).toHaveLength(30);
    const successOf = async () => (await serve.rows('freshness'))[0]?.['last_success_at'];
    const before = await successOf();
    await replay('pause');
    await mirror();
    expect(await successOf()).toBe(before);
    const { last_change_id: last, history } = JSON.parse((await serve.get('/api/v1/changes?limit=1')).text);
    const waiting = serve.get(`/api/v1/changes?after=${last}&history=${history}&wait=20`);
    await replay('resume');
    await untilCaughtUp();
    expect(await successOf()).not.toBe(before);
    expect(JSON.parse((await waiting).text).data).not.toEqual([]);
    expect((await serve.get('/')).status).toBe(200);
    expect((await serve.get('/metrics')).text).toMatch(/^custody_mirror_healthy\{account="default"\} 1$/m);
    // A replica cannot note when a key was used, and takes it all the same.
    const made = await runHere(['key', 'create', 'reader'], { env: { DATABASE_URL: primary.url } });
    const key = made.stdout.trim();
    await untilCaughtUp();
    await waitFor(async () => (await serve.get('/api/v1/accounts')).status === 401, {
      what: 'the key to count',
    });
    for (let asked = 0; asked < 3; asked += 1)
      expect((await serve.get('/api/v1/accounts', { 'x-api-key': key })).status).toBe(200);
    await serve.end();
  },
  180_000,
);

longTest(
  'a replica that is behind, or hears nothing of its primary, says so on every page and in health',
  async () => {
    const { serve, mirror, replay, replayed, untilCaughtUp, primary, restartReplica } = await startReader();
    const codes = async () => {
      const { problems } = JSON.parse((await serve.get('/status.json')).text);
      return (problems as { code: string }[]).map(({ code }) => code);
    };
    const isBehind = async () => (await codes()).includes('replica-behind');
    // Nothing happens on the primary meanwhile, which is no lag.
    expect(await isBehind()).toBe(false);
    await replay('pause');
    await mirror();
    await waitFor(isBehind, { what: 'the lag to be told', deadlineMs: 90_000 });
    expect((await serve.get('/balances')).text).toContain('Out of date since');
    expect((await serve.get('/sync')).text).toContain('This replica is behind its primary');
    // Metrics read the status at most every 15 seconds.
    const isScraped = async () =>
      /health_problem\{[^}]*code="replica-behind"/.test((await serve.get('/metrics')).text);
    await waitFor(isScraped, { what: 'metrics to tell the lag' });
    expect((await serve.get('/readyz')).status).toBe(200);
    await replay('resume');
    await untilCaughtUp();
    await waitFor(async () => !(await isBehind()), { what: 'the lag to be over' });
    await primary.stop();
    await waitFor(isBehind, { what: 'the silence to be told', deadlineMs: 90_000 });
    // It does not know then when the last transaction was.
    await replayed('checkpoint');
    await restartReplica();
    expect(await replayed('select pg_last_xact_replay_timestamp() as at')).toEqual([{ at: null }]);
    expect(await replayed('select code from reporting.health_problems order by rank')).toContainEqual({
      code: 'replica-behind',
    });
    await serve.end();
  },
  300_000,
);
