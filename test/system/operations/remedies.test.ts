// What health and the alerts advise, done in the situation in which they advise it: the command in the
// text is run as it stands there, and the problem must be gone. A new problem or alert fails until it has
// a row below.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type HealthCode, healthCodes } from '../../../src/store/job-queries/status.ts';
import { serveSandbox, viewerKey } from '../../support/command.ts';
import { expireLease, startDaemon, stopGracefully, untilWriter } from '../../support/daemon.ts';
import { testDatabase } from '../../support/database.ts';
import { newFolder } from '../../support/folder.ts';
import { expectTruth } from '../../support/truth.ts';
import { waitFor } from '../../support/wait-for.ts';
import { blocksUnder } from '../docs/blocks.ts';
import { openOperator, read } from './operator.ts';

const here = 'test/system/operations/remedies.test.ts';

/** The test that runs the remedy. */
type Remedy = readonly [file: string, title: string];

const ofHealth: Readonly<Record<HealthCode, Remedy>> = {
  'replica-behind': [
    'test/system/e2e/serve.test.ts',
    'a replica that is behind, or hears nothing of its primary, says so on every page and in health',
  ],
  'nothing-mirrored': [here, 'nothing was ever mirrored: sync is run'],
  stopped: [here, 'a daemon died, and its jobs are long overdue: it is started'],
  'history-altered': [
    here,
    'a row was changed behind the mirror: verify says it was put back, and the case is closed',
  ],
  'sealing-stopped': [
    'test/system/e2e/seal.test.ts',
    'a log that a restore ended is a problem of health, and restarted under another name: both prove what they did',
  ],
  'too-many-missing': [
    here,
    'the address leads to another account for a while: it is set right, and a backup from before restored',
  ],
  'key-refused': [
    here,
    'the key is refused everywhere, or for one resource: it is replaced, or that is left out',
  ],
  failing: [here, 'the service fails for a while: the next run succeeds'],
  starting: [here, 'first readings are in progress: they end'],
  'never-read': [here, 'first readings are in progress: they end'],
  stale: [here, 'a daemon died, and its jobs are long overdue: it is started'],
  'never-verified': [here, 'records could not be read: the service is mended, and a full sweep verifies'],
  'verified-long-ago': [here, 'no sweep was verified for long: sync --full, alone and while a daemon runs'],
  'clock-behind': [
    'test/system/faults/database-clock.test.ts',
    'a clock of the database that was wrong and is set right keeps nothing from being mirrored',
  ],
  quarantine: [here, 'records could not be read: the service is mended, and a full sweep verifies'],
  anomaly: [
    here,
    'the service’s data are odd: sync.anomalies names the records, and a person who has looked at them closes them',
  ],
  retired: [
    'test/system/e2e/retire.test.ts',
    'a retired account keeps its history and has no problem without a process; it can be mirrored again',
  ],
};

const inFile = (name: string, title: string) => [`test/system/operations/${name}.test.ts`, title] as const;
const byAccount = inFile(
  'account-remedies',
  '$alert: its page leads to what is meant, and what helps ends it',
);

