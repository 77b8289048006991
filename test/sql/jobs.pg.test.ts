// The jobs that SQL knows are those of the registry.
import { expect, test } from 'vitest';
import { isSweeping, jobNames, mirroredBy } from '../../src/domain/jobs.ts';
import { openStore } from '../support/store.ts';

test('internal.jobs holds the registry of jobs', async () => {
  const store = await openStore();
  const registry = jobNames.map((job) => ({
    job,
    resource: mirroredBy(job),
    is_sweeping: isSweeping(job),
  }));
  expect(await store.query('select job, resource, is_sweeping from internal.jobs')).toEqual(registry);
});
