// What the registry of jobs derives from its rows.
import { expect, test } from 'vitest';
import { describeSchedule, jobsOfSchedule, promisedResources } from '../../src/domain/jobs.ts';

test('a schedule of readings says what its jobs read', () => {
  expect(jobsOfSchedule('documents')).toEqual(['vaults', 'whitelist']);
  expect(describeSchedule('documents').meaning).toBe('When vaults and whitelist are read.');
  expect(describeSchedule('balances').meaning).toBe('When balances are read.');
  expect(describeSchedule('reconcile').meaning).toContain('swept');
});

test('the viewer role is promised what the service promises it', () => {
  expect(promisedResources).toEqual(['transactions', 'balances']);
});
