// How fresh the mirror says it is, against the runs that a test made. The word for each problem is held by
// test/sql/health-problems.pg.test.ts.
import { expect, test } from 'vitest';
import { snapshotBalances } from '../../../src/sync/jobs/balances.ts';
import { mirrorVaults, mirrorWhitelist } from '../../../src/sync/jobs/documents.ts';
import { syncTransactions } from '../../../src/sync/jobs/transactions.ts';
import { type Observed, observe } from './observed.ts';
import { readView, type ViewRow } from './views.ts';
import { micros } from './zones.ts';

const second = 1_000_000n;

async function freshness({ mirror, account }: Observed) {
  const { now: database, rows } = await readView(mirror, 'data_freshness', account);
  // Ages count by the account's clock.
  const [{ ahead = '0' } = {}] = await mirror.query<{ ahead: string }>(
    `select (extract(epoch from c.now - now()) * 1000000)::bigint as ahead
     from internal.account_clocks c where c.account_id = $1`,
    [account],
  );
  const now = database + BigInt(ahead);
  return { now, of: (resource: string) => rows.find((row) => row['resource'] === resource), rows };
}

/** The one word, which must rest on the worst of what reporting.health_problems tells. */
async function health({ mirror, account }: Observed): Promise<ViewRow | undefined> {
  const row = (await readView(mirror, 'sync_health', account)).rows[0];
  const problems = (await readView(mirror, 'health_problems', account)).rows
    .filter(({ severity }) => severity !== 'note')
    .toSorted((a, b) => Number(a['rank']) - Number(b['rank']));
  expect(row?.['problems']).toBe(String(problems.length));
  if (problems.length > 0) expect(problems.map(({ problem }) => problem)).toContain(row?.['worst_problem']);
  return row;
}

test('freshness is that of the last runs, by resource', async () => {
  const observed = await observe('2025-03-01T00:00:00Z', { seed: 2, transactions: 40 });
  const { mirror } = observed;
  const nothing = await freshness(observed);
  expect(nothing.rows).toHaveLength(4);
  for (const row of nothing.rows)
    expect(row).toMatchObject({ last_success_at: null, lag: null, is_failing: false, complete_since: null });

  await observed.readTransactions('2025-03-01T10:00:00Z');
  await observed.readBalances('2025-03-01T10:05:00.000001Z');
  await observed.readDocuments('2025-03-01T10:10:00Z');
  mirror.sandbox.faults.add({ kind: 'http500', endpoint: 'balances' });
  const failure = await observed.readBalances('2025-03-01T11:00:00Z');
  mirror.sandbox.faults.clear();
  expect(failure.status).toBe('failed');
  await observed.readTransactions('2025-03-02T10:00:00Z');

  const { now, of } = await freshness(observed);
  const first = micros('2025-03-01T10:00:00Z');
  const later = micros('2025-03-02T10:00:00Z');
  const told = (at: bigint) => ({
    last_success_at: at.toString(),
    lag: (now - at).toString(),
    lag_seconds: ((now - at + second / 2n) / second).toString(),
    last_verified_at: at.toString(),
    open_anomalies: '0',
    quarantined_records: '0',
  });
  const unfailed = {
    last_failure_at: null,
    last_failure_code: null,
    last_failure_message: null,
    is_failing: false,
  };
  expect(of('transactions')).toMatchObject({ ...told(later), ...unfailed, complete_since: first.toString() });
  expect(of('balances')).toMatchObject({
    ...told(micros('2025-03-01T10:05:00.000001Z')),
    last_failure_at: micros('2025-03-01T11:00:00Z').toString(),
    last_failure_code: failure.errorCode,
    last_failure_message: failure.errorMessage,
    is_failing: true,
    complete_since: null,
  });
  for (const resource of ['vaults', 'whitelist'])
    expect(of(resource)).toMatchObject({
      ...told(micros('2025-03-01T10:10:00Z')),
      ...unfailed,
      complete_since: null,
    });
  expect(await health(observed)).toMatchObject({
    health: 'failing',
    failing_resources: '1',
    stale_resources: '4',
    last_success_at: later.toString(),
    last_verified_sweep_at: later.toString(),
    complete_since: first.toString(),
    mirrored_since: micros('2025-03-01T00:00:00Z').toString(),
    runs_24h: '0',
  });
  await observed.readBalances('2025-03-02T10:05:00Z');
  expect((await freshness(observed)).of('balances')).toMatchObject({ is_failing: false });
  expect(await health(observed)).toMatchObject({ health: 'stale', failing_resources: '0' });
});

test('health counts what the last day did, and names who writes', async () => {
  const observed = await observe('2025-03-01T00:00:00Z', { seed: 2, transactions: 40 });
  const { mirror } = observed;
  const { world } = mirror.sandbox;
  const nothing = { health: 'starting', writer: 'test', runs_24h: '0', lag: null };
  expect(await health(observed)).toMatchObject(nothing);
  // A person cannot act on the name of a process: who writes is a column of its own.
  const [problem] = await mirror.query('select fix from reporting.health_problems');
  expect(problem?.['fix']).toBe(
    'wait for the first reading to finish; if it does not, see the log of the writing process',
  );
  const outcomes = [
    await syncTransactions(mirror.context, { full: true }),
    await snapshotBalances(mirror.context),
    await mirrorVaults(mirror.context),
    await mirrorWhitelist(mirror.context),
  ];
  const requests = () => String(outcomes.reduce((all, outcome) => all + outcome.requests, 0));
  const counted = { runs_24h: '4', failed_runs_24h: '0', requests_24h: requests(), status_changes_24h: '0' };
  expect(await health(observed)).toMatchObject({ health: 'healthy', time_zone: 'UTC', ...counted });
  const [some] = [...world.transactions()];
  world.alterTransaction(some?.transactionId ?? '', { status: 'on-hold' });
  outcomes.push(await syncTransactions(mirror.context, { full: true }));
  const later = { runs_24h: '5', requests_24h: requests(), status_changes_24h: '1' };
  expect(await health(observed)).toMatchObject(later);
  await mirror.query(`update sync.leases set expires_at = now()`);
  // Nobody said that a daemon is to run: nobody misses one.
  expect(await health(observed)).toMatchObject({ writer: null, writer_lease_until: null, health: 'healthy' });
});
