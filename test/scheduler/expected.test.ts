import { expect, test } from 'vitest';
import type { Resource, ScheduleName } from '../../src/domain/jobs.ts';
import { expectedOfDaemon, expectedOfSync } from '../../src/scheduler/expected.ts';
import { forEachSchedule } from './schedules.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const all = ['transactions', 'balances', 'vaults', 'whitelist'] as const;
const none = forEachSchedule(() => null);

function expected(
  expressions: Partial<Record<ScheduleName, string | null>>,
  resources: readonly Resource[] = all,
) {
  const rows = expectedOfDaemon({ resources, schedule: { expressions: { ...none, ...expressions } } });
  return (job: string) => rows.find((row) => row.job === job);
}

test('a job may be several of its own intervals late, and never less than a quarter of an hour', () => {
  const of = expected({
    transactions: '*/30 * * * * *',
    balances: '0 * * * *',
    documents: '0 6 * * *',
    reconcile: '17 3 * * *',
  });
  expect(of('transactions')?.maxAgeMs).toBe(15 * minute);
  expect(of('balances')?.maxAgeMs).toBe(6 * 60 * minute);
  expect(of('vaults')?.maxAgeMs).toBe(6 * day);
  expect(of('whitelist')?.maxAgeMs).toBe(6 * day);
  expect(of('reconcile')).toMatchObject({ maxAgeMs: null, maxVerifiedAgeMs: 3 * day });
  expect(expected({ reconcile: '0 * * * *' })('reconcile')?.maxVerifiedAgeMs).toBe(day);
});

test('what nothing starts, and what is not mirrored, is not judged', () => {
  const of = expected({ transactions: '*/30 * * * * *', documents: '*/15 * * * *' }, [
    'transactions',
    'vaults',
  ]);
  expect(of('reconcile')).toMatchObject({ isMirrored: true, isScheduled: false, maxVerifiedAgeMs: null });
  expect(of('balances')).toMatchObject({ isMirrored: false, isScheduled: false, maxAgeMs: null });
  expect(of('vaults')).toMatchObject({ isMirrored: true, isScheduled: true });
  expect(of('whitelist')).toMatchObject({ isMirrored: false, isScheduled: false, maxAgeMs: null });
  expect(of('maintenance')).toMatchObject({ isMirrored: true, isScheduled: false });
});

test('who runs sync is judged by what it does, not by schedules', () => {
  const rows = expectedOfSync({ resources: ['transactions', 'balances'] });
  expect(rows.filter(({ isScheduled }) => isScheduled).map(({ job }) => job)).toEqual([
    'transactions',
    'balances',
  ]);
  expect(rows.filter(({ isMirrored }) => !isMirrored).map(({ job }) => job)).toEqual(['vaults', 'whitelist']);
  expect(rows.find(({ job }) => job === 'reconcile')).toMatchObject({ maxVerifiedAgeMs: 8 * day });
  expect(rows.every(({ maxAgeMs }) => maxAgeMs === null)).toBe(true);
});
