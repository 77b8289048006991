// Verification on schedule: when it is due, and what its finding does.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { verifierOf } from '../../src/cli/setup/verifying.ts';
import { makeSealKey, readSigner } from '../../src/seal/note.ts';
import { sealHistory } from '../../src/seal/seal.ts';
import { syncTransactions } from '../../src/sync/jobs/transactions.ts';
import { askedThrough } from '../seal/sealed-history.ts';
import { startDaemonOf } from '../support/daemon-in-process.ts';
import { openMirror } from '../support/mirror.ts';

const off = { SCHEDULE_RECONCILE: 'off', SCHEDULE_MAINTENANCE: 'off', CUSTODY_RESOURCES: 'transactions' };

async function openSealing(env: Readonly<Record<string, string>> = {}, transactions = 20) {
  const key = makeSealKey('custody.example/acme');
  const signer = readSigner(key);
  if (signer === null) throw new Error('a new key cannot be read');
  const mirror = await openMirror({ transactions }, { ...off, SEAL_KEY: key, ...env });
  return { mirror, signer, sealing: { signer, checkpointsFile: null } };
}

test('a start or a takeover verifies nothing unless a verification is due', async () => {
  // Daily, and not within the test.
  const { mirror, sealing } = await openSealing({
    SCHEDULE_VERIFY: `0 ${(new Date().getUTCHours() + 12) % 24} * * *`,
    SCHEDULE_SEAL: '* * * * * *',
    SCHEDULE_TRANSACTIONS: '* * * * * *',
  });
  let verifications = 0;
  const verify = async () => {
    verifications += 1;
  };
  const first = await startDaemonOf(mirror, { sealing, verify });
  const sealed = () => first.entries().filter(({ msg }) => msg === 'history sealed').length;
  // Sealing, which is due at every start, begins when a verification would.
  await expect.poll(sealed).toBeGreaterThan(0);
  expect(verifications).toBe(0);
  await first.end();
  await mirror.query(
    `insert into sync.seal_verifications (account_id, verified_at, tree_size) select account_id, now() - interval '2 days', 1 from custody.accounts`,
  );
  await startDaemonOf(mirror, { sealing, verify });
  await expect.poll(() => verifications).toBe(1);
});

test('nothing sealed is no failure, and a finding is one until it is gone, with the moment it was first found', async () => {
  const { mirror, sealing } = await openSealing();
  const { context, query } = mirror;
  const verify = () => verifierOf(sealing, [sealing.signer])(context);
  await verify();
  expect(await query('select from sync.seal_verifications')).toEqual([]);
  await syncTransactions(context, { full: true });
  await sealHistory({ ...context, ...sealing });
  await verify();
  const saved = () =>
    query<{ at: string; finding: string | null }>(
      'select verified_at::text as at, finding from sync.seal_verifications',
    );
  const [intact] = await saved();
  expect(intact?.finding).toBeNull();
  await query('update custody.transactions set amount = amount + 1');
  await expect(verify()).rejects.toMatchObject({ code: 'HISTORY-ALTERED' });
  const [found] = await saved();
  expect(found).toMatchObject({ finding: expect.stringContaining('amount of custody.transactions') });
  expect(found?.at).not.toBe(intact?.at);
  await expect(verify()).rejects.toMatchObject({ code: 'HISTORY-ALTERED' });
  expect(await saved()).toEqual([found]);
  await query('update custody.transactions set amount = amount - 1');
  await verify();
  expect(await saved()).toMatchObject([{ finding: null }]);
});

test('a finding is recorded although to name it takes longer than a verification may make no progress', async () => {
  const { mirror, sealing } = await openSealing({}, 800);
  const { context, query } = mirror;
  await syncTransactions(context, { full: true });
  await sealHistory({ ...context, ...sealing });
  await query(`do $do$ begin set local session_replication_role = replica;
    delete from custody.transaction_status_history where change_id = (select min(change_id) from custody.transaction_status_history); end $do$`);
  const stepMs = 500;
  const database = askedThrough(context.database, async (label, ask) => {
    // To name what differs all tiles are read.
    if (label === 'seal.tile') await sleep(stepMs);
    return await ask();
  });
  const verify = verifierOf(sealing, [sealing.signer], 3 * stepMs);
  await expect(verify({ ...context, database })).rejects.toMatchObject({
    code: 'HISTORY-ALTERED',
  });
  expect(await query('select finding from sync.seal_verifications')).toEqual([
    { finding: expect.stringContaining('was removed') },
  ]);
});
