// Answers that are refused because what is mirrored is of a time to come: every resource says so, until that
// time has come.
import { expect, test } from 'vitest';
import { isHealthy } from '../../../src/status/health.ts';
import { readStatus } from '../../../src/store/query/status.ts';
import { snapshotBalances } from '../../../src/sync/jobs/balances.ts';
import { mirrorVaults, mirrorWhitelist } from '../../../src/sync/jobs/documents.ts';
import { sweepTransactions } from '../../../src/sync/jobs/transactions-sweep.ts';
import { longTest } from '../../support/form.ts';
import { capturingLogger } from '../../support/loggers.ts';
import { type Mirror, openMirror } from '../../support/mirror.ts';
import { waitFor } from '../../support/wait-for.ts';

const everything = async ({ context }: Mirror) => {
  for (const outcome of [
    await sweepTransactions(context, { job: 'reconcile' }),
    await snapshotBalances(context),
    await mirrorVaults(context),
    await mirrorWhitelist(context),
  ])
    expect(outcome).toMatchObject({ status: 'succeeded' });
};

const open = async ({ query }: Mirror) =>
  (
    await query<{ resource: string }>(
      `select resource from sync.anomalies where kind = 'clock-refused' and resolved_at is null order by 1`,
    )
  ).map(({ resource }) => resource);

/** As if everything had been written by a clock that is ahead. */
async function writeAhead({ query }: Mirror, ahead: string) {
  for (const table of ['transactions', 'vaults', 'whitelist_entries'])
    await query(`update custody.${table} set changed_at = clock_timestamp() + $1::interval`, [ahead]);
  await query(
    `insert into custody.balance_snapshots (account_id, vault_type, snapshot_at, asset_count, changed_count, quarantined_count, run_id)
     select account_id, vault_type, clock_timestamp() + $1::interval, asset_count, 0, 0, run_id
     from (select distinct on (vault_type) * from custody.balance_snapshots order by vault_type, snapshot_at desc) last`,
    [ahead],
  );
}

const changeAll = ({ sandbox: { world } }: Mirror) => {
  const [transaction] = world.transactions();
  world.alterTransaction(transaction?.transactionId ?? '', { note: `changed ${Math.random()}` });
  world.renameVault(world.vaults()[0]?.vaultId ?? '', `Renamed ${Math.random()}`);
  world.alterWhitelistEntry(world.whitelist()[0]?.whitelistId ?? '', { name: `Other ${Math.random()}` });
};

test('refusals for a time to come are counted, logged, and open an anomaly for each resource', async () => {
  const mirror = await openMirror({ transactions: 60 });
  await everything(mirror);
  await everything(mirror);
  expect(await open(mirror)).toEqual([]);
  await writeAhead(mirror, '1 day');
  changeAll(mirror);
  const { logger, entries } = capturingLogger();
  const loud = { ...mirror, context: { ...mirror.context, logger } };
  for (let run = 0; run < 8; run += 1) await everything(loud);
  expect(await open(mirror)).toEqual(['balances', 'transactions', 'vaults', 'whitelist']);
  const told = entries().filter(({ msg }) => String(msg).startsWith('answers were refused'));
  const levels = new Set(told.map(({ level }) => level));
  expect([...levels]).toEqual(['warn', 'error']);
  expect(new Set(told.map(({ job }) => job))).toEqual(
    new Set(['reconcile', 'balances', 'vaults', 'whitelist']),
  );
  const counted = (await mirror.context.metrics.records.get()).values;
  for (const resource of ['transactions', 'balances', 'vaults', 'whitelist'])
    expect(
      counted.find(({ labels }) => labels.resource === resource && labels.outcome === 'stale')?.value,
      resource,
    ).toBeGreaterThan(0);
  const { healthy, reasons } = isHealthy(await readStatus(mirror.context.database, 'default'));
  expect({ healthy, reasons }).toMatchObject({
    healthy: false,
    reasons: expect.arrayContaining([expect.stringContaining('Answers are refused')]),
  });
});

longTest('the anomalies are resolved when the time has come, and nothing is refused any more', async () => {
  const mirror = await openMirror({ transactions: 60 });
  await everything(mirror);
  await everything(mirror);
  await writeAhead(mirror, '15 seconds');
  changeAll(mirror);
  await everything(mirror);
  expect(await open(mirror)).toEqual(['balances', 'transactions', 'vaults', 'whitelist']);
  const isDue = 'select from custody.balance_snapshots having max(snapshot_at) < clock_timestamp()';
  await waitFor(
    async () => {
      if ((await mirror.query(isDue)).length === 0) return false;
      await everything(mirror);
      return (await open(mirror)).length === 0;
    },
    { what: 'the time to come', deadlineMs: 40_000, intervalMs: 500 },
  );
  await everything(mirror);
  expect(await open(mirror)).toEqual([]);
  const [vault] = mirror.sandbox.world.vaults();
  expect(await mirror.query('select name from custody.vaults where vault_id = $1', [vault?.vaultId])).toEqual(
    [{ name: vault?.name }],
  );
});
