// Which runs may bound what later runs see change: those that read every transaction that was open.
import { expect, test } from 'vitest';
import { reportAnomaly } from '../../../src/store/run/anomalies.ts';
import { syncTransactions } from '../../../src/sync/jobs/transactions.ts';
import { sweepTransactions } from '../../../src/sync/jobs/transactions-sweep.ts';
import { type Mirror, openMirror } from '../../support/mirror.ts';

const cycle = (mirror: Mirror, full = false) => syncTransactions(mirror.context, { full });

const lastRun = async (mirror: Mirror) => {
  const [run] = await mirror.query<{ run_id: string; mode: string; status: string; read: boolean | null }>(
    `select run_id, mode, status, open_transactions_read as read from sync.runs order by run_id desc limit 1`,
  );
  if (run === undefined) throw new Error('there is no run');
  return run;
};

const boundOf = async (mirror: Mirror, id: string) =>
  (
    await mirror.query<{ run_id: string | null }>(
      `select (select run_id from sync.runs r where r.started_at = h.observed_after) as run_id
       from custody.transaction_status_history h where transaction_id = $1 order by sequence desc limit 1`,
      [id],
    )
  )[0]?.run_id;

/** A mirror that goes on by increments, with a new transaction that is open and an old one. */
async function incrementalMirror() {
  const mirror = await openMirror({ transactions: 150 });
  const { world } = mirror.sandbox;
  // Far from the end that grows.
  const { transactionId: old } = world.insertTransaction('tail', { status: 'pending' });
  await cycle(mirror, true);
  for (let added = 0; added < 2; added += 1) world.insertTransaction('head', { status: 'completed' });
  const { transactionId } = world.insertTransaction('head', { status: 'pending' });
  await cycle(mirror, true);
  await cycle(mirror);
  expect(await lastRun(mirror)).toMatchObject({ mode: 'incremental', status: 'succeeded', read: true });
  return { mirror, world, transactionId, old };
}

test('a change is bound by the increment before it, and after that by the sweep', async () => {
  const { mirror, world, transactionId } = await incrementalMirror();
  const increment = await lastRun(mirror);
  world.alterTransaction(transactionId, { status: 'processing' });
  await sweepTransactions(mirror.context, { job: 'reconcile' });
  expect(await boundOf(mirror, transactionId)).toBe(increment.run_id);
  const sweep = await lastRun(mirror);
  expect(sweep).toMatchObject({ mode: 'full', read: true });
  world.alterTransaction(transactionId, { status: 'completed' });
  await cycle(mirror);
  expect(await boundOf(mirror, transactionId)).toBe(sweep.run_id);
});

test('a run that could not read one by its id bounds nothing, until one can', async () => {
  const { mirror, world, old } = await incrementalMirror();
  // On no list of an open status any more.
  world.alterTransaction(old, { status: 'completed' });
  const removeFault = mirror.sandbox.faults.add({
    kind: 'http500',
    endpoint: 'transaction',
    when: ({ parameter }) => parameter === old,
  });
  await cycle(mirror);
  expect(await lastRun(mirror)).toMatchObject({ mode: 'incremental', status: 'succeeded', read: false });
  removeFault();
  await cycle(mirror);
  expect(await lastRun(mirror)).toMatchObject({ mode: 'incremental', status: 'succeeded', read: true });
});

test('an open transaction that cannot be decoded was not read', async () => {
  const { mirror, world, transactionId } = await incrementalMirror();
  world.alterTransaction(transactionId, { amount: 'NaN' });
  await cycle(mirror);
  expect(await lastRun(mirror)).toMatchObject({ mode: 'incremental', status: 'succeeded', read: false });
});

test('a sweep that is not verified bounds nothing, nor does one that did not meet an open transaction', async () => {
  const { mirror, world, transactionId } = await incrementalMirror();
  const sweep = () => sweepTransactions(mirror.context, { job: 'reconcile' });
  const { transactionId: broken } = world.insertTransaction('tail', { amount: 'NaN', status: 'completed' });
  expect(await sweep()).toMatchObject({ status: 'succeeded', verified: false });
  expect(await lastRun(mirror)).toMatchObject({ read: false });
  world.removeTransaction(broken);
  expect(await sweep()).toMatchObject({ verified: true });
  expect(await lastRun(mirror)).toMatchObject({ read: true });
  world.removeTransaction(transactionId);
  expect(await sweep()).toMatchObject({ verified: true });
  expect(await lastRun(mirror)).toMatchObject({ read: false });
});

test('what an id answers of a conflicting transaction is committed, and what was refused for its time was not read', async () => {
  const { mirror, world, old } = await incrementalMirror();
  const { database, lease } = mirror.context;
  await reportAnomaly(database, lease, {
    kind: 'conflicting-content',
    resource: 'transactions',
    resourceId: old,
    details: {},
  });
  world.alterTransaction(old, { status: 'completed' });
  expect(await cycle(mirror)).toMatchObject({ changed: 1 });
  expect(
    await mirror.query('select status from custody.transactions where transaction_id = $1', [old]),
  ).toEqual([{ status: 'completed' }]);
  expect(await lastRun(mirror)).toMatchObject({ mode: 'incremental', read: true });

  // As if a process with a wrong clock had written it: no answer may change the row, nor says when it
  // changed.
  const { transactionId } = world.insertTransaction('head', { status: 'pending' });
  await cycle(mirror);
  const ofIt = `where transaction_id = '${transactionId}'`;
  await mirror.query(`begin;
    set local session_replication_role = replica;
    update custody.transactions set changed_at = changed_at + interval '1 day' ${ofIt};
    update custody.transaction_status_history set read_at = observed_at + interval '1 day' ${ofIt};
    commit`);
  world.alterTransaction(transactionId, { status: 'completed' });
  await cycle(mirror);
  expect(await lastRun(mirror)).toMatchObject({ status: 'succeeded', read: false });
});
