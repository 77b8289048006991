// Records that cannot be decoded: kept as text with the reason, beside neighbours that are mirrored; the run
// says that it is not verified, and they are resolved once they can be read.
import { expect, test } from 'vitest';
import { createSandbox } from '../../../packages/sandbox/src/sandbox.ts';
import { environment, serveSandbox, sync, viewerKey } from '../../support/command.ts';
import { testDatabase } from '../../support/database.ts';
import { runHere } from '../../support/in-process.ts';
import { expectTruth } from '../../support/truth.ts';

test('undecodable records are quarantined with their text, their neighbours mirrored, and resolved when they decode', async () => {
  const world = {
    seed: 7,
    transactions: 150,
    frozen: true,
    apiKey: viewerKey,
    now: () => Date.UTC(2026, 0, 15),
  };
  const [nan = '', nameless = '', text = ''] = [...createSandbox(world).world.transactions()]
    .slice(40, 43)
    .map((record) => record.transactionId);
  const [asset = ''] = createSandbox(world)
    .world.balances('all')
    .map((record) => record.assetId);
  const [entry = ''] = createSandbox(world)
    .world.whitelist()
    .map((record) => record.whitelistId);
  const quirks = { 'nan-amount': [nan, asset], 'missing-id': [nameless], 'string-record': [text, entry] };
  const database = await testDatabase();
  const broken = await serveSandbox({ ...world, quirks });

  const first = await sync(broken, database);
  expect(first, first.stderr).toMatchObject({ code: 0 });
  expect(first.stdout).toMatch(/transactions: [^|]*3 quarantined[^|]*not verified: [^|]*sync\.quarantine/);
  await expectTruth(database, broken.sandbox);
  expect(await verdicts(database)).toEqual({
    balances: false,
    transactions: false,
    vaults: true,
    whitelist: false,
  });

  const quarantined = await database.query(`
    select resource, reason, raw, resolved_at from sync.quarantine order by resource, reason`);
  const of = (resource: string, reason: RegExp, raw: RegExp) => ({
    resource,
    reason: expect.stringMatching(reason),
    raw: expect.stringMatching(raw),
    resolved_at: null,
  });
  expect(quarantined).toEqual([
    of('balances', /available_balance is not an amount: "NaN"/, new RegExp(`"asset_id": ?"${asset}"`)),
    of('balances', /available_balance is not an amount: "NaN"/, new RegExp(`"asset_id": ?"${asset}"`)),
    of('balances', /available_balance is not an amount: "NaN"/, /"available_balance": ?"NaN"/),
    of('transactions', /amount is not an amount: "NaN"/, new RegExp(nan)),
    of('transactions', /no transaction_id/, /"amount": ?"[\d.]+"/),
    of('transactions', /not an object/, new RegExp(`^"${text}"$`)),
    of('whitelist', /not an object/, new RegExp(`^"${entry}"$`)),
  ]);
  const status = await runHere(['status'], { env: environment(broken, database) });
  expect(status).toMatchObject({ code: 1 });
  expect(status.stdout).toMatch(/3 records of transactions could not be read/);

  // The account is bound to its address, so the repaired service takes over that of the broken one.
  await broken.sandbox.close();
  const repaired = await serveSandbox(world, Number(new URL(broken.url).port));
  const second = await sync(repaired, database, {}, ['--full']);
  expect(second, second.stderr).toMatchObject({ code: 0 });
  await expectTruth(database, repaired.sandbox);
  expect(await database.query('select raw from sync.quarantine where resolved_at is null')).toEqual([]);
  expect(await verdicts(database)).toEqual({
    balances: true,
    transactions: true,
    vaults: true,
    whitelist: true,
  });
});

async function verdicts({
  query,
}: Awaited<ReturnType<typeof testDatabase>>): Promise<Record<string, boolean>> {
  const rows = await query<{ job: string; verified: boolean }>(
    'select distinct on (job) job, verified from sync.runs order by job, run_id desc',
  );
  return Object.fromEntries(rows.map(({ job, verified }) => [job, verified]));
}
