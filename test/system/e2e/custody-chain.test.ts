// A mirror of a mirror of a mirror: each daemon reads the /custody of the one before it as if it were the
// service. While the service changes, all three end equal, field by field. Whatever its records look like:
// test/api/custody/odd-records.pg.test.ts.
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import { type Service, serveSandbox } from '../../support/command.ts';
import { startDaemon, stopGracefully } from '../../support/daemon.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { longTest } from '../../support/form.ts';
import { whatIsMirrored } from '../../support/mirrored-rows.ts';
import { mirrored, truth } from '../../support/truth.ts';
import { waitFor } from '../../support/wait-for.ts';

const schedules = { SCHEDULE_RECONCILE: '*/3 * * * * *', LOG_LEVEL: 'info' };

longTest(
  'three mirrors in a chain are equal to each other and to the service, which changes meanwhile',
  async () => {
    const service = await serveSandbox({ transactions: 400, frozen: false });
    const { databases, daemons } = await startChain(service, 3);
    for (let cycle = 0; cycle < 10; cycle += 1) {
      service.sandbox.advance(15);
      await untilMirrored(service, databases);
    }
    for (const database of databases) await untilSweepVerified(database);
    // Whoever reads is stopped before the one that it reads.
    for (const daemon of daemons.toReversed()) await stopGracefully(daemon);
    for (const database of databases.slice(1)) {
      expect(
        await database.query("select job, error_message from sync.runs where status = 'failed'"),
      ).toEqual([]);
      // The three lists of balances are read one after the other, so that a change between them shows as a
      // difference.
      const anomalies = "select kind from sync.anomalies where kind <> 'totals-differ'";
      expect(await database.query(anomalies)).toEqual([]);
    }
  },
  300_000,
);

async function startChain(service: Service, length: number) {
  const databases: TestDatabase[] = [];
  const daemons: Awaited<ReturnType<typeof startDaemon>>[] = [];
  let source: { readonly url: string } = service;
  for (let link = 0; link < length; link += 1) {
    const database = await testDatabase();
    const daemon = await startDaemon(source, database, schedules);
    databases.push(database);
    daemons.push(daemon);
    source = { url: `${daemon.url}/custody` };
  }
  return { databases, daemons };
}

/** Waits until the first mirror holds what the service has, and the others what the first holds. */
async function untilMirrored(service: Service, [first, ...others]: readonly TestDatabase[]): Promise<void> {
  if (first === undefined) throw new Error('the chain is empty');
  const waiting = { deadlineMs: 120_000, intervalMs: 200 };
  const isTrue = async () => isDeepStrictEqual(await mirrored(first), truth(service.sandbox));
  await waitFor(isTrue, { ...waiting, what: 'the world of the service' }).catch(async (error: unknown) => {
    expect(await mirrored(first)).toEqual(truth(service.sandbox));
    throw error;
  });
  const wanted = await whatIsMirrored(first);
  for (const [link, database] of others.entries()) {
    const isEqual = async () => isDeepStrictEqual(await whatIsMirrored(database), wanted);
    await waitFor(isEqual, { ...waiting, what: `equal rows in mirror ${link + 2}` }).catch(
      async (error: unknown) => {
        expect(await whatIsMirrored(database)).toEqual(wanted);
        throw error;
      },
    );
  }
}

async function untilSweepVerified(database: TestDatabase): Promise<void> {
  const verified = async () => {
    const [run] = await database.query<{ verified: boolean }>(
      `select verified from sync.runs where job in ('transactions', 'reconcile') and mode = 'full' and status = 'succeeded'
       order by run_id desc limit 1`,
    );
    return run?.verified;
  };
  await waitFor(verified, { what: 'a verified sweep', deadlineMs: 120_000 });
}