/** Those that do not go by a problem of health. */
const ofAlerts: Readonly<Record<string, Remedy>> = {
  CustodyMirrorStatusOld: [
    'test/system/e2e/database-offline.test.ts',
    'a silent database is reported to everybody who asks, and answers as soon as it is back',
  ],
  CustodyMirrorTwoWriters: [
    'test/system/e2e/failover.test.ts',
    'a process that is frozen past its lease commits nothing more when it wakes, and steps down',
  ],
  CustodyMirrorKeyRejected: [
    'test/scheduler/daemon.pg.test.ts',
    'a rejected key stops the requests until it is due to be tried again, and works again by itself',
  ],
  CustodyMirrorScheduleFailing: [
    'test/system/e2e/daemon.test.ts',
    'a schedule that fails outside of a run shows in the metrics until it succeeds',
  ],
  CustodyMirrorRateLimited: [
    'test/custody/rate/limiter.test.ts',
    'a configured rate is kept, whatever was learned',
  ],
  CustodyMirrorQuarantine: ofHealth.quarantine,
  CustodyMirrorManyMissing: ofHealth['too-many-missing'],
  CustodyMirrorSettledStatusLeft: ofHealth.anomaly,
  CustodyMirrorDatabaseBusy: inFile(
    'process-remedies',
    'another session holds a lock: the query names it, and its end lets the mirror go on',
  ),
  CustodyMirrorEventLoopSlow: inFile(
    'process-remedies',
    'a process is short of processor time: with more of it the alert ends, and it keeps its lease',
  ),
  CustodyMirrorWithdrawalStuck: byAccount,
  CustodyMirrorTransactionStuck: byAccount,
  CustodyMirrorNonWhitelistedPayment: byAccount,
  CustodyMirrorUnexplainedDifference: byAccount,
  CustodyMirrorValueMoved: byAccount,
};

