// A mirror of a mirror of a mirror: each daemon reads the /custody of the one before it as if it were the
// service. While the service changes, and whatever its records look like, all three end equal, field by
// field.
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

longTest(
  'what the service spells in its own way reaches the end of the chain in the spelling of the document',
  async () => {
    const quirks = [
      'id',
      'vault-id',
      'stakepool',
      'changepool',
      'balances-array',
      'numeric-amounts',
    ] as const;
    const odd = ['unknown-fields', 'unknown-status', 'unknown-type', 'nul-note', 'surrogate-note'] as const;
    const service = await serveSandbox({
      transactions: 200,
      quirks: {
        mixed: true,
        ...Object.fromEntries([...quirks, ...odd].map((name) => [name, true])),
      },
      shape: { vaultRecord: 'thin', vaultIdField: 'id', oneVault: 'envelope', whitelistKey: null },
    });
    addExtremes(service.sandbox);
    const { databases } = await startChain(service, 3);
    await untilMirrored(service, databases);
    const ownSpellings = await databases[1]?.query(`
    select transaction_id from custody.transactions
    where raw ? 'id' or raw::text ~ '"vault_id"|"stakepool"|"changepool"|"(amount|fee)": [^"]'
    union all select asset_id from custody.balances where jsonb_typeof(raw -> 'balances') <> 'object' or raw::text ~ '_balance": [^"]'`);
    expect(ownSpellings).toEqual([]);
    // Beyond the first mirror nothing is spelled in another way, so that even the text of each record stays.
    const later = databases.slice(1).map((database) => whatIsMirrored(database, { raw: 'whole' }));
    const [second, third] = await Promise.all(later);
    expect(third).toEqual(second);
    for (const database of databases) await untilSweepVerified(database);
  },
  300_000,
);

/** Amounts no float can hold, and ids that would not survive a careless path, query or statement. */
function addExtremes({ world }: Service['sandbox']): void {
  for (const amount of [
    '0.000000000000000001',
    '98765432109876543210987654321098765432.123456789012345678',
    '0.10',
  ])
    world.insertTransaction('head', { status: 'completed', amount, fee: amount });
  const ids = ['a/b?c=d&e#f', '%2F..%00', 'o\'hara "x" \\ {1,2}', 'ключ 鍵 🔑', ' 7 ', '0017'];
  for (const transactionId of ids) world.insertTransaction('tail', { transactionId, status: 'rejected' });
}

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
