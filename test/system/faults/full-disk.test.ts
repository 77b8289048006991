import { expect, test } from 'vitest';
import type { Sandbox } from '../../../packages/sandbox/src/sandbox.ts';
import { environment, serveSandbox, sync } from '../../support/command.ts';
import { startDaemon, stopGracefully, untilWriter } from '../../support/daemon.ts';
import type { TestDatabase } from '../../support/database.ts';
import { runHere } from '../../support/in-process.ts';
import { openSmallDisk, whyNoSmallDisk } from '../../support/small-disk.ts';
import { expectTruth, untilTruth } from '../../support/truth.ts';
import { waitFor } from '../../support/wait-for.ts';
import { type Chronicle, chronicleOf, expectHonestHistory } from './history.ts';

const obstacle = whyNoSmallDisk();
const fullDiskTest = test.skipIf(obstacle !== null);
const unlessSkipped = obstacle === null ? '' : ` (skipped, no file system can be mounted here: ${obstacle})`;
const named =
  /database custody on \S+ has no disk space left \(.*No space left on device\): free space on the database server/;

/** Far more than fits into the pages that are there. */
function addMany({ world }: Sandbox, chronicle: Chronicle, count: number): void {
  for (let made = 0; made < count; made += 1) world.insertTransaction('head', { status: 'pending' });
  chronicle.note();
}

/**
 * Every transaction with the beginning of its history, counted once, and nothing of one that is not there.
 */
async function expectNothingHalf(database: TestDatabase): Promise<number> {
  const [found] = await database.query<{ transactions: number; histories: number; counted: number }>(`
    select (select count(*)::int from custody.transactions) as transactions,
      (select count(*)::int from custody.transaction_status_history where sequence = 1) as histories,
      (select sum(records_inserted)::int from sync.runs where job = 'transactions') as counted`);
  const transactions = found?.transactions ?? 0;
  expect(found).toEqual({ transactions, histories: transactions, counted: transactions });
  return transactions;
}

async function expectWhole(database: TestDatabase, sandbox: Sandbox, chronicle: Chronicle): Promise<void> {
  await expectTruth(database, sandbox);
  await expectNothingHalf(database);
  const query: TestDatabase['query'] = (sql, params = ['default']) => database.query(sql, params);
  await expectHonestHistory({ query }, chronicle);
  expect(await database.query("select job from sync.runs where status = 'running'")).toEqual([]);
}

const fillings = [
  ['at once', 0, 500],
  ['in the middle of a run', 1_000, 1_500],
] as const;

fullDiskTest.each(fillings)(
  `a disk that is full %s is named, keeps what was committed whole, and the next run completes${unlessSkipped}`,
  async (_, room, added) => {
    const [service, disk] = await Promise.all([serveSandbox(), openSmallDisk()]);
    const { database } = disk;
    expect(await sync(service, database)).toMatchObject({ code: 0 });
    const chronicle = chronicleOf(service.sandbox);
    addMany(service.sandbox, chronicle, added);
    await disk.fill(room);

    const refused = await sync(service, database);
    expect(refused.code).toBe(1);
    expect(refused.stdout).toMatch(named);
    expect(refused.stdout).toMatch(/transactions: failed: .*\(DATABASE-REFUSED\)/);
    expect(refused.stdout + refused.stderr).not.toContain('    at ');
    expect(refused.stdout + refused.stderr).not.toContain(new URL(database.url).password);
    const half = await expectNothingHalf(database);
    if (room === 0) expect(half).toBe(150);
    else expect(half).toBeGreaterThan(150);
    expect(half).toBeLessThan(150 + added);
    const [run] = await database.query<{ status: string }>(
      "select status from sync.runs where job = 'transactions' order by run_id desc limit 1",
    );
    const status = await runHere(['status'], { env: environment(service, database) });
    // Where even the failure found no room in its page, the run counts as given up, and only the log has
    // told.
    if (run?.status === 'failed')
      expect(status.stdout.replaceAll(/\s+/g, ' ')).toMatch(
        /The last run of \w+ failed.*has no disk space left .*free space on the database server/,
      );
    else expect(run).toEqual({ status: 'abandoned' });
    expect(status.code).toBe(run?.status === 'failed' ? 1 : 0);

    await disk.empty();
    const next = await sync(service, database);
    expect(next, next.stderr).toMatchObject({ code: 0 });
    await expectWhole(database, service.sandbox, chronicle);
    expect(await runHere(['status'], { env: environment(service, database) })).toMatchObject({ code: 0 });
  },
  180_000,
);

fullDiskTest(
  `a daemon lives through a disk that is full for a while, logs it, and catches up${unlessSkipped}`,
  async () => {
    const [service, disk] = await Promise.all([serveSandbox(), openSmallDisk()]);
    const { database } = disk;
    const daemon = await startDaemon(service, database);
    await untilWriter(database, daemon);
    await untilTruth(database, service.sandbox);
    const status = async () => JSON.parse((await daemon.get('/status.json')).text);
    // The first sweep goes on after its last record: it holds the list against its filters.
    await waitFor(async () => (await status()).healthy === true, {
      what: 'a healthy status',
    });
    const chronicle = chronicleOf(service.sandbox);
    await disk.fill();
    addMany(service.sandbox, chronicle, 500);
    // The failed run cannot be recorded; the process knows of it.
    await waitFor(async () => (await status()).healthy === false, {
      what: 'a status that is not healthy',
    });
    expect((await status()).reasons.join(' ')).toMatch(named);
    expect(await daemon.output(named)).toBeTruthy();
    const { status: alive, text } = await daemon.get('/healthz');
    expect(alive).toBe(200);
    expect(JSON.parse(text).failing).toContainEqual(
      expect.objectContaining({ code: 'DATABASE-REFUSED', failures: expect.any(Number) }),
    );
    const metrics = (await daemon.get('/metrics')).text;
    expect(metrics).toMatch(/^custody_mirror_work_consecutive_failures\{subject="\w+".*\} [1-9]/m);
    await disk.empty();
    await untilTruth(database, service.sandbox);
    await waitFor(async () => (await status()).healthy === true, { what: 'health' });
    expect(daemon.stderr() + daemon.stdout()).not.toMatch(/unhandled|uncaught/i);
    await stopGracefully(daemon);
    await expectWhole(database, service.sandbox, chronicle);
  },
  120_000,
);