test('each problem of health and each alert has its remedy, and a test that runs it', () => {
  const rules = ['custody-mirror', 'custody-mirror-business'].map((name) =>
    read(`deploy/prometheus/${name}.rules.yaml`),
  );
  const others = rules
    .join('')
    .split(/^ *- alert: /m)
    .slice(1)
    .filter((rule) => !/^ *expr: .*health_problem\{code/m.test(rule))
    .map((rule) => rule.split('\n')[0]);
  expect(Object.keys(ofAlerts).toSorted()).toEqual(others.toSorted());
  expect(Object.keys(ofHealth)).toEqual([...healthCodes]);
  const unknown = [...Object.values(ofHealth), ...Object.values(ofAlerts)].filter(([file, title]) => {
    const text = read(file).replaceAll(/\(\s+/g, '(');
    return !["'", '`'].some((quote) => text.includes(`(${quote}${title}`));
  });
  expect(unknown).toEqual([]);
});

test('nothing was ever mirrored: sync is run', async () => {
  const { database, service, codes, advised } = await openOperator();
  await database.query(
    "insert into custody.accounts (account_id, base_url, first_seen_at) values ('default', $1, now())",
    [service.url],
  );
  expect(await codes()).toEqual(['nothing-mirrored']);
  await advised('nothing-mirrored', 'custody-mirror sync');
  expect(await codes()).toEqual([]);
});

test('a daemon died, and its jobs are long overdue: it is started', async () => {
  const { database, service, problems, codes, age, untilHealthy } = await openOperator();
  const first = await startDaemon(service, database);
  await untilHealthy();
  first.kill('SIGKILL');
  await first.exit();
  await expireLease(database);
  await age();
  expect(await codes()).toEqual(['stopped', 'stale', 'verified-long-ago']);
  for (const { code, fix } of await problems())
    expect(fix, code).toMatch(/^start custody-mirror run|^run custody-mirror sync --full/);
  const second = await startDaemon(service, database);
  await untilWriter(database, second);
  await untilHealthy();
  await stopGracefully(second);
}, 120_000);

test('no sweep was verified for long: sync --full, alone and while a daemon runs', async () => {
  const { database, service, codes, age, run, advised, untilHealthy } = await openOperator();
  expect(await run('custody-mirror sync')).toMatchObject({ code: 0 });
  await age();
  expect(await codes()).toEqual(['stale', 'verified-long-ago']);
  await advised('verified-long-ago', 'custody-mirror sync --full');
  expect(await codes()).toEqual([]);
  await age();
  await advised('stale', 'custody-mirror sync');
  expect(await codes()).toEqual([]);

  // A daemon that has nothing to do but its sweep at night.
  const seldom = '0 0 1 1 *';
  const daemon = await startDaemon(service, database, {
    SCHEDULE_TRANSACTIONS: seldom,
    SCHEDULE_BALANCES: seldom,
    SCHEDULE_DOCUMENTS: seldom,
  });
  await untilWriter(database, daemon);
  await age();
  await waitFor(async () => (await codes()).includes('verified-long-ago'), { what: 'the problem' });
  await advised('verified-long-ago', 'custody-mirror sync --full');
  expect(daemon.stderr()).toContain('"msg":"sync requested"');
  await untilHealthy();
  await stopGracefully(daemon);
}, 120_000);

test('records could not be read: the service is mended, and a full sweep verifies', async () => {
  const world = { seed: 7, frozen: true, now: () => Date.UTC(2026, 0, 15) };
  const { service, codes, run, advised } = await openOperator({ ...world, quirks: { 'nan-amount': 0.1 } });
  expect(await run('custody-mirror sync')).toMatchObject({ code: 0 });
  expect(await codes()).toEqual(['never-verified', 'quarantine']);
  await service.sandbox.close();
  await serveSandbox({ transactions: 60, ...world }, Number(new URL(service.url).port));
  await advised('never-verified', 'custody-mirror sync --full');
  expect(await codes()).toEqual([]);
});

test('an account is empty: sync --empty', async () => {
  const nothing = { transactions: 0, warmVaults: 0, coldVaults: 0, whitelistEntries: 0 };
  const { codes, run, advised } = await openOperator(nothing);
  expect(await run('custody-mirror sync')).toMatchObject({ code: 0 });
  expect(await codes()).toEqual(['never-verified']);
  await advised('never-verified', 'custody-mirror sync --empty');
  expect(await codes()).toEqual([]);
});

test('the service fails for a while: the next run succeeds', async () => {
  const { service, codes, problems, run } = await openOperator();
  service.sandbox.faults.set('http500@balances=1');
  expect(await run('custody-mirror sync', { CUSTODY_RETRIES: '0' })).toMatchObject({ code: 1 });
  expect(await problems()).toEqual([
    expect.objectContaining({ code: 'failing', fix: expect.stringContaining('the next run tries again') }),
  ]);
  service.sandbox.faults.clear();
  expect(await run('custody-mirror sync')).toMatchObject({ code: 0 });
  expect(await codes()).toEqual([]);
});

test('the key is refused everywhere, or for one resource: it is replaced, or that is left out', async () => {
  const { service, codes, problems, run } = await openOperator();
  expect(await run('custody-mirror sync', { CUSTODY_API_KEY: 'of-somebody-else' })).toMatchObject({
    code: 3,
  });
  expect(await codes()).toContain('key-refused');
  for (const { fix } of await problems()) expect(fix).toMatch(/check CUSTODY_API_KEY|custody-mirror sync/);
  expect(await run('custody-mirror sync', { CUSTODY_API_KEY: viewerKey })).toMatchObject({ code: 0 });
  expect(await codes()).toEqual([]);
  service.sandbox.faults.add({ kind: 'err02', endpoint: 'whitelist' });
  expect(await run('custody-mirror sync')).toMatchObject({ code: 3 });
  expect(await problems()).toEqual([
    expect.objectContaining({ fix: expect.stringContaining('or leave whitelist out of CUSTODY_RESOURCES') }),
  ]);
  const left = { CUSTODY_RESOURCES: 'transactions,balances,vaults' };
  expect(await run('custody-mirror sync', left)).toMatchObject({ code: 0 });
  expect(await codes()).toEqual([]);
});

test('first readings are in progress: they end', async () => {
  const { database, service, codes, untilHealthy } = await openOperator();
  const all = service.sandbox.faults.add({ kind: 'stall' });
  const daemon = await startDaemon(service, database);
  await untilWriter(database, daemon);
  await waitFor(async () => (await codes()).includes('starting'), { what: 'starting' });
  const vaults = service.sandbox.faults.add({ kind: 'stall', endpoint: 'vaults' });
  all();
  await waitFor(async () => (await codes()).join() === 'never-read', {
    what: 'never-read',
  });
  vaults();
  await untilHealthy();
  await stopGracefully(daemon);
}, 120_000);

test('the address leads to another account for a while: it is set right, and a backup from before restored', async () => {
  const { service, database, problems, run } = await openOperator({ seed: 7 });
  const port = Number(new URL(service.url).port);
  expect(await run('custody-mirror sync')).toMatchObject({ code: 0 });
  const backup = await testDatabase({ copyOf: database });
  await service.sandbox.close();
  const other = await serveSandbox({ transactions: 60, seed: 8 }, port);
  await run('custody-mirror sync --full');
  expect(await problems()).toContainEqual(
    expect.objectContaining({ code: 'too-many-missing', fix: expect.stringContaining('CUSTODY_BASE_URL') }),
  );
  await other.sandbox.close();
  const back = await serveSandbox({ transactions: 60, seed: 7 }, port);
  const restored = { DATABASE_URL: backup.url };
  expect(await run('custody-mirror sync --full', restored)).toMatchObject({ code: 0 });
  expect(await run('custody-mirror status', restored)).toMatchObject({ code: 0 });
  await expectTruth(backup, back.sandbox);
});

test('a row was changed behind the mirror: verify says it was put back, and the case is closed', async () => {
  const { database, service, problems, codes, run, advised } = await openOperator();
  const folder = newFolder();
  const seal = { SEAL_KEY_FILE: join(folder, 'key'), SEAL_CHECKPOINTS_FILE: join(folder, 'checkpoints') };
  expect(await run(`custody-mirror seal init ${seal.SEAL_KEY_FILE} custody.example/acme`)).toMatchObject({
    code: 0,
  });
  expect(await run('custody-mirror sync', seal)).toMatchObject({ code: 0 });
  const [open] = await database.query<{ id: string }>(
    `update custody.transactions set amount = amount + 1 where transaction_id = (
       select transaction_id from custody.transactions where status not in ('completed', 'failed') limit 1)
     returning transaction_id as id`,
  );
  service.sandbox.world.alterTransaction(open?.id ?? '', { status: 'completed' });
  expect(await run('custody-mirror sync --full', seal)).toMatchObject({ code: 0 });
  expect(await codes()).toEqual(['history-altered']);
  await advised('history-altered', 'custody-mirror verify', seal);
  const closing = /`(update sync\.anomalies set resolved_at = now\(\)[^`]*)`/.exec(
    read('docs/audit.md').replaceAll(/\s+/g, ' '),
  )?.[1];
  await database.query(closing?.replace('…', 'default') ?? '');
  expect(await problems()).toEqual([]);
});

test('the service’s data are odd: sync.anomalies names the records, and a person who has looked at them closes them', async () => {
  const { database, service, run } = await openOperator();
  const { world } = service.sandbox;
  const settled = [...world.transactions()].filter(({ status }) => status === 'completed');
  const [left, unknown] = settled.map(({ transactionId }) => transactionId);
  expect(await run('custody-mirror sync')).toMatchObject({ code: 0 });
  world.alterTransaction(left ?? '', { status: 'failed' });
  world.alterTransaction(unknown ?? '', { status: 'parked' });
  expect(await run('custody-mirror sync --full')).toMatchObject({ code: 0 });
  const kinds = async () =>
    await database.query<{ kind: string; fix: string }>(
      "select subject as kind, fix from reporting.health_problems where code = 'anomaly' order by 1",
    );
  const found = await kinds();
  expect(found.map(({ kind }) => kind)).toEqual(['settled-status-left', 'unknown-value']);
  expect(await run('custody-mirror status')).toMatchObject({ code: 0 });
  for (const { kind, fix } of found) {
    expect(fix).toMatch(/^see sync\.anomalies .* close .*docs\/data\.md#anomalies/);
    const records = await database.query(`select * from sync.anomalies where kind = '${kind}'`);
    expect(JSON.stringify(records)).toContain(kind === 'unknown-value' ? 'parked' : left);
    const [sql = ''] = blocksUnder('docs/data.md, Anomalies', 'sql');
    await database.query(sql.replace('unknown-value', kind));
    expect((await kinds()).map((still) => still.kind)).not.toContain(kind);
  }
});
