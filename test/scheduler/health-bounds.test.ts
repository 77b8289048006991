import { expect, test } from 'vitest';
import type { ScheduledJob } from '../../src/base/config.ts';
import { healthBounds } from '../../src/scheduler/health-bounds.ts';

const minute = 60_000;

function boundsOf(expressions: Partial<Record<ScheduledJob, string | null>>) {
  const none = { transactions: null, balances: null, documents: null, reconcile: null, maintenance: null };
  return healthBounds({ expressions: { ...none, ...expressions } }).maxAgeMs;
}

test('a job may be several of its own intervals late, and never less than a quarter of an hour', () => {
  expect(boundsOf({ transactions: '*/30 * * * * *', balances: '*/5 * * * *' })).toEqual({
    transactions: 15 * minute,
    balances: 30 * minute,
  });
  expect(boundsOf({ balances: '0 6 * * *' })).toEqual({ balances: 6 * 24 * 60 * minute });
});

test('a job that is off may be of any age', () => {
  expect(boundsOf({})).toEqual({});
});

test('jobs that nothing starts, and resources that are not mirrored, are not judged', () => {
  const expressions = {
    transactions: '*/30 * * * * *',
    balances: null,
    documents: null,
    reconcile: '17 3 * * *',
    maintenance: '47 4 * * *',
  };
  expect(healthBounds({ expressions }, ['transactions', 'vaults'])).toMatchObject({
    jobsOff: ['balances', 'vaults', 'whitelist'],
    resourcesOff: ['balances', 'whitelist'],
  });
  expect(healthBounds({ expressions })).toMatchObject({ resourcesOff: [] });
});
