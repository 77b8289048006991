import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { environment, serveSandbox, sync } from '../../support/command.ts';
import { expireLease, leaseHolder, startDaemon, stopGracefully, untilWriter } from '../../support/daemon.ts';
import { testDatabase } from '../../support/database.ts';
import { runHere } from '../../support/in-process.ts';
import { open } from '../../support/store.ts';
import { expectTruth, untilTruth } from '../../support/truth.ts';
import { pgbouncerIsInstalled, poolTransactions } from './pgbouncer.ts';

const absent = pgbouncerIsInstalled ? '' : ' (skipped: pgbouncer is not installed)';

test.skipIf(!pgbouncerIsInstalled)(
  `the mirror works through a transaction-pooling pgbouncer${absent}`,
  async () => {
    const [service, direct] = await Promise.all([
      serveSandbox({ frozen: false }),
      testDatabase({ empty: true }),
    ]);
    const database = { ...direct, url: await poolTransactions(direct.url) };
    const env = environment(service, database);
    const migrations = await Promise.all([1, 2, 3, 4, 5].map(() => runHere(['migrate'], { env })));
    for (const { code, stderr } of migrations) expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const run = await sync(service, database);
    expect(run, run.stderr).toMatchObject({
      code: 0,
      stderr: expect.not.stringMatching(/"level":"(warn|error)"/),
    });
    await expectTruth(database, service.sandbox);

    const first = await startDaemon(service, database);
    await untilWriter(database, first);
    const second = await startDaemon(service, database);
    await second.output(/"msg":"standing by while another process writes"/);
    for (let cycle = 0; cycle < 3; cycle += 1) {
      service.sandbox.advance(10);
      await untilTruth(database, service.sandbox);
    }
    first.kill('SIGKILL');
    await first.exit();
    await expireLease(database);
    await untilWriter(database, second);
    await stopGracefully(second);
    expect(await leaseHolder(database)).toBeNull();
    expect(second.stderr()).not.toMatch(/"level":"error"/);
    const failed = await database.query("select job, error_message from sync.runs where status = 'failed'");
    expect(failed).toEqual([]);
  },
  60_000,
);

test.skipIf(!pgbouncerIsInstalled)(
  `readers get their own answers through a transaction-pooling pgbouncer, read only${absent}`,
  async () => {
    const direct = await testDatabase();
    const database = open(await poolTransactions(direct.url), { readOnly: true, maxConnections: 6 });
    const ask = (what: string, value: string) =>
      database.transact(
        'ask',
        (tx) =>
          tx.ask(
            'ask',
            sql`select ${value} || ${sql.raw(`'${what}'`)} as got, current_setting('transaction_read_only') as read_only`,
          ),
        { readOnly: true },
      );
    const asked = Array.from({ length: 300 }, (_, number) => [`of ${number % 4}`, `${number} `] as const);
    const answers = await Promise.all(asked.map(([what, value]) => ask(what, value)));
    expect(answers).toEqual(asked.map(([what, value]) => [{ got: value + what, read_only: 'on' }]));
  },
  60_000,
);
